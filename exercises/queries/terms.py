"""What an assignment asks of one student: its dates with every extension, its tries, what lateness takes, what is kept back.

A lesson without a row binds nobody, and neither does any row bind those who teach.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Final

from django.db.models import Q
from django.utils import timezone

from exercises.enums import LateUnit, Release, Role
from exercises.models import Assignment, AssignmentItem, Attempt, Enrollment, Extension, Item, User
from exercises.queries.course_time import course_zone
from grader.marking.late import LateSchedule
from grader.marking.policy import Counts, Policy

UNITS: Final[Mapping[str, timedelta]] = {LateUnit.HOUR: timedelta(hours=1), LateUnit.DAY: timedelta(days=1)}
PERCENT: Final = Decimal(100)
# The assignment of weight nought that holds what was taken out of the grades.
VOID: Final = "void"
UNBOUND: Final = frozenset({Role.INSTRUCTOR, Role.ASSISTANT})


def percentages(values: Collection[int]) -> tuple[Decimal, ...]:
    """As shares."""
    return tuple(Decimal(value) / PERCENT for value in values)


@dataclass(frozen=True, slots=True)
class Terms:
    """What holds for one student at one assignment. A moment that is named belongs to the time before it.

    Moments carry the time zone of the course.
    """

    opens_at: datetime | None = None
    due_at: datetime | None = None
    closes_at: datetime | None = None
    is_extended: bool = False
    tries: int | None = None
    penalties: tuple[Decimal, ...] = ()
    counts: str = ""
    late: LateSchedule = field(default_factory=LateSchedule)
    feedback: Release = Release.AT_ONCE
    solution: Release = Release.AT_ONCE
    released_at: datetime | None = None

    def is_ahead(self, now: datetime) -> bool:
        """Whether it has not opened yet."""
        return self.opens_at is not None and now < self.opens_at

    def is_over(self, now: datetime) -> bool:
        """Whether nothing is taken any more."""
        return self.closes_at is not None and now > self.closes_at

    def is_late(self, sent_at: datetime) -> bool:
        """Whether something sent then was late."""
        return self.due_at is not None and sent_at > self.due_at

    def kept(self, sent_at: datetime) -> Decimal:
        """The share of its gain that an answer keeps which was sent then."""
        if self.is_over(sent_at):
            return Decimal(0)
        return self.late.share(sent_at.astimezone(UTC) - self.due_at.astimezone(UTC)) if self.due_at else Decimal(1)

    @property
    def costs_from(self) -> datetime | None:
        """The moment up to which every answer keeps all of its gain; None where that is for ever."""
        ends = [self.due_at if self.late.steps else None, self.closes_at]
        return min((end for end in ends if end), default=None)

    def policy(self, of_item: Policy) -> Policy:
        """The tries, penalties and counting that hold at an item."""
        return Policy(
            tries=of_item.tries if self.tries is None else self.tries,
            penalties=self.penalties or of_item.penalties,
            counts=Counts(self.counts) if self.counts else of_item.counts,
        )

    @property
    def has_policy(self) -> bool:
        """Whether it says anything about tries."""
        return self.tries is not None or bool(self.penalties or self.counts)

    def shows_feedback(self, now: datetime) -> bool:
        """Whether marks, and all that they say, are released."""
        return self._is_released(self.feedback, now)

    def shows_solution(self, now: datetime) -> bool:
        """Whether worked solutions are released; never before the marks, which they would tell."""
        return self.shows_feedback(now) and self._is_released(self.solution, now)

    def feedback_at(self) -> datetime | None:
        """When marks will be released, if that is known."""
        return {Release.DUE: self.due_at, Release.CLOSED: self.closes_at}.get(self.feedback)

    def _is_released(self, release: Release, now: datetime) -> bool:
        match release:
            case Release.DUE:
                return self.due_at is not None and now > self.due_at
            case Release.CLOSED:
                return self.closes_at is not None and now > self.closes_at
            case Release.BY_HAND:
                return self.released_at is not None and now >= self.released_at
            case _:
                return True


FREE: Final = Terms()


@dataclass(frozen=True, slots=True)
class CourseTerms:
    """All rows of one course: which assignment an item belongs to, and who has more time.

    `ruled_by` names what rules an item that was taken out of the grades: where it comes from, None for its lesson.
    """

    assignments: tuple[Assignment, ...] = ()
    chosen: Mapping[int, Assignment] = field(default_factory=dict)
    ruled_by: Mapping[int, Assignment | None] = field(default_factory=dict)
    of_lesson: Mapping[int, Assignment] = field(default_factory=dict)
    extended: Mapping[tuple[int, int], datetime] = field(default_factory=dict)

    def assignment_of(self, item_id: int, lesson_id: int) -> Assignment | None:
        """The row whose dates and rules hold at an item; None for a lesson that is as usual."""
        return self.ruled_by.get(item_id, self.chosen.get(item_id)) or self.of_lesson.get(lesson_id)

    def of_item(self, enrollment_id: int, item_id: int, lesson_id: int) -> Terms:
        """What holds for a student at an item."""
        assignment = self.assignment_of(item_id, lesson_id)
        return FREE if assignment is None else self.of_assignment(enrollment_id, assignment)

    def of_assignment(self, enrollment_id: int, assignment: Assignment) -> Terms:
        """What holds for a student at an assignment."""
        return extended(terms(assignment), self.extended.get((assignment.pk, enrollment_id)))


def terms(assignment: Assignment) -> Terms:
    """What holds for whoever has no extension."""
    zone = course_zone(assignment.course)
    opens_at, due_at, closes_at = (
        moment and moment.astimezone(zone) for moment in (assignment.opens_at, assignment.due_at, assignment.closes_at)
    )
    return Terms(
        opens_at=opens_at,
        due_at=due_at,
        closes_at=closes_at,
        tries=assignment.tries,
        penalties=percentages(assignment.penalties),
        counts=assignment.counts,
        late=LateSchedule(
            UNITS[assignment.late_unit],
            percentages(assignment.late_steps),
            Decimal(assignment.late_floor) / PERCENT,
        ),
        feedback=Release(assignment.feedback),
        solution=Release(assignment.solution),
        released_at=assignment.released_at,
    )


def extended(usual: Terms, due_at: datetime | None) -> Terms:
    """The same with a later due date; closing moves by as much. An earlier one changes nothing."""
    if usual.due_at is None or due_at is None or due_at <= usual.due_at:
        return usual
    # Between moments of one zone Python counts by the clock on the wall: when it is moved, an hour would be lost or won.
    more = due_at.astimezone(UTC) - usual.due_at.astimezone(UTC)
    zone = usual.due_at.tzinfo
    closes_at = (usual.closes_at.astimezone(UTC) + more).astimezone(zone) if usual.closes_at else None
    return replace(usual, due_at=due_at.astimezone(zone), closes_at=closes_at, is_extended=True)


def course_terms(courses: Collection[int], enrollment: Enrollment | None = None) -> Mapping[int, CourseTerms]:
    """Course id -> its terms, with the extensions of all students or of one. Three queries; one where no row exists."""
    rows: dict[int, list[Assignment]] = {}
    found = Assignment.objects.filter(course__in=courses).order_by("pk")
    for each in found if enrollment else found.select_related("course", "lesson"):
        if enrollment:
            each.course = enrollment.course
        rows.setdefault(each.course_id, []).append(each)
    if not rows:
        return {}
    by_pk = {each.pk: each for assignments in rows.values() for each in assignments}
    rows_of = AssignmentItem.objects.filter(assignment__in=by_pk)
    chosen = list(rows_of.values_list("item_id", "assignment_id", "taken_from_id"))
    more_time = _extended(by_pk, enrollment)
    return {
        course: CourseTerms(
            assignments=tuple(assignments),
            chosen={item: by_pk[pk] for item, pk, _from in chosen if by_pk[pk].course_id == course},
            ruled_by={
                item: by_pk.get(taken_from)
                for item, pk, taken_from in chosen
                if by_pk[pk].course_id == course and by_pk[pk].slug == VOID
            },
            of_lesson={each.lesson_id: each for each in assignments if each.lesson_id is not None},
            extended=more_time,
        )
        for course, assignments in rows.items()
    }


def terms_at(enrollment: Enrollment, items: Collection[Item]) -> Mapping[int, Terms]:
    """Item id -> what holds there for a member of a course."""
    if enrollment.role in UNBOUND:
        return {item.pk: FREE for item in items}
    found = course_terms([enrollment.course_id], enrollment).get(enrollment.course_id, CourseTerms())
    return {item.pk: found.of_item(enrollment.pk, item.pk, item.lesson_id) for item in items}


def is_withheld_from(user: User, attempt: Attempt) -> bool:
    """Whether marks of that attempt are kept back from whoever looks: from its student only. One query at most."""
    return attempt.enrollment.user_id == user.pk and is_withheld(attempt)


def is_withheld(attempt: Attempt) -> bool:
    """Whether marks of that attempt are kept back from its student. One query where no row exists, four at most."""
    return not terms_at(attempt.enrollment, [attempt.item])[attempt.item_id].shows_feedback(timezone.now())


@dataclass(frozen=True, slots=True)
class Barred:
    """Items of one student: those whose marks are not released yet, and those that a review must leave alone.

    A review can use up no tries, and nothing is taken there before opening or after closing.
    """

    withheld: frozenset[int] = frozenset()
    shut: frozenset[int] = frozenset()


def barred(enrollments: Collection[Enrollment]) -> Mapping[int, Barred]:
    """Enrollment id -> what is barred to it. One query where no row exists, four otherwise."""
    found = course_terms({each.course_id for each in enrollments if each.role not in UNBOUND})
    if not found:
        return {each.pk: Barred() for each in enrollments}
    items = set(Item.objects.filter(curriculum__courses__in=found).values_list("pk", "lesson_id"))
    now = timezone.now()
    return {each.pk: _barred(each, found.get(each.course_id, CourseTerms()), items, now) for each in enrollments}


def withheld(enrollments: Collection[Enrollment]) -> Mapping[int, frozenset[int]]:
    """Enrollment id -> the items whose marks are not released to that student yet."""
    return {pk: each.withheld for pk, each in barred(enrollments).items()}


def is_hidden(kept_back: Mapping[int, frozenset[int]], enrollment: str, item: str) -> Q:
    """A condition that holds for what `withheld` names; `enrollment` and `item` are the look-ups of their ids."""
    hidden = Q(pk__in=[])
    for pk, items in kept_back.items():
        if items:
            hidden |= Q(**{enrollment: pk, f"{item}__in": items})
    return hidden


def _barred(enrollment: Enrollment, found: CourseTerms, items: Collection[tuple[int, int]], now: datetime) -> Barred:
    if enrollment.role in UNBOUND:
        return Barred()
    terms = {item: found.of_item(enrollment.pk, item, lesson) for item, lesson in items}
    return Barred(
        withheld=frozenset(item for item, each in terms.items() if not each.shows_feedback(now)),
        shut=frozenset(
            item for item, each in terms.items() if each.is_ahead(now) or each.is_over(now) or each.tries is not None
        ),
    )


def _extended(assignments: Collection[int], enrollment: Enrollment | None) -> Mapping[tuple[int, int], datetime]:
    """(assignment id, enrollment id) -> the latest due date that was given."""
    granted = Extension.objects.filter(assignment__in=assignments).order_by()
    if enrollment is not None:
        granted = granted.filter(Q(enrollment=enrollment) | Q(label__enrollments=enrollment))
    latest: dict[tuple[int, int], datetime] = {}
    for assignment, own, labelled, due_at in granted.values_list(
        "assignment_id", "enrollment_id", "label__enrollments", "due_at"
    ):
        key = (assignment, own or labelled)
        latest[key] = max(due_at, latest.get(key, due_at))
    return latest
