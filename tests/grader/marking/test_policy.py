from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.marking.policy import PRACTICE, Counts, Policy, PolicyStanding, standing

EXAM = Policy(tries=3, penalties=(Decimal(0), Decimal("0.3"), Decimal("0.5")))
LAST = Policy(penalties=(Decimal(0), Decimal("0.5")), counts=Counts.LAST)

scores = st.lists(st.decimals(0, 10, places=2), max_size=8)
penalties = st.lists(st.decimals(0, 1, places=2), max_size=4).map(lambda shares: tuple(sorted(shares)))
policies = st.builds(Policy, st.none() | st.integers(1, 8), penalties, st.just(Counts.BEST))


def points(*numbers: float) -> list[Decimal]:
    return [Decimal(str(number)) for number in numbers]


@pytest.mark.parametrize(
    ("policy", "tried", "score", "left"),
    [
        (PRACTICE, [], None, None),
        (PRACTICE, [2, 5, 1], 5, None),
        (EXAM, [], None, 3),
        (EXAM, [10], 10, 2),
        (EXAM, [4, 10], "8.2", 1),  # 4 + 6 × 0.7
        (EXAM, [4, 2, 10], 7, 0),  # 4 + 0 + 6 × 0.5
        (EXAM, [0, 0, 10], 5, 0),
        (EXAM, [10, 0, 0], 10, 0),
        (EXAM, [0, 0, 10, 10], 5, 0),
        (Policy(counts=Counts.LAST), [5, 2], 2, None),
        (LAST, [10, 10, 4], 2, None),
    ],
)
def test_worked_examples(policy, tried, score, left):
    expected = PolicyStanding(None if score is None else Decimal(score), left)
    assert standing(policy, points(*tried)) == expected


def test_one_more_try_is_allowed_until_none_is_left():
    assert [standing(EXAM, points(*tried)).may_try for tried in ([], [1], [1, 1], [1, 1, 1])] == [
        True,
        True,
        True,
        False,
    ]
    assert standing(PRACTICE, points(*[1] * 99)).may_try


@given(policies, scores, st.decimals(0, 10, places=2))
def test_a_retry_never_loses_points(policy, tried, one_more):
    before = standing(policy, tried).score or Decimal(0)
    assert before <= standing(policy, [*tried, one_more]).score <= 10


@given(policies, scores.filter(bool))
def test_nothing_stands_higher_than_the_best_try(policy, tried):
    assert 0 <= standing(policy, tried).score <= max(tried)


@given(scores.filter(bool))
def test_without_penalties_the_best_stands_or_the_last(tried):
    assert standing(PRACTICE, tried).score == max(tried)
    assert standing(Policy(counts=Counts.LAST), tried).score == tried[-1]
