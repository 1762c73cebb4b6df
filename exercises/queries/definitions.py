"""Stored JSON as the grader's typed objects."""

from __future__ import annotations

from exercises.models import ItemVersion, LessonVersion
from grader.bank import Lesson as LessonContent
from grader.bank import parse_item, parse_lesson
from grader.marking.items import Item as ItemContent

# Versions never change, so a parsed one stays right for as long as the process lives.
_items: dict[str, ItemContent] = {}
_lessons: dict[str, LessonContent] = {}


def item_content(version: ItemVersion) -> ItemContent:
    """The item as this version defines it."""
    if version.digest not in _items:
        _items[version.digest] = parse_item(version.definition)
    return _items[version.digest]


def lesson_content(version: LessonVersion) -> LessonContent:
    """The lesson as this version tells it."""
    if version.digest not in _lessons:
        _lessons[version.digest] = parse_lesson(version.source)
    return _lessons[version.digest]
