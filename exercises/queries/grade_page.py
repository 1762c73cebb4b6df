"""The grades of a course, some students at a time: a course of ten thousand is read in pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from exercises.enums import Role
from exercises.models import Course, Enrollment, Item, Submission
from exercises.queries.standings import NOTHING_YET, Standings, standings


@dataclass(frozen=True, slots=True)
class ItemGrade:
    """The best standing score of one student for one item; None where there is none, which is not zero."""

    item_slug: str
    score: Decimal | None
    max_score: Decimal
    state: str
    tries: int


@dataclass(frozen=True, slots=True)
class StudentGrades:
    """All grades of one student in a course."""

    username: str
    name: str
    score: Decimal
    max_score: Decimal
    items: tuple[ItemGrade, ...]


@dataclass(frozen=True, slots=True)
class GradePage:
    """Some students in the order in which they joined, and the key that the next page begins after."""

    students: tuple[StudentGrades, ...]
    next_after: int | None


def grade_page(course: Course, *, after: int, limit: int) -> GradePage:
    """Three queries, for any number of students."""
    students = Enrollment.objects.filter(course=course, role=Role.STUDENT, pk__gt=after).select_related("user")
    found = list(students.order_by("pk")[: limit + 1])
    shown = found[:limit]
    return GradePage(_grades(course, shown), shown[-1].pk if len(found) > limit else None)


def own_grades(enrollment: Enrollment) -> GradePage:
    """What one student may see: the own line. Who is no student has none."""
    own = [enrollment] if enrollment.role == Role.STUDENT else []
    return GradePage(_grades(enrollment.course, own), None)


def _grades(course: Course, students: Sequence[Enrollment]) -> tuple[StudentGrades, ...]:
    items = list(
        Item.objects.filter(curriculum=course.curriculum, is_active=True).order_by("lesson__position", "position")
    )
    found = standings(Submission.objects.filter(attempt__enrollment__in=students))
    return tuple(_of(student, items, found) for student in students)


def _of(student: Enrollment, items: Sequence[Item], found: Standings) -> StudentGrades:
    grades = tuple(_grade(item, student, found) for item in items)
    return StudentGrades(
        username=student.user.username,
        name=str(student.user),
        score=sum((grade.score for grade in grades if grade.score is not None), Decimal(0)),
        max_score=sum((grade.max_score for grade in grades), Decimal(0)),
        items=grades,
    )


def _grade(item: Item, student: Enrollment, found: Standings) -> ItemGrade:
    standing = found.get((student.pk, item.pk), NOTHING_YET)
    return ItemGrade(
        item_slug=item.slug,
        score=standing.score,
        max_score=item.max_score,
        state=standing.state,
        tries=standing.tries,
    )
