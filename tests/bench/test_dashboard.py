"""The suite `dashboard`: small classes, and the same figures from the rows."""

from __future__ import annotations

import pytest

from bench.by_hand import analysis
from bench.dashboard import WORDS, dashboard_times, figures

PAGE = {"seconds": 0.1, "queries": 7}


def test_growth_and_the_gain_over_python_are_told_with_their_aims():
    small = dict.fromkeys([*WORDS, "python"], PAGE)
    large = {**{page: {"seconds": 0.12, "queries": 7} for page in WORDS}, "python": {"seconds": 3.0, "queries": 1}}
    found = {each.id: each for each in figures({"1000": small, "10000": large}, (1_000, 10_000))}
    assert (found["overview_10000_ms"].value, found["overview_10000_queries"].value) == (120, 7)
    assert (found["progress_growth"].value, found["progress_growth"].is_met) == (pytest.approx(1.2), True)
    assert (found["analysis_against_python"].value, found["analysis_against_python"].aim) == (25, ">= 20")


def test_python_works_the_definitions_out_from_the_rows():
    worked = [[1, 1, 1], [1, 1, 0], [1, 0, 1], [0, 1, 0], [0, 0, 0.5], [1, 1, 0]]
    rows = [(student, item, 1, 0, 0, x, "") for student, row in enumerate(worked) for item, x in enumerate(row)]
    later = [(0, 0, 1, 0, 0, 0, "")]
    found = analysis([*rows, *later])
    assert [found[item][0] for item in range(3)] == pytest.approx([0.6667, 0.6667, 0.4167], abs=5e-5)
    assert [found[item][1] for item in range(3)] == pytest.approx([52.52, -16.12, -16.61], abs=5e-3)
    assert [found[item][2] for item in range(3)] == pytest.approx([100, -20, -20])


def test_every_page_answers_for_a_class_and_for_one_twice_as_large():
    times = dashboard_times((100, 200))
    assert set(times) == {"100", "200"}
    assert all(set(pages) == {*WORDS, "python"} for pages in times.values())
    # Whatever the size, a page asks the database a few times.
    assert all(pages[page]["queries"] <= 30 for pages in times.values() for page in WORDS)
