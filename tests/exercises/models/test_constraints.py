"""What the database itself refuses, whatever the code above it does."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction

from exercises.enums import GradingProgress, MarkedBy
from tests.factories import AttemptFactory, EnrollmentFactory, MarkFactory, SubmissionFactory, UserFactory


@pytest.fixture
def refuses(db):
    def refuses(make, **values):
        with pytest.raises(IntegrityError), transaction.atomic():
            make(**values)
        return True

    return refuses


def test_a_user_name_is_given_once_in_whatever_capitals(ada, refuses):
    assert refuses(UserFactory, username="ADA")


def test_nobody_is_enrolled_twice(ada, course, refuses):
    assert refuses(EnrollmentFactory, user=ada, course=course)


def test_an_attempt_number_is_given_once(ada, attempt, refuses):
    first = attempt(ada, "program")
    assert refuses(AttemptFactory, enrollment=first.enrollment, item=first.item, number=first.number)


def test_the_same_response_counts_once_in_an_attempt(ada, attempt, refuses):
    mine = attempt(ada, "program")
    SubmissionFactory(attempt=mine, raw_response={"code": "a"})
    assert refuses(SubmissionFactory, attempt=mine, raw_response={"code": "a"})
    SubmissionFactory(attempt=mine, raw_response={"code": "a"}, counted=False)


def test_what_is_pending_has_a_ticket_and_what_failed_is_not_counted(ada, attempt, refuses):
    mine = attempt(ada, "program")
    assert refuses(SubmissionFactory, attempt=mine, ticket=None)
    assert refuses(SubmissionFactory, attempt=mine, grading_progress=GradingProgress.FAILED)
    assert refuses(SubmissionFactory, attempt=mine, grading_progress="Lost")


def test_a_submission_has_one_automatic_mark_and_any_number_of_the_instructors(ada, attempt, refuses):
    submission = SubmissionFactory(attempt=attempt(ada, "program"))
    MarkFactory(submission=submission)
    MarkFactory(submission=submission, by=MarkedBy.INSTRUCTOR)
    MarkFactory(submission=submission, by=MarkedBy.INSTRUCTOR)
    assert refuses(MarkFactory, submission=submission)


def test_a_score_lies_between_zero_and_the_most(ada, attempt, refuses):
    submission = SubmissionFactory(attempt=attempt(ada, "program"))
    assert refuses(MarkFactory, submission=submission, score=Decimal("3.001"))
    assert refuses(MarkFactory, submission=submission, score=Decimal("-0.001"))
    assert refuses(MarkFactory, submission=submission, verdict="splendid")
