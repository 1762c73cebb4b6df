"""Search over all that a reader may read: lessons, the titles of items, the glossary.

The texts of a few courses are small and kept parsed anyway, so they are read through where they lie: no index that could
fall behind, no service, and the same on every database.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from exercises.markup.passages import passages
from exercises.models import Course, Curriculum, Item, Lesson, User
from exercises.queries.definitions import lesson_content
from exercises.queries.glossary import glossary, search_glossary
from exercises.queries.matching import holds, places, query_parts
from exercises.queries.outline import my_enrollments
from grader.bank import Prose
from grader.marking.either import told
from grader.marking.items import Convention
from grader.marking.text import Text

PASSAGES_OF_A_LESSON: Final = 3
HITS_OF_A_KIND: Final = 20
BEFORE, AFTER = 40, 140
_CUT_WORD = re.compile(r"[A-Za-z0-9]*")


class Found(StrEnum):
    """What a hit is."""

    LESSON = "lesson"
    ITEM = "item"
    TERM = "term"


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a quotation; `is_match` where it is what was looked for."""

    text: str
    is_match: bool


@dataclass(frozen=True, slots=True)
class Hit:
    """One place. `slug` is that of the lesson, or of the term; `anchor` the place on its page."""

    found: Found
    course: Course
    slug: str
    anchor: str
    title: Text
    quotation: tuple[Piece, ...]


def search(user: User, query: str, language: str) -> tuple[Hit, ...]:
    """Terms first, then items, then passages of lessons. Three queries, whatever is found; none without words."""
    parts = query_parts(query)
    if not parts:
        return ()
    by_curriculum: dict[int, Course] = {}
    for each in my_enrollments(user):
        by_curriculum.setdefault(each.course.curriculum_id, each.course)
    terms = _first(_terms(by_curriculum, query, parts, language))
    return (*terms, *_first(_items(by_curriculum, parts)), *_first(_lessons(by_curriculum, parts, language)))


def quotation(text: str, parts: frozenset[str]) -> tuple[Piece, ...]:
    """The text around the first match, cut into what matches and what lies between."""
    found = places(text, parts)
    first = found[0][0] if found else 0
    begin, end = _word_start(text, max(first - BEFORE, 0), first), min(first + AFTER, len(text))
    pieces, at = [Piece("…" if begin else "", is_match=False)], begin
    for start, stop in found:
        if begin <= start and stop <= end:
            pieces += [Piece(text[at:start], is_match=False), Piece(text[start:stop], is_match=True)]
            at = stop
    pieces.append(Piece(text[at:end] + ("…" if end < len(text) else ""), is_match=False))
    return tuple(piece for piece in pieces if piece.text)


def _word_start(text: str, begin: int, first: int) -> int:
    """Where the next word begins, if `begin` cuts one in two; a word without an end nearby is cut."""
    cut = _CUT_WORD.match(text, begin, first) if begin and text[begin - 1].isalnum() else None
    return cut.end() if cut and cut.end() - begin < BEFORE // 2 else begin


def _first(hits: Iterator[Hit]) -> list[Hit]:
    return [hit for hit, _ in zip(hits, range(HITS_OF_A_KIND), strict=False)]


def _terms(courses: dict[int, Course], query: str, parts: frozenset[str], language: str) -> Iterator[Hit]:
    for course in courses.values():
        curriculum: Curriculum = course.curriculum
        for term in search_glossary(glossary(curriculum), query):
            meaning = quotation(_bare(told(term.meaning.in_language(language), Convention.ROW)), parts)
            yield Hit(Found.TERM, course, term.slug, term.slug, term.name, meaning)


def _items(courses: dict[int, Course], parts: frozenset[str]) -> Iterator[Hit]:
    items = Item.objects.filter(curriculum__in=courses, is_active=True).select_related("lesson")
    for item in items.order_by("lesson__position", "position"):
        title = Text.from_json(item.title)
        if any(all(holds(words, part) for part in parts) for words in (title.zh_hans, title.en)):
            yield Hit(Found.ITEM, courses[item.curriculum_id], item.lesson.slug, f"item-{item.slug}", title, ())


def _lessons(courses: dict[int, Course], parts: frozenset[str], language: str) -> Iterator[Hit]:
    lessons = Lesson.objects.filter(curriculum__in=courses, is_active=True).select_related("current_version")
    for lesson in lessons.order_by("curriculum", "position"):
        content = lesson_content(lesson.version)
        convention = content.convention or Convention.ROW
        fitting = (
            Hit(
                Found.LESSON,
                courses[lesson.curriculum_id],
                lesson.slug,
                passage.anchor,
                content.title,
                quotation(passage.text, parts),
            )
            for segment in content.segments[language]
            if isinstance(segment, Prose)
            for passage in passages(told(segment.markdown, convention))
            if all(holds(passage.text, part) for part in parts)
        )
        yield from (hit for hit, _ in zip(fitting, range(PASSAGES_OF_A_LESSON), strict=False))


def _bare(markdown: str) -> str:
    return " ".join(passage.text for passage in passages(markdown))
