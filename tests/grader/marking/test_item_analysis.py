from __future__ import annotations

import numpy as np
import pytest

from grader.marking.item_analysis import (
    Flag,
    ItemFigures,
    ItemSums,
    TotalSums,
    flags,
    item_figures,
    total_figures,
)


def sums_of(totals):
    dev = np.array(totals, dtype=float) - np.mean(totals)
    return TotalSums(len(totals), float(np.mean(totals)), *(float((dev**power).sum()) for power in (2, 3, 4)))


def figures(n=20, facility=0.5, discrimination=40.0, efficiency=60.0):
    return ItemFigures(n, facility, discrimination, efficiency, 10.0)


def test_skewness_and_kurtosis_are_those_of_moodle():
    totals = [1.0, 2.0, 2.0, 3.0, 9.0]
    n, dev = 5, np.array(totals) - np.mean(totals)
    m2, m3, m4 = ((dev**power).mean() for power in (2, 3, 4))
    k2 = n * m2 / (n - 1)
    k3 = n * n * m3 / ((n - 1) * (n - 2))
    k4 = n * n * ((n + 1) * m4 - 3 * (n - 1) * m2**2) / ((n - 1) * (n - 2) * (n - 3))
    found = total_figures((), sums_of(totals))
    assert found.skewness == pytest.approx(k3 / k2**1.5)
    assert found.kurtosis == pytest.approx(k4 / k2**2)


@pytest.mark.parametrize(("totals", "known"), [([], 0), ([1.0], 1), ([1.0, 2.0], 2), ([1.0, 2.0, 4.0], 3)])
def test_a_figure_that_needs_more_learners_is_none(totals, known):
    found = total_figures((), sums_of(totals) if totals else TotalSums(0, 0, 0, 0, 0))
    assert (found.mean is not None, found.deviation is not None) == (known > 0, known > 1)
    assert (found.skewness is not None, found.kurtosis) == (known > 2, None)
    assert found.is_too_few


def test_what_has_no_spread_has_neither_discrimination_nor_weight():
    flat = ItemSums(1.0, 4, 1.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0)
    [found] = item_figures([flat], sums_of([1, 1, 1, 1]))
    assert (found.facility, found.discrimination, found.efficiency, found.effective_weight) == (1.0, None, None, None)
    totals = total_figures([flat, flat], sums_of([2, 2, 2, 2]))
    assert (totals.consistency, totals.error_ratio, totals.standard_error, totals.skewness) == (None, None, None, None)


def test_an_item_that_works_against_the_rest_has_no_weight_of_its_own():
    against = ItemSums(1.0, 4, 0.5, 1.0, 1.0, -0.9, 1.0, -0.2, 1.0)
    [found] = item_figures([against], sums_of([1, 2, 3, 4]))
    assert (found.discrimination, found.effective_weight) == (pytest.approx(-90), None)
    [nobody] = item_figures([ItemSums(1.0, 0, 0, 0, 0, 0, 0, 0, 0)], TotalSums(0, 0, 0, 0, 0))
    assert (nobody.facility, nobody.effective_weight) == (None, None)


@pytest.mark.parametrize(
    ("changed", "wrong", "unexplained", "expected"),
    [
        ({}, 4, 4, []),
        ({"facility": 0.29}, 0, 0, [Flag.HARD]),
        ({"facility": 0.96}, 0, 0, [Flag.EASY]),
        ({"discrimination": -1.0, "efficiency": -2.0}, 0, 0, [Flag.BACKWARDS]),
        ({"discrimination": 1.0, "efficiency": 14.9}, 0, 0, [Flag.WEAK]),
        ({"discrimination": None, "efficiency": None}, 0, 0, []),
        ({}, 6, 4, [Flag.UNEXPLAINED]),
        ({}, 6, 3, []),
        ({"n": 9, "facility": 0.1}, 9, 9, []),
        ({"facility": None}, 9, 9, []),
    ],
)
def test_each_flag_has_its_reason_and_few_learners_raise_none(changed, wrong, unexplained, expected):
    assert list(flags(figures(**changed), wrong=wrong, unexplained=unexplained)) == expected


def test_variants_of_unlike_difficulty_are_flagged():
    assert list(flags(figures(), wrong=0, unexplained=0, variants=[0.4, 0.71])) == [Flag.UNEVEN]
    assert list(flags(figures(), wrong=0, unexplained=0, variants=[0.4, 0.69])) == []
