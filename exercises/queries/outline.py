"""What a student finds on the way in: the courses, and the lessons of one with what is done."""

from __future__ import annotations

from dataclasses import dataclass

from exercises.enums import ItemKind, Role
from exercises.models import Enrollment, Item, Lesson, Submission, User
from exercises.queries.standings import NOTHING_YET, ItemState, Standing, standings
from grader.marking.text import Text


@dataclass(frozen=True, slots=True)
class MyCourse:
    """One course of a user."""

    slug: str
    title: Text
    role: Role


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
        return sum(item.standing.state in {ItemState.DONE, ItemState.WAITING} for item in self.items)

    @property
    def total(self) -> int:
        """All items of the lesson."""
        return len(self.items)

    @property
    def is_done(self) -> bool:
        """Whether no item is left."""
        return self.done == self.total


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
    enrollments = Enrollment.objects.filter(user=user).select_related("course").order_by("course__slug")
    return tuple(
        MyCourse(slug=each.course.slug, title=Text.from_json(each.course.title), role=Role(each.role))
        for each in enrollments
    )


def course_outline(enrollment: Enrollment) -> CourseOutline:
    """Three queries, however many lessons there are."""
    course = enrollment.course
    lessons = Lesson.objects.filter(curriculum=course.curriculum, is_active=True).order_by("position")
    items = Item.objects.filter(curriculum=course.curriculum, is_active=True).order_by("position")
    mine = standings(Submission.objects.filter(attempt__enrollment=enrollment))
    outlines: dict[int, list[ItemOutline]] = {}
    for item in items:
        outline = ItemOutline(
            slug=item.slug,
            title=Text.from_json(item.title),
            kind=ItemKind(item.kind),
            standing=mine.get((enrollment.pk, item.pk), NOTHING_YET),
        )
        outlines.setdefault(item.lesson_id, []).append(outline)
    return CourseOutline(
        slug=course.slug,
        title=Text.from_json(course.title),
        summary=Text.from_json(course.curriculum.summary),
        role=Role(enrollment.role),
        lessons=tuple(
            LessonOutline(lesson.slug, Text.from_json(lesson.title), tuple(outlines.get(lesson.pk, [])))
            for lesson in lessons
        ),
    )
