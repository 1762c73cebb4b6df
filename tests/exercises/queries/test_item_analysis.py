from __future__ import annotations

import numpy as np
import pytest

from exercises.enums import Role
from exercises.models import MisconceptionSighting
from exercises.queries.item_analysis import course_analysis
from exercises.queries.item_tries import WhichTry
from grader.marking.item_analysis import Flag
from tests.exercises.figures import bare_course, class_of, enroll, give, send

pytestmark = pytest.mark.django_db

WORKED = [[1, 1, 1], [1, 1, 0], [1, 0, 1], [0, 1, 0], [0, 0, 0.5], [1, 1, 0]]


def moodle(table: np.ndarray, most: float) -> dict[str, list[float]]:
    """The definitions once more, in NumPy and straight from the table; NaN is no mark."""
    answered = ~np.isnan(table)
    X = np.nansum(table, axis=1)
    some = answered.any(axis=1)
    zeros = np.nan_to_num(table[some])
    found: dict[str, list[float]] = {"facility": [], "discrimination": [], "efficiency": []}
    for column, has in zip(table.T, answered.T, strict=True):
        x, y = column[has], X[has] - column[has]
        best = np.cov(np.sort(x), np.sort(y))[0, 1]
        found["facility"].append(x.mean() / most)
        found["discrimination"].append(100 * np.corrcoef(x, y)[0, 1])
        found["efficiency"].append(100 * np.cov(x, y)[0, 1] / best)
    weights = np.array([np.cov(column, X[some])[0, 1] for column in zeros.T])
    roots = np.sqrt(np.where(weights >= 0, weights, np.nan))
    found["effective_weight"] = list(100 * roots / np.nansum(roots))
    items = table.shape[1]
    alpha = 100 * items / (items - 1) * (1 - zeros.var(axis=0, ddof=1).sum() / X[some].var(ddof=1))
    return found | {"consistency": [alpha], "deviation": [X[some].std(ddof=1)]}


def test_the_worked_check_of_the_definitions(db):
    analysis = course_analysis(class_of("worked", WORKED))
    figures = [each.figures for each in analysis.items]
    assert [each.n for each in figures] == [6, 6, 6]
    assert [each.facility for each in figures] == pytest.approx([0.6667, 0.6667, 0.4167], abs=5e-5)
    assert [each.discrimination for each in figures] == pytest.approx([52.52, -16.12, -16.61], abs=5e-3)
    assert [each.efficiency for each in figures] == pytest.approx([100, -20, -20])
    assert [each.effective_weight for each in figures] == pytest.approx([42.22, 29.85, 27.93], abs=5e-3)
    assert analysis.total.consistency == pytest.approx(0, abs=1e-9)
    assert analysis.total.standard_error == pytest.approx(0.8803, abs=5e-5)
    # Six are too few for any of it to be believed.
    assert all(each.is_too_few for each in figures)
    assert not any(each.flags for each in analysis.items)


@pytest.mark.parametrize("seed", range(4))
def test_the_database_agrees_with_numpy_on_random_marks(seed):
    stream = np.random.default_rng(seed)
    able = stream.normal(size=(40, 1))
    table = np.clip(np.round(2 + able + stream.normal(size=(40, 5)), 1), 0, 4)
    table[stream.random(table.shape) < 0.2] = np.nan
    course = class_of(f"random-{seed}", [[None if np.isnan(x) else x for x in row] for row in table], max_score="4")
    analysis, expected = course_analysis(course), moodle(table, 4)
    figures = [each.figures for each in analysis.items]
    for name in ("facility", "discrimination", "efficiency"):
        assert [getattr(each, name) for each in figures] == pytest.approx(expected[name], rel=1e-9)
    weights = [np.nan if each.effective_weight is None else each.effective_weight for each in figures]
    assert weights == pytest.approx(expected["effective_weight"], rel=1e-9, nan_ok=True)
    assert analysis.total.consistency == pytest.approx(expected["consistency"][0], rel=1e-9)
    assert analysis.total.deviation == pytest.approx(expected["deviation"][0], rel=1e-9)


