"""Stored JSON as the grader's typed objects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from exercises.models import Attempt, ItemVersion, LessonVersion
from grader.bank import Lesson as LessonContent
from grader.bank import item_conventions, parse_item, parse_lesson, variant_convention
from grader.marking.items import Convention
from grader.marking.items import Item as ItemContent

# Versions never change, so a parsed one stays right for as long as the process lives.
_definitions: dict[str, Mapping[str, Any]] = {}
_items: dict[tuple[str, Convention | None], ItemContent] = {}
_tellings: dict[str, tuple[Convention, ...]] = {}
_lessons: dict[str, LessonContent] = {}


def definitions_load(versions: Iterable[ItemVersion]) -> None:
    """See to it that these versions, whose definitions may have been left out, are known: at most one query."""
    unknown = [version.pk for version in versions if version.digest not in _definitions]
    if unknown:
        known = ItemVersion.objects.filter(pk__in=unknown).values_list("digest", "definition")
        _definitions.update(known)


def item_content(version: ItemVersion, convention: Convention | None = None) -> ItemContent:
    """The item as this version defines it, told in a convention, or in its own."""
    told = (version.digest, convention)
    if told not in _items:
        _items[told] = parse_item(_definition(version), convention)
    return _items[told]


def tellings(version: ItemVersion) -> tuple[Convention, ...]:
    """The conventions that the item can be told in, its own first."""
    if version.digest not in _tellings:
        _tellings[version.digest] = item_conventions(_definition(version))
    return _tellings[version.digest]


def attempt_content(attempt: Attempt) -> ItemContent:
    """The item of an attempt, in its version and its convention."""
    return item_content(attempt.item_version, variant_convention(attempt.variant))


def lesson_content(version: LessonVersion) -> LessonContent:
    """The lesson as this version tells it."""
    if version.digest not in _lessons:
        _lessons[version.digest] = parse_lesson(version.source)
    return _lessons[version.digest]


def _definition(version: ItemVersion) -> Mapping[str, Any]:
    if version.digest not in _definitions:
        _definitions[version.digest] = version.definition
    return _definitions[version.digest]
