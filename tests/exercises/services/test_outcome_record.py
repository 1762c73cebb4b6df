from __future__ import annotations

import pytest

from exercises import dispatch
from exercises.enums import GradingProgress, Verdict
from exercises.models import Mark, MisconceptionSighting
from exercises.services.outcome_record import MALFORMED, outcome_record
from grader.marking.mark import Mark as Marking
from tests.exercises.outcomes import broken, marked
from tests.factories import SubmissionFactory


@pytest.fixture
def waiting(ada, attempt, broker):
    return SubmissionFactory(attempt=attempt(ada, "program"))


def test_an_outcome_settles_the_submission_and_wakes_who_waits(waiting):
    assert outcome_record(outcome=marked(waiting))
    waiting.refresh_from_db()
    assert (waiting.grading_progress, waiting.counted) == (GradingProgress.FULLY_GRADED, True)
    assert waiting.settled_at is not None
    assert (waiting.standing_mark.verdict, waiting.standing_mark.score) == (Verdict.CORRECT, 3)
    assert dispatch.wait_for_wake(waiting.ticket, seconds=1)


def test_a_second_outcome_changes_nothing(waiting):
    assert outcome_record(outcome=marked(waiting, score=3))
    assert not outcome_record(outcome=marked(waiting, score=0))
    assert not outcome_record(outcome=broken(waiting))
    waiting.refresh_from_db()
    assert (waiting.grading_progress, Mark.objects.get().score) == (GradingProgress.FULLY_GRADED, 3)


def test_an_unknown_ticket_changes_nothing(waiting):
    for ticket in ("0" * 64, None, 7, "\0", waiting.ticket[:32]):
        assert not outcome_record(outcome={**marked(waiting), "ticket": ticket})
    assert Mark.objects.count() == 0


def test_a_failure_of_ours_is_no_try_and_no_verdict(waiting):
    assert outcome_record(outcome=broken(waiting))
    waiting.refresh_from_db()
    assert (waiting.grading_progress, waiting.counted) == (GradingProgress.FAILED, False)
    assert (waiting.failure, waiting.standing_mark) == ("sandbox_internal_error", None)
    assert dispatch.wait_for_wake(waiting.ticket, seconds=1)


def test_a_mark_that_is_no_try_is_stored_uncounted(waiting):
    assert outcome_record(outcome={**marked(waiting, score=0), "counted": False})
    waiting.refresh_from_db()
    assert (waiting.grading_progress, waiting.counted) == (GradingProgress.FULLY_GRADED, False)
    assert waiting.standing_mark.verdict == Verdict.INCORRECT


@pytest.mark.parametrize(
    "change",
    [
        {"mark": {}},
        {"mark": "correct"},
        {"mark": [1]},
        {"mark": {"verdict": "splendid"}},
        {"score": "4"},
        {"score": "-1"},
        {"score": "NaN"},
        {"max_score": "1000"},
        {"findings": [{"slug": "x"}]},
        {"run": {"status": "returned"}},
    ],
)
def test_an_outcome_that_makes_no_sense_is_our_failure(waiting, change):
    outcome = marked(waiting)
    outcome["mark"] = change["mark"] if "mark" in change else {**outcome["mark"], **change}
    assert outcome_record(outcome=outcome)
    waiting.refresh_from_db()
    assert (waiting.grading_progress, waiting.failure) == (GradingProgress.FAILED, MALFORMED)
    assert Mark.objects.count() == 0


def test_a_misconception_that_the_item_does_not_know_is_not_believed(waiting):
    outcome_record(outcome=marked(waiting, score=0, misconceptions=("x" * 300,)))
    waiting.refresh_from_db()
    assert (waiting.grading_progress, MisconceptionSighting.objects.count()) == (GradingProgress.FAILED, 0)


def test_a_known_misconception_is_sighted(waiting):
    outcome_record(outcome=marked(waiting, score=0, misconceptions=("w_transposed",)))
    assert MisconceptionSighting.objects.get().slug == "w_transposed"


def test_unprintable_output_is_stored_and_read_back(waiting):
    outcome_record(outcome=marked(waiting, stdout="\0 \ud800 \x1b[31m \x85 查询"))
    mark = Mark.objects.get()
    assert Marking.from_json(mark.feedback).run.stdout == "␀ � \x1b[31m \x85 查询"


def test_an_outcome_is_stored_even_if_nobody_can_be_woken(ada, attempt, broker_away):
    submission = SubmissionFactory(attempt=attempt(ada, "program"))
    assert outcome_record(outcome=marked(submission))
    assert Mark.objects.count() == 1
