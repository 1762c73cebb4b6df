"""The assignments of a course: each lesson, whether it has a row or not, then what was put together of single items."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from exercises.models import Assignment, Course, Item, Lesson
from exercises.queries.terms import FREE, VOID, CourseTerms, Terms, course_terms, terms
from grader.marking.text import Text


@dataclass(frozen=True, slots=True)
class SetWork:
    """One assignment with its items; `row` is None for a lesson that is as usual."""

    slug: str
    title: Text
    lesson: Lesson | None
    row: Assignment | None
    items: tuple[Item, ...]

    @property
    def max_score(self) -> Decimal:
        """What its items are worth together."""
        return sum((item.max_score for item in self.items), Decimal(0))

    @property
    def weight(self) -> Decimal:
        """What it counts in the course: its points, unless something else was said."""
        return self.max_score if self.row is None or self.row.weight is None else self.row.weight

    @property
    def is_void(self) -> bool:
        """Whether it holds what was taken out of the grades: that stays under the rules of where it comes from."""
        return self.lesson is None and self.slug == VOID

    @property
    def terms(self) -> Terms:
        """What holds for whoever has no extension."""
        return FREE if self.row is None else terms(self.row)


def set_work(course: Course) -> tuple[SetWork, ...]:
    """All assignments of a course, in at most five queries; one without items does not count and is left out."""
    found = course_terms([course.pk]).get(course.pk, CourseTerms())
    return work_of(course, found)


def work_of(course: Course, found: CourseTerms) -> tuple[SetWork, ...]:
    """The same, where the terms have been read already. One query."""
    items = Item.objects.filter(curriculum=course.curriculum_id, is_active=True).select_related("lesson")
    under: dict[str, list[Item]] = {}
    lessons: dict[str, Lesson] = {}
    for item in items.order_by("lesson__position", "position"):
        row = found.chosen.get(item.pk)
        lessons.setdefault(item.lesson.slug, item.lesson)
        under.setdefault(row.slug if row else item.lesson.slug, []).append(item)
    rows = {each.slug: each for each in found.assignments}
    usual = (_work(slug, lesson, rows.get(slug), under.get(slug, ())) for slug, lesson in lessons.items())
    chosen = (_work(each.slug, None, each, under.get(each.slug, ())) for each in rows.values() if not each.lesson_id)
    return tuple(each for each in (*usual, *chosen) if each.items)


def work_called(work: Iterable[SetWork], slug: str) -> SetWork | None:
    """The assignment of that name."""
    return next((each for each in work if each.slug == slug), None)


def _work(slug: str, lesson: Lesson | None, row: Assignment | None, items: Sequence[Item]) -> SetWork:
    title = row.title if row and row.title else lesson.title if lesson else {}
    return SetWork(slug, Text.from_json(title), lesson, row, tuple(items))
