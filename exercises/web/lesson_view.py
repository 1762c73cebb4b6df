"""A lesson as its template shows it: stretches of prose and items, a list of contents, what comes next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import get_language

from exercises.markup import Heading, lesson_headings, render_lesson_segment
from exercises.queries.lesson_page import LessonPage
from exercises.queries.outline import CourseOutline, LessonOutline
from exercises.web.glossary_view import TermView, lesson_reference, term_view, without
from exercises.web.item_view import ItemView, item_view
from grader.bank import Prose, Term
from grader.marking.either import reads_both_ways, told
from grader.marking.items import Convention as Layout
from grader.marking.text import Text


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of prose, or an item in its place."""

    prose: SafeString | None = None
    item: ItemView | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the list of contents."""

    heading: Heading | None = None
    item: ItemView | None = None


@dataclass(frozen=True, slots=True)
class LessonView:
    """Everything that the lesson's template needs."""

    course: CourseOutline
    slug: str
    title: Text
    parts: tuple[Part, ...]
    contents: tuple[Entry, ...]
    next_lesson: LessonOutline | None
    layout: Layout | None
    cards: tuple[TermView, ...]

    @property
    def has_lab(self) -> bool:
        """Whether the page needs the script and the styles of labs."""
        return any(part.item and part.item.lab for part in self.parts)


def lesson_view(
    course: CourseOutline, page: LessonPage, terms: tuple[Term, ...] = (), preferred: Layout | None = None
) -> LessonView:
    """Lay out a lesson in the page's language, and in rows or columns as the reader prefers where it reads both ways."""
    language = get_language() or "zh-hans"
    layout = (preferred or page.content.convention) if page.content.convention else None
    reference = lesson_reference(course.slug, terms, language)
    items = {slug: item_view(course.slug, item) for slug, item in page.items.items()}
    segments = page.content.segments[language]
    parts: list[Part] = []
    contents: list[Entry] = []
    for segment in segments:
        if isinstance(segment, Prose):
            prose = render_lesson_segment(segment.markdown, language, page.content.figures, layout, reference)
            reference = without(reference, prose.linked)
            parts.append(Part(prose=prose.html))
            contents.extend(
                Entry(heading=heading)
                for heading in lesson_headings(told(segment.markdown, layout) if layout else segment.markdown)
            )
        elif segment.slug in items:
            parts.append(Part(item=items[segment.slug]))
            contents.append(Entry(item=items[segment.slug]))
    return LessonView(
        course=course,
        slug=page.slug,
        title=page.content.title,
        parts=tuple(parts),
        contents=tuple(contents),
        next_lesson=next(_after(course, page.slug), None),
        layout=layout if reads_both_ways([each.markdown for each in segments if isinstance(each, Prose)]) else None,
        cards=tuple(term_view(term, layout) for term in terms),
    )


def _after(course: CourseOutline, slug: str) -> Iterator[LessonOutline]:
    slugs = [lesson.slug for lesson in course.lessons]
    return iter(course.lessons[slugs.index(slug) + 1 :])
