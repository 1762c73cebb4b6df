"""Whether something may be begun or sent now, by the dates of the assignment and of the course."""

from __future__ import annotations

from datetime import datetime

from exercises.models import Attempt, Enrollment
from exercises.queries.course_time import course_zone
from exercises.queries.terms import Terms, terms_at


class NotOpenYet(Exception):  # noqa: N818 -- nothing went wrong: it is too early
    """The assignment opens later."""

    def __init__(self, opens_at: datetime) -> None:
        super().__init__(opens_at)
        self.opens_at = opens_at


class NotOpenAnyMore(Exception):  # noqa: N818 -- nothing went wrong: it is too late
    """The assignment, or the whole course, is over."""

    def __init__(self, closed_at: datetime) -> None:
        super().__init__(closed_at)
        self.closed_at = closed_at


def terms_of(attempt: Attempt) -> Terms:
    """What holds for the attempt's student."""
    return terms_at(attempt.enrollment, [attempt.item])[attempt.item_id]


def check_open(*, enrollment: Enrollment, terms: Terms, now: datetime) -> None:
    """Let pass what may be sent at that moment. Raises NotOpenYet and NotOpenAnyMore."""
    check_begun(terms=terms, now=now)
    check_going_on(enrollment=enrollment)
    if terms.closes_at is not None and terms.is_over(now):
        raise NotOpenAnyMore(terms.closes_at)


def check_begun(*, terms: Terms, now: datetime) -> None:
    """Let pass what may be looked at at that moment. Raises NotOpenYet."""
    if terms.opens_at is not None and terms.is_ahead(now):
        raise NotOpenYet(terms.opens_at)


def check_going_on(*, enrollment: Enrollment) -> None:
    """Let pass what is sent to a course that goes on. Raises NotOpenAnyMore."""
    if enrollment.course.archived_at is not None:
        raise NotOpenAnyMore(enrollment.course.archived_at.astimezone(course_zone(enrollment.course)))


def is_over(enrollment: Enrollment) -> bool:
    """Whether the course can only be read."""
    return enrollment.course.archived_at is not None
