"""Hints: one rung after the other, each with time to be read."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from exercises.models import HintTaken
from exercises.queries.lesson_page import item_on_page
from exercises.services.hint_take import PAUSE, HintTooSoon, NoHintLeft, hint_take
from exercises.services.submission_create import submission_create
from tests.exercises.responses import half_right_numbers, right_numbers


def let_time_pass(seconds: float) -> None:
    for taken in HintTaken.objects.all():
        HintTaken.objects.filter(pk=taken.pk).update(created_at=taken.created_at - timedelta(seconds=seconds))


def test_the_first_hint_comes_at_once_and_is_kept_with_the_attempt(ada, attempt):
    mine = attempt(ada, "by-hand")
    assert item_on_page(mine).hints == ()
    taken = hint_take(attempt=mine)
    assert (taken.rung, taken.step, taken.attempt) == (1, "q", mine)
    page = item_on_page(mine)
    assert len(page.hints) == 1
    assert page.has_more_hints


def test_the_next_hint_waits_until_the_last_was_read(ada, attempt):
    mine = attempt(ada, "by-hand")
    hint_take(attempt=mine)
    with pytest.raises(HintTooSoon) as refused:
        hint_take(attempt=mine)
    assert 0 < refused.value.seconds <= PAUSE.total_seconds()
    assert HintTaken.objects.count() == 1
    let_time_pass(PAUSE.total_seconds())
    assert hint_take(attempt=mine).rung == 2


def test_another_answer_brings_the_next_hint_at_once_and_the_same_answer_does_not(ada, attempt):
    mine = attempt(ada, "by-hand")
    submission_create(attempt=mine, raw_response=half_right_numbers(mine))
    hint_take(attempt=mine)
    submission_create(attempt=mine, raw_response=half_right_numbers(mine))
    with pytest.raises(HintTooSoon):
        hint_take(attempt=mine)
    submission_create(attempt=mine, raw_response=right_numbers(mine))
    assert hint_take(attempt=mine).rung == 2


def test_when_all_hints_are_there_nothing_more_is_recorded(ada, attempt):
    mine = attempt(ada, "by-hand")
    for _ in range(2):
        hint_take(attempt=mine)
        let_time_pass(PAUSE.total_seconds())
    with pytest.raises(NoHintLeft):
        hint_take(attempt=mine)
    assert not item_on_page(mine).has_more_hints
    assert HintTaken.objects.count() == 2


def test_an_item_without_hints_offers_none(ada, attempt):
    mine = attempt(ada, "pick")
    assert not item_on_page(mine).has_more_hints
    with pytest.raises(NoHintLeft):
        hint_take(attempt=mine)


def test_hints_cost_nothing(ada, attempt):
    mine = attempt(ada, "by-hand")
    hint_take(attempt=mine)
    mark = submission_create(attempt=mine, raw_response=right_numbers(mine)).submission.standing_mark
    assert mark.score == mark.max_score


def test_other_numbers_begin_a_ladder_of_their_own(ada, attempt):
    hint_take(attempt=attempt(ada, "by-hand"))
    other = attempt(ada, "by-hand", fresh=True)
    assert item_on_page(other).hints == ()
    assert hint_take(attempt=other).rung == 1


def test_a_hint_reads_the_same_ever_after(ada, attempt):
    mine = attempt(ada, "by-hand")
    hint_take(attempt=mine)
    before = item_on_page(mine).hints
    submission_create(attempt=mine, raw_response=right_numbers(mine))
    assert item_on_page(mine).hints == before
    assert HintTaken.objects.get().created_at <= timezone.now()
