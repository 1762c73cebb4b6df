"""A lesson as its template shows it: stretches of prose and items, a list of contents, what comes next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache

from django.utils.safestring import SafeString
from django.utils.translation import get_language

from exercises.markup import Heading, lesson_headings, reading_minutes, render_lesson_segment
from exercises.models import Course
from exercises.queries.lesson_page import ItemOnPage, LessonPage
from exercises.queries.outline import LessonName
from exercises.web.glossary_view import lesson_reference, symbol_cards, without
from exercises.web.words import ITEM_STATES, Sign
from grader.bank import Lesson as LessonContent
from grader.bank import Prose, Term
from grader.marking.either import reads_both_ways, told
from grader.marking.items import Convention as Layout
from grader.marking.items import LabItem
from grader.marking.text import Text


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of prose, an item in its place, or the time at which an item opens there."""

    markup: SafeString = field(default=SafeString())
    is_item: bool = False
    opens_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the list of contents."""

    heading: Heading | None = None
    page: ItemOnPage | None = None

    @property
    def state(self) -> Sign | None:
        """How the learner stands with the item."""
        return ITEM_STATES[self.page.standing.state] if self.page else None


@dataclass(frozen=True, slots=True)
class LessonView:
    """Everything that the lesson's template needs."""

    course: Course
    slug: str
    title: Text
    parts: tuple[Part, ...]
    contents: tuple[Entry, ...]
    next_lesson: LessonName | None
    layout: Layout | None
    minutes: int
    cards: SafeString
    has_lab: bool


@dataclass(frozen=True, slots=True)
class _Telling:
    """A version of a lesson with the glossary that it links to; `content` is what the version says."""

    version: str
    terms: tuple[Term, ...]
    content: LessonContent = field(compare=False)

    def __hash__(self) -> int:
        return hash(self.version)


@dataclass(frozen=True, slots=True)
class _Frame:
    """All of a lesson that is the same for every reader; `minutes` is what its prose takes to read."""

    prose: Mapping[int, tuple[SafeString, tuple[Heading, ...]]]
    reads_both_ways: bool
    minutes: int
    cards: SafeString


def lesson_view(
    course: Course,
    page: LessonPage,
    next_lesson: LessonName | None,
    item_markup: Callable[[ItemOnPage], SafeString],
    terms: tuple[Term, ...] = (),
    preferred: Layout | None = None,
) -> LessonView:
    """Lay out a lesson in the page's language, and in rows or columns as the reader prefers where it reads both ways."""
    language = get_language() or "zh-hans"
    layout = (preferred or page.content.convention) if page.content.convention else None
    frame = _frame(course.slug, _Telling(page.version, terms, page.content), language, layout)
    parts: list[Part] = []
    contents: list[Entry] = []
    for place, segment in enumerate(page.content.segments[language]):
        if isinstance(segment, Prose):
            prose, headings = frame.prose[place]
            parts.append(Part(prose))
            contents.extend(Entry(heading=heading) for heading in headings)
        elif segment.slug in page.items:
            item = page.items[segment.slug]
            parts.append(Part(item_markup(item), is_item=True))
            contents.append(Entry(page=item))
        elif segment.slug in page.ahead:
            parts.append(Part(opens_at=page.ahead[segment.slug]))
    return LessonView(
        course=course,
        slug=page.slug,
        title=page.content.title,
        parts=tuple(parts),
        contents=tuple(contents),
        next_lesson=next_lesson,
        layout=layout if frame.reads_both_ways else None,
        minutes=frame.minutes,
        cards=frame.cards,
        has_lab=any(isinstance(item.content, LabItem) for item in page.items.values()),
    )


@lru_cache(maxsize=128)
def _frame(course_slug: str, telling: _Telling, language: str, layout: Layout | None) -> _Frame:
    reference = lesson_reference(course_slug, telling.terms, language)
    prose: dict[int, tuple[SafeString, tuple[Heading, ...]]] = {}
    written = {place: each for place, each in enumerate(telling.content.segments[language]) if isinstance(each, Prose)}
    texts = {place: told(each.markdown, layout) if layout else each.markdown for place, each in written.items()}
    for place, segment in written.items():
        told_prose = render_lesson_segment(segment.markdown, language, telling.content.figures, layout, reference)
        reference = without(reference, told_prose.linked)
        prose[place] = told_prose.html, lesson_headings(texts[place])
    return _Frame(
        prose=prose,
        reads_both_ways=reads_both_ways([each.markdown for each in written.values()]),
        minutes=reading_minutes(texts.values()),
        cards=symbol_cards(course_slug, telling.terms, layout, language, frozenset()),
    )