def test_only_students_and_only_counted_tries_are_in_any_figure(db):
    course, [item] = bare_course("people", 1)
    for name, role in (("ada", Role.STUDENT), ("ines", Role.INSTRUCTOR), ("guest", Role.GUEST), ("gone", Role.FORMER)):
        send(enroll(course, name, role), item, 1.0)
    send(enroll(course, "ben"), item, 0.0, counted=False)
    [found] = course_analysis(course).items
    assert (found.figures.n, found.figures.facility, found.timed) == (1, 1.0, 1)


def test_the_first_try_counts_unless_another_is_asked_for(db):
    course, [item] = bare_course("tries", 1)
    ada = enroll(course, "ada")
    for minutes, score in ((1, 0.0), (2, 1.0), (3, 0.5)):
        send(ada, item, score, minutes=minutes)
    facility = {which: course_analysis(course, which).items[0].figures.facility for which in WhichTry}
    assert facility == {WhichTry.FIRST: 0.0, WhichTry.BEST: 1.0, WhichTry.LAST: 0.5}


def test_a_first_try_that_waits_for_its_mark_is_in_no_figure(db):
    course, [item] = bare_course("waiting", 1)
    ada = enroll(course, "ada")
    send(ada, item, None, minutes=1)
    send(ada, item, 1.0, minutes=2)
    assert course_analysis(course).items[0].figures.n == 0
    assert course_analysis(course, WhichTry.LAST).items[0].figures.n == 1


def test_the_mark_that_stands_is_the_one_that_counts(db):
    course, [item] = bare_course("standing", 1)
    submission = send(enroll(course, "ada"), item, 0.0)
    submission.marks.all().delete()
    submission.standing_mark = give(submission, 1.0)
    submission.save()
    assert course_analysis(course).items[0].figures.facility == 1.0


def test_wrong_answers_are_told_by_the_misconceptions_they_show(db):
    course, [item] = bare_course("wrong", 1)
    for number in range(12):
        submission = send(enroll(course, f"learner-{number}"), item, 0.0 if number else 1.0)
        if 1 <= number <= 4:
            MisconceptionSighting.objects.create(
                submission=submission, slug="w_transposed", title={"zh-hans": "反", "en": "T"}
            )
    [found] = course_analysis(course).items
    assert [(each.slug, each.title.en, each.count) for each in found.shown] == [("w_transposed", "T", 4)]
    assert (found.wrong, found.unexplained) == (11, 7)
    assert found.flags == (Flag.HARD, Flag.UNEXPLAINED)


def test_variants_are_told_apart_and_an_uneven_one_is_flagged(db):
    course, [item] = bare_course("variants", 1)
    for number in range(30):
        send(enroll(course, f"learner-{number}"), item, float(number % 3 != 0), seed=1 + number % 3)
    [found] = course_analysis(course).items
    assert [(each.seed, each.n, each.facility) for each in found.variants] == [(1, 10, 0.0), (2, 10, 1.0), (3, 10, 1.0)]
    assert found.variants_known == 3
    assert found.flags == (Flag.UNEXPLAINED, Flag.UNEVEN)


def test_the_time_on_an_item_is_the_middle_of_the_class_without_long_pauses(db):
    course, items = bare_course("times", 2)
    for number, minutes in enumerate((2, 4, 12)):
        student = enroll(course, f"learner-{number}")
        send(student, items[0], 1.0, minutes=minutes)
        send(student, items[1], 0.0, minutes=minutes + 1)
        send(student, items[1], 1.0, minutes=minutes + 3)
        send(student, items[1], 1.0, minutes=minutes + 600)
    first, second = course_analysis(course).items
    assert (first.median_seconds, first.timed) == (pytest.approx(240, abs=0.01), 3)
    assert (second.median_seconds, second.timed) == (pytest.approx(180, abs=0.01), 3)


def test_hints_are_counted_by_the_students_who_took_them(db):
    course, [item] = bare_course("hints", 1)
    for number in range(3):
        attempt = send(enroll(course, f"learner-{number}"), item, 1.0).attempt
        for rung in range(1, number + 1):
            attempt.hints.create(rung=rung)
    [found] = course_analysis(course).items
    assert (found.hinted, found.rungs) == (2, (2, 1))


def test_an_empty_course_has_no_figures_and_the_queries_do_not_grow(django_assert_num_queries):
    empty = class_of("empty", [[None, None]])
    assert course_analysis(empty).total.mean is None
    full = class_of("full", WORKED)
    for course in (empty, full):
        with django_assert_num_queries(4):
            course_analysis(course)
