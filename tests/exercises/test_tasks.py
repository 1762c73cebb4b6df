from __future__ import annotations

from exercises import tasks
from exercises.models import Mark, Submission
from tests.exercises.outcomes import marked
from tests.factories import SubmissionFactory


def test_a_doubled_outcome_is_one_mark(ada, attempt, broker):
    submission = SubmissionFactory(attempt=attempt(ada, "program"))
    tasks.record_outcome(marked(submission))
    tasks.record_outcome(marked(submission, score=0))
    assert Mark.objects.get().score == 3


def test_the_sweep_sends_what_is_lost(ada, attempt, broker):
    SubmissionFactory(attempt=attempt(ada, "program"))
    tasks.sweep_stuck()
    assert Submission.objects.get().sends == 2
