"""What a student finds on the way in: the courses, and the lessons of one with what is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from exercises.access import memberships
from exercises.enums import ItemKind, Role
from exercises.models import Enrollment, Item, Lesson, Submission, User
from exercises.queries.standings import NOTHING_YET, ItemState, Standing, Standings, standings
from grader.marking.text import Text

_NOTHING_LEFT: Final = frozenset({ItemState.DONE, ItemState.WAITING})


@dataclass(frozen=True, slots=True)
class MyCourse:
    """One course of a user."""

    slug: str
    title: Text
    role: Role


@dataclass(frozen=True, slots=True)
class LessonName:
    """A lesson to go on to."""

    slug: str
    title: Text


@dataclass(frozen=True, slots=True)
class ItemOutline:
    """An item in a list of items."""

    slug: str
    title: Text
    kind: ItemKind
    standing: Standing


@dataclass(frozen=True, slots=True)
class LessonOutline:
    """A lesson, and how far one student is with its items."""

    slug: str
    title: Text
    items: tuple[ItemOutline, ...]

    @property
    def done(self) -> int:
        """Items that ask for nothing more: solved, or with the instructor."""
        return sum(item.standing.state in _NOTHING_LEFT for item in self.items)

    @property
    def total(self) -> int:
        """All items of the lesson."""
        return len(self.items)

    @property
    def is_done(self) -> bool:
        """Whether no item is left."""
        return self.done == self.total

    @property
    def is_begun(self) -> bool:
        """Whether anything was sent to any of its items."""
        return any(item.standing.state != ItemState.OPEN for item in self.items)

    @property
    def next_item(self) -> ItemOutline | None:
        """The first item with something left to do."""
        return next((item for item in self.items if item.standing.state not in _NOTHING_LEFT), None)


@dataclass(frozen=True, slots=True)
class CourseOutline:
    """A course as one member sees it."""

    slug: str
    title: Text
    summary: Text
    role: Role
    lessons: tuple[LessonOutline, ...]

    @property
    def next_lesson(self) -> LessonOutline | None:
        """The first lesson with something left to do."""
        return next((lesson for lesson in self.lessons if not lesson.is_done), None)


def my_courses(user: User) -> tuple[MyCourse, ...]:
    """The courses that a user is in, by slug."""
    enrollments = memberships(user).select_related("course").order_by("course__slug")
    return tuple(
        MyCourse(slug=each.course.slug, title=Text.from_json(each.course.title), role=Role(each.role))
        for each in enrollments
    )


def my_enrollments(user: User) -> tuple[Enrollment, ...]:
    """The user's memberships, by the slug of the course."""
    mine = memberships(user).select_related("course__curriculum", "user")
    return tuple(mine.order_by("course__slug"))


def lesson_after(lesson: Lesson) -> LessonName | None:
    """The next lesson of the curriculum, for whoever has come to the end of this one."""
    later = Lesson.objects.filter(curriculum=lesson.curriculum_id, is_active=True, position__gt=lesson.position)
    found = later.order_by("position").values_list("slug", "title").first()
    return LessonName(found[0], Text.from_json(found[1])) if found else None


def course_outline(enrollment: Enrollment) -> CourseOutline:
    """Three queries, however many lessons there are."""
    return course_outlines([enrollment])[0]


def course_outlines(enrollments: Sequence[Enrollment]) -> tuple[CourseOutline, ...]:
    """The same for several courses, in as many queries as for one."""
    curriculums = {each.course.curriculum_id for each in enrollments}
    found = standings(Submission.objects.filter(attempt__enrollment__in=enrollments), for_learner=True)
    lessons: dict[int, list[Lesson]] = {}
    for lesson in Lesson.objects.filter(curriculum__in=curriculums, is_active=True).order_by("position"):
        lessons.setdefault(lesson.curriculum_id, []).append(lesson)
    items: dict[int, list[Item]] = {}
    for item in Item.objects.filter(curriculum__in=curriculums, is_active=True).order_by("position"):
        items.setdefault(item.lesson_id, []).append(item)
    return tuple(
        CourseOutline(
            slug=each.course.slug,
            title=Text.from_json(each.course.title),
            summary=Text.from_json(each.course.curriculum.summary),
            role=Role(each.role),
            lessons=tuple(
                _lesson_outline(each, lesson, items.get(lesson.pk, []), found)
                for lesson in lessons.get(each.course.curriculum_id, [])
            ),
        )
        for each in enrollments
    )


def _lesson_outline(enrollment: Enrollment, lesson: Lesson, items: Sequence[Item], found: Standings) -> LessonOutline:
    return LessonOutline(
        slug=lesson.slug,
        title=Text.from_json(lesson.title),
        items=tuple(
            ItemOutline(
                slug=item.slug,
                title=Text.from_json(item.title),
                kind=ItemKind(item.kind),
                standing=found.get((enrollment.pk, item.pk), NOTHING_YET),
            )
            for item in items
        ),
    )
