"""The suite `dashboard`: small classes, and the same figures from the rows."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import astuple, is_dataclass

import pytest

from bench.class_data import analysis_of
from bench.dashboard import WORDS, dashboard_times, figures
from exercises.models import HintTaken, MisconceptionSighting
from exercises.queries.item_analysis import course_analysis
from grader.marking.item_analysis import item_figures, total_figures
from tests.exercises.figures import bare_course, enroll, send

PAGE = {"seconds": 0.1, "queries": 7}


def test_growth_and_the_gain_over_python_are_told_with_their_aims():
    small = dict.fromkeys([*WORDS, "python"], PAGE)
    large = {**{page: {"seconds": 0.12, "queries": 7} for page in WORDS}, "python": {"seconds": 3.0, "queries": 1}}
    found = {each.id: each for each in figures({"1000": small, "10000": large}, (1_000, 10_000))}
    assert (found["overview_10000_ms"].value, found["overview_10000_queries"].value) == (120, 7)
    assert (found["progress_growth"].value, found["progress_growth"].is_met) == (pytest.approx(1.2), True)
    assert (found["analysis_against_python"].value, found["analysis_against_python"].aim) == (25, ">= 20")


def approx(numbers):
    """A dataclass or a list of numbers, apart from rounding."""
    plain = astuple(numbers) if is_dataclass(numbers) else numbers
    return pytest.approx(plain, rel=1e-9, abs=1e-9)


def sit(course, items, stream):
    """A dozen students: tries with and without a mark, with other numbers, at odd times; hints, and mistakes with names."""
    for number in range(12):
        student = enroll(course, f"learner-{number}")
        for item in (each for each in items for _ in range(stream.randint(0, 3))):
            score = stream.choice([0, 0, 0.5, 1, 1, None])
            sent = send(student, item, score, seed=stream.randint(1, 3), minutes=stream.uniform(0, 300))
            if score == 0 and stream.random() < 0.6:
                slug = stream.choice(["wrong_matrix", "scale_missing"])
                MisconceptionSighting.objects.create(submission=sent, slug=slug, title={"zh-hans": slug, "en": slug})
            if stream.random() < 0.3:
                HintTaken.objects.get_or_create(attempt=sent.attempt, rung=stream.randint(1, 2))


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(3))
def test_python_says_the_same_of_a_class_as_the_database(seed):
    course, items = bare_course("figures", 5)
    sit(course, items, random.Random(seed))
    by_hand, totals = analysis_of(course)
    said = course_analysis(course)
    told = [by_hand[item.pk] for item in items]
    sums = [each.sums for each in told]
    assert astuple(total_figures(sums, totals)) == approx(said.total)
    for by_python, each, one in zip(item_figures(sums, totals), said.items, told, strict=True):
        assert astuple(by_python) == approx(each.figures)
        assert (one.wrong, one.timed, one.rungs) == (each.wrong, each.timed, each.rungs)
        assert one.wrong_by == Counter({**{slip.slug: slip.count for slip in each.shown}, "": each.unexplained})
        assert one.median_seconds == pytest.approx(each.median_seconds, abs=0.01)
        shown = [(seed, n, mean / one.sums.max_score) for seed, n, mean in one.variants]
        assert shown == [approx((variant.seed, variant.n, variant.facility)) for variant in each.variants]


def test_every_page_answers_for_a_class_and_for_one_twice_as_large():
    times = dashboard_times((100, 200))
    assert set(times) == {"100", "200"}
    assert all(set(pages) == {*WORDS, "python"} for pages in times.values())
    # Whatever the size, a page asks the database a few times.
    assert all(pages[page]["queries"] <= 30 for pages in times.values() for page in WORDS)
