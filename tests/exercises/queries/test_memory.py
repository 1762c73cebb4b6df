from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from exercises.queries.memory import Memory, Recall, memory_of

MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)


def remembered(*recalls: tuple[int, Recall]) -> Memory:
    memory = memory_of((MONDAY + timedelta(days=day), recall) for day, recall in recalls)
    assert memory is not None
    return memory


def days_until_due(memory: Memory, last_day: int) -> int:
    return (memory.due_at - MONDAY - timedelta(days=last_day)).days


def test_nothing_recalled_is_no_memory() -> None:
    assert memory_of([]) is None


def test_what_is_missed_comes_back_on_the_next_day() -> None:
    assert days_until_due(remembered((0, Recall.MISSED)), 0) == 1


@pytest.mark.parametrize(("weaker", "stronger"), [(Recall.MISSED, Recall.ALONE), (Recall.WITH_HELP, Recall.ALONE)])
def test_the_better_it_came_to_mind_the_longer_it_stays_away(weaker: Recall, stronger: Recall) -> None:
    assert days_until_due(remembered((0, weaker)), 0) < days_until_due(remembered((0, stronger)), 0)


def test_each_recall_in_time_makes_the_pause_longer() -> None:
    first = remembered((0, Recall.ALONE))
    day = days_until_due(first, 0)

    second = remembered((0, Recall.ALONE), (day, Recall.ALONE))

    assert days_until_due(second, day) > day


def test_a_memory_fades_and_is_due_when_one_recall_in_ten_would_fail() -> None:
    memory = remembered((0, Recall.ALONE))

    strengths = [memory.strength(MONDAY + timedelta(days=days)) for days in (0, 1, 30)]

    assert strengths == sorted(strengths, reverse=True)
    assert strengths[0] == 1
    assert memory.strength(memory.due_at) == pytest.approx(0.9, abs=0.05)


def test_the_same_history_gives_the_same_memory() -> None:
    history = ((0, Recall.ALONE), (3, Recall.MISSED), (4, Recall.ALONE))

    assert remembered(*history).due_at == remembered(*history).due_at
