"""The grades of a course: one computation for the page, the score sheets, the API and what a student sees.

A missing grade is None, which is not zero; in a total it earns nothing. What is withheld, or exempt, enters no total.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from django.db.models import QuerySet
from django.utils import timezone

from exercises.enums import Role
from exercises.models import Course, Enrollment, Exemption, Override, Submission
from exercises.queries.assignments import SetWork, work_of
from exercises.queries.standings import NOTHING_YET, Standing, Standings, kept_back, standings
from exercises.queries.terms import FREE, CourseTerms, Terms, course_terms
from grader.marking.points import rounded


class GradeState(StrEnum):
    """How complete a grade is, or who decided it."""

    NONE = "none"
    PART = "part"
    WAITING = "waiting"
    COMPLETE = "complete"
    OVERRIDDEN = "overridden"
    EXEMPT = "exempt"
    WITHHELD = "withheld"


@dataclass(frozen=True, slots=True)
class ItemGrade:
    """The standing score of one student for one item; None where there is none, which is not zero."""

    item_slug: str
    score: Decimal | None
    max_score: Decimal
    state: str
    tries: int


@dataclass(frozen=True, slots=True)
class AssignmentGrade:
    """What one student has in one assignment; `computed` is what an override took the place of."""

    slug: str
    score: Decimal | None
    max_score: Decimal
    weight: Decimal
    state: GradeState
    is_late: bool
    due_at: datetime | None
    is_extended: bool
    computed: Decimal | None

    @property
    def enters_total(self) -> bool:
        """Whether it is part of what the student can earn."""
        return self.state not in {GradeState.EXEMPT, GradeState.WITHHELD}


@dataclass(frozen=True, slots=True)
class StudentGrades:
    """All grades of one student in a course. The username is the student number where the school gives such."""

    enrollment_id: int
    username: str
    name: str
    labels: tuple[str, ...]
    assignments: tuple[AssignmentGrade, ...]
    items: tuple[ItemGrade, ...]

    @property
    def score(self) -> Decimal:
        """All points that were earned."""
        return sum((each.score for each in self.assignments if each.enters_total and each.score), Decimal(0))

    @property
    def max_score(self) -> Decimal:
        """All points that could be earned."""
        return sum((each.max_score for each in self.assignments if each.enters_total), Decimal(0))

    @property
    def total(self) -> Decimal | None:
        """The weighted share of all that could be earned, in per cent; None where nothing has weight."""
        counting = [each for each in self.assignments if each.enters_total]
        whole = sum((each.weight for each in counting), Decimal(0))
        if not whole:
            return None
        earned = sum((each.weight * each.score / each.max_score for each in counting if each.score), Decimal(0))
        return rounded(100 * earned / whole)


@dataclass(frozen=True, slots=True)
class Gradebook:
    """Students × assignments."""

    work: tuple[SetWork, ...]
    students: tuple[StudentGrades, ...]


@dataclass(frozen=True, slots=True)
class GradePage:
    """Some students in the order in which they joined, and the key that the next page begins after."""

    students: tuple[StudentGrades, ...]
    next_after: int | None


def students_of(course: Course) -> QuerySet[Enrollment]:
    """Whom grades are kept of."""
    students = Enrollment.objects.filter(course=course, role=Role.STUDENT)
    return students.select_related("user").prefetch_related("labels")


def gradebook(course: Course, students: Sequence[Enrollment], *, for_learner: bool = False) -> Gradebook:
    """The grades of these students: at most eight queries, three where no row of an assignment exists.

    `for_learner` keeps back what is not released.
    """
    known = course_terms([course.pk])
    found = known.get(course.pk, CourseTerms())
    work = work_of(course, found)
    marks = standings(Submission.objects.filter(attempt__enrollment__in=students), known=known)
    basis = _Basis(work, found, marks, _points_by_hand(found), _exempt(found), timezone.now() if for_learner else None)
    return Gradebook(work, tuple(_grades_of(student, basis) for student in students))


def grade_page(course: Course, *, after: int, limit: int) -> GradePage:
    """Some students more, for a reader that goes through all of them."""
    found = list(students_of(course).filter(pk__gt=after).order_by("pk")[: limit + 1])
    shown = found[:limit]
    return GradePage(gradebook(course, shown).students, shown[-1].pk if len(found) > limit else None)


def own_grades(enrollment: Enrollment) -> GradePage:
    """What one student may see: the own line. Who is no student has none."""
    own = [enrollment] if enrollment.role == Role.STUDENT else []
    return GradePage(gradebook(enrollment.course, own, for_learner=True).students, None)


@dataclass(frozen=True, slots=True)
class _Basis:
    """All that grades are made of.

    `points` and `exempt` go by (assignment id, enrollment id); `seen_at` is the moment at which a student looks, None
    where an instructor does.
    """

    work: tuple[SetWork, ...]
    found: CourseTerms
    marks: Standings
    points: Mapping[tuple[int, int], Decimal | None]
    exempt: frozenset[tuple[int, int]]
    seen_at: datetime | None


def _points_by_hand(found: CourseTerms) -> Mapping[tuple[int, int], Decimal | None]:
    """The latest override holds. A course without rows of assignments has none."""
    if not found.assignments:
        return {}
    given = Override.objects.filter(assignment__in=[each.pk for each in found.assignments]).order_by("pk")
    return {(work, student): score for work, student, score in given.values_list("assignment", "enrollment", "score")}


def _exempt(found: CourseTerms) -> frozenset[tuple[int, int]]:
    if not found.assignments:
        return frozenset()
    granted = Exemption.objects.filter(assignment__in=[each.pk for each in found.assignments]).order_by()
    return frozenset(granted.values_list("assignment", "enrollment"))


def _grades_of(student: Enrollment, basis: _Basis) -> StudentGrades:
    assignments: list[AssignmentGrade] = []
    items: list[ItemGrade] = []
    for work in basis.work:
        terms = FREE if work.row is None else basis.found.of_assignment(student.pk, work.row)
        is_withheld = _is_withheld(work, student, basis)
        stands = [basis.marks.get((student.pk, item.pk), NOTHING_YET) for item in work.items]
        if is_withheld:
            ruling = [basis.found.of_item(student.pk, item.pk, item.lesson_id) for item in work.items]
            stands = [kept_back(standing, each) for standing, each in zip(stands, ruling, strict=True)]
        assignments.append(_grade(work, student, stands, basis, terms, is_withheld=is_withheld))
        items.extend(
            ItemGrade(item.slug, standing.score, item.max_score, standing.state, standing.tries)
            for item, standing in zip(work.items, stands, strict=True)
        )
    return StudentGrades(
        enrollment_id=student.pk,
        username=student.user.username,
        name=str(student.user),
        labels=tuple(label.name for label in student.labels.all()),
        assignments=tuple(assignments),
        items=tuple(items),
    )


def _is_withheld(work: SetWork, student: Enrollment, basis: _Basis) -> bool:
    """Item by item: what was taken out of the grades is kept back as long as where it comes from."""
    if basis.seen_at is None:
        return False
    ruling = (basis.found.of_item(student.pk, item.pk, item.lesson_id) for item in work.items)
    return not all(each.shows_feedback(basis.seen_at) for each in ruling)


def _grade(
    work: SetWork, student: Enrollment, stands: Sequence[Standing], basis: _Basis, terms: Terms, *, is_withheld: bool
) -> AssignmentGrade:
    key = (work.row.pk if work.row else 0, student.pk)
    override = None if is_withheld else basis.points.get(key)
    scores = [standing.score for standing in stands if standing.score is not None]
    computed = sum(scores, Decimal(0)) if scores else None
    state = _decided(key, override, basis, is_withheld=is_withheld) or _state(stands)
    return AssignmentGrade(
        slug=work.slug,
        score=None if state is GradeState.EXEMPT else computed if override is None else override,
        max_score=work.max_score,
        weight=work.weight,
        state=state,
        is_late=any(standing.is_late for standing in stands),
        due_at=terms.due_at,
        is_extended=terms.is_extended,
        computed=computed,
    )


def _decided(key: tuple[int, int], override: Decimal | None, basis: _Basis, *, is_withheld: bool) -> GradeState | None:
    """What was decided over the head of all tries."""
    if key in basis.exempt:
        return GradeState.EXEMPT
    if is_withheld:
        return GradeState.WITHHELD
    return None if override is None else GradeState.OVERRIDDEN


def _state(stands: Sequence[Standing]) -> GradeState:
    if any(standing.waiting for standing in stands):
        return GradeState.WAITING
    if not any(standing.is_attempted for standing in stands):
        return GradeState.NONE
    return GradeState.COMPLETE if all(standing.verdict for standing in stands) else GradeState.PART
