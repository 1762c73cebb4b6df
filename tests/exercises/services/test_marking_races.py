"""Several instructors, and a regrade, at the same answers at the same moment, on a database that is really shared."""

from __future__ import annotations

from decimal import Decimal

import pytest

from exercises.enums import MarkedBy, RegradeAction, RegradeState
from exercises.models import Mark, Regrade, Submission
from exercises.services.mark_by_instructor import Judgement, MarkRefused
from exercises.services.marks_by_hand import marks_give, marks_take_back
from exercises.services.regrade_decide import regrade_apply, regrade_begin
from exercises.services.regrade_step import regrade_step
from exercises.services.submission_create import submission_create
from tests.exercises.services.test_races import TABS, at_once
from tests.factories import EnrollmentFactory

pytestmark = pytest.mark.django_db(transaction=True)


def as_read(submission):
    """The answer as each page has it: with the mark that stood when it was read."""
    related = Submission.objects.select_related("attempt__item__curriculum", "attempt__item_version")
    return related.select_related("attempt__enrollment__course").get(pk=submission.pk)


def test_of_five_who_mark_one_answer_at_once_one_does_and_four_are_told(ada, ines, attempt):
    answer = submission_create(attempt=attempt(ada, "in-words"), raw_response={"text": "它在找。"}).submission
    read = [as_read(answer) for _tab in range(TABS)]

    done = at_once(
        lambda tab: marks_give(instructor=ines, submissions=[read[tab]], judgement=Judgement(Decimal(tab % 4))).reached
    )

    assert sorted(str(type(each).__name__) for each in done) == ["MarkRefused"] * (TABS - 1) + ["int"]
    assert all("just marked" in each.text.en for each in done if isinstance(each, MarkRefused))
    assert Mark.objects.count() == 1


def test_an_act_that_is_taken_back_five_times_at_once_is_taken_back_once(ada, ines, course, attempt):
    answer = submission_create(attempt=attempt(ada, "in-words"), raw_response={"text": "它在找。"}).submission
    batch = marks_give(instructor=ines, submissions=[as_read(answer)], judgement=Judgement(Decimal(1))).batch

    counts = at_once(lambda _tab: marks_take_back(instructor=ines, course=course, batch=batch))

    assert sorted(counts) == [0] * (TABS - 1) + [1]


def test_a_regrade_that_five_workers_step_at_once_gives_each_mark_once(ines, course, item, attempt):
    for _ in range(6):
        mine = attempt(EnrollmentFactory(course=course).user, "pick")
        submission_create(attempt=mine, raw_response={"chosen": ["b"]})
    regrade = regrade_begin(
        instructor=ines, course=course, item=item("pick"), action=RegradeAction.AWARD, reason="Both were right."
    )

    def work(_tab):
        while regrade_step(regrade_id=regrade.pk):
            pass

    assert at_once(work) == [None] * TABS
    assert regrade_apply(instructor=ines, regrade=regrade)
    assert at_once(work) == [None] * TABS

    assert Regrade.objects.get().state == RegradeState.DONE
    assert Mark.objects.filter(by=MarkedBy.INSTRUCTOR).count() == 6
