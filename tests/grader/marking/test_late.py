from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.marking.late import LateSchedule
from grader.marking.policy import Counts, Policy, standing

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
MOMENT = timedelta(microseconds=1)
DAILY = LateSchedule(DAY, (Decimal("0.1"), Decimal("0.2")), Decimal("0.3"))
HOURLY = LateSchedule(HOUR, (Decimal("0.05"),))

shares = st.decimals(0, 1, places=2)
schedules = st.builds(LateSchedule, st.sampled_from([HOUR, DAY]), st.lists(shares, max_size=4).map(tuple), shares)
times = st.timedeltas(timedelta(0), timedelta(days=400))


@pytest.mark.parametrize(
    ("schedule", "late", "kept"),
    [
        (DAILY, timedelta(0), "1"),
        (DAILY, MOMENT, "0.9"),  # the first day has begun
        (DAILY, DAY, "0.9"),  # and ends with its last moment
        (DAILY, DAY + MOMENT, "0.7"),  # 1 - 0.1 - 0.2
        (DAILY, 3 * DAY, "0.5"),  # 1 - 0.1 - 0.2 - 0.2
        (DAILY, 4 * DAY, "0.3"),  # 1 - 0.1 - 3 * 0.2
        (DAILY, 5 * DAY, "0.3"),  # the floor
        (HOURLY, timedelta(hours=3, minutes=1), "0.8"),  # four hours have begun
        (HOURLY, timedelta(hours=20), "0"),
        (HOURLY, timedelta(days=9), "0"),
        (LateSchedule(), timedelta(days=9), "1"),
        (LateSchedule(floor=Decimal("0.5")), timedelta(days=9), "1"),
    ],
)
def test_shares_by_hand(schedule: LateSchedule, late: timedelta, kept: str) -> None:
    assert schedule.share(late) == Decimal(kept)


@given(schedules, times)
def test_the_share_is_what_counting_unit_by_unit_gives(schedule: LateSchedule, late: timedelta) -> None:
    left, begun = Decimal(1), 0
    while schedule.steps and begun * schedule.unit < late:
        left -= schedule.steps[min(begun, len(schedule.steps) - 1)]
        begun += 1
    assert schedule.share(late) == (min(Decimal(1), max(schedule.floor, left)) if schedule.steps and late else 1)


@given(schedules, times, times)
def test_later_never_keeps_more(schedule: LateSchedule, one: timedelta, other: timedelta) -> None:
    assert schedule.share(max(one, other)) <= schedule.share(min(one, other)) <= 1


def test_lateness_takes_its_share_of_what_a_try_adds_and_nothing_of_what_was_there() -> None:
    tries, kept = [Decimal(9), Decimal(4), Decimal(9)], [Decimal(1), Decimal(1), Decimal("0.5")]
    assert standing(Policy(), tries, kept).score == 9
    # 5 in time, and half of the 4 that were added late
    assert standing(Policy(), [Decimal(5), Decimal(9)], [Decimal(1), Decimal("0.5")]).score == 7
    # 4 + 6 * 0.7 * 0.5
    halves = Policy(penalties=(Decimal(0), Decimal("0.3")))
    assert standing(halves, [Decimal(4), Decimal(10)], [Decimal(1), Decimal("0.5")]).score == Decimal("6.1")


def test_where_the_last_try_counts_its_own_lateness_does() -> None:
    last = Policy(counts=Counts.LAST)
    assert standing(last, [Decimal(9), Decimal(8)], [Decimal(1), Decimal("0.5")]).score == 4
