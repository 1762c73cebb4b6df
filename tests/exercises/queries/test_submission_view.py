from __future__ import annotations

import pytest

from exercises.access import submission_for_user
from exercises.enums import GradingProgress, ItemKind, Verdict
from exercises.queries.submission_view import Stage, submission_stage, submission_view
from exercises.services.outcome_record import outcome_record
from tests.exercises.outcomes import broken, marked
from tests.factories import SubmissionFactory


@pytest.fixture
def waiting(ada, attempt):
    return SubmissionFactory(attempt=attempt(ada, "program"), raw_response={"code": "x = 1"})


def seen_by(user, submission):
    return submission_for_user(user=user, submission_id=submission.public_id)


def test_a_waiting_submission_is_shown_whole(ada, waiting):
    view = submission_view(seen_by(ada, waiting))
    assert (view.id, view.course_slug, view.lesson_slug, view.item_slug) == (
        waiting.public_id,
        "spring",
        "first",
        "program",
    )
    assert (view.item_title.en, view.student, view.kind) == ("Write project", "Ada", ItemKind.CODE)
    assert (view.raw_response, view.standing, view.marking, view.is_settled) == ({"code": "x = 1"}, None, None, False)


def test_a_settled_one_has_its_mark_and_what_was_measured(ada, waiting, broker):
    outcome_record(outcome=marked(waiting, score=1))
    view = submission_view(seen_by(ada, waiting))
    assert (view.is_settled, view.standing.verdict, view.standing.score) == (True, Verdict.PARTIALLY_CORRECT, 1)
    assert (view.marking.run.cpu_ms, view.marking.run.memory_mib) == (3, 40)


def test_a_failed_one_says_so_and_has_no_verdict(ada, waiting, broker):
    outcome_record(outcome=broken(waiting))
    view = submission_view(seen_by(ada, waiting))
    assert (view.is_settled, view.grading_progress, view.failure) == (
        True,
        GradingProgress.FAILED,
        "sandbox_internal_error",
    )
    assert (view.standing, view.marking, submission_stage(seen_by(ada, waiting))) == (None, None, Stage.FAILED)


def test_a_waiting_submission_tells_its_stage(waiting, valkey):
    assert submission_stage(waiting) == Stage.QUEUED
    valkey.set(f"held:{waiting.ticket}", "1")
    assert submission_stage(waiting) == Stage.RUNNING
    valkey.set(f"held:{waiting.ticket}", "marking")
    assert submission_stage(waiting) == Stage.MARKING
    waiting.sent_at = None
    assert submission_stage(waiting) == Stage.DELAYED


def test_without_a_broker_a_waiting_submission_is_delayed(waiting, broker_away):
    assert submission_stage(waiting) == Stage.DELAYED


@pytest.mark.parametrize(
    ("progress", "counted", "stage"),
    [
        (GradingProgress.PENDING_MANUAL, True, Stage.WITH_INSTRUCTOR),
        (GradingProgress.PENDING_MANUAL, False, Stage.REPLACED),
        (GradingProgress.FULLY_GRADED, True, Stage.SETTLED),
    ],
)
def test_what_needs_no_worker_asks_no_broker(ada, attempt, broker_away, progress, counted, stage):
    submission = SubmissionFactory(attempt=attempt(ada, "in-words"), grading_progress=progress, counted=counted)
    assert submission_stage(submission) == stage


def test_a_view_costs_no_query_and_one_for_a_program_that_waits(ada, waiting, django_assert_num_queries):
    submission = seen_by(ada, waiting)
    with django_assert_num_queries(1):
        submission_view(submission)
    submission.grading_progress = GradingProgress.FULLY_GRADED
    with django_assert_num_queries(0):
        submission_view(submission)
