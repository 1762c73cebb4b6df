"""Content as files, read into typed objects; a bad file is refused with its path, key, line and the reason."""

from __future__ import annotations

from grader.bank.common import parse_policy
from grader.bank.content import CurriculumSource, ItemSource, LessonSource, digest, read_content
from grader.bank.errors import ContentError
from grader.bank.glossary import Term, TermGroup, TermKind, parse_glossary
from grader.bank.items import parse_item
from grader.bank.lessons import ItemPlace, Lesson, Prose, parse_lesson
from grader.bank.replay import replay
from grader.bank.telling import item_conventions, item_words, variant_convention, variant_in

__all__ = [
    "ContentError",
    "CurriculumSource",
    "ItemPlace",
    "ItemSource",
    "Lesson",
    "LessonSource",
    "Prose",
    "Term",
    "TermGroup",
    "TermKind",
    "digest",
    "item_conventions",
    "item_words",
    "parse_glossary",
    "parse_item",
    "parse_lesson",
    "parse_policy",
    "read_content",
    "replay",
    "variant_convention",
    "variant_in",
]
