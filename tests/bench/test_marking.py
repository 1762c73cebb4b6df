"""The suite `marking`, in one short round."""

from __future__ import annotations

import numpy as np
import pytest

from bench.chain import chain_figures, chain_item, wrong_response
from bench.marking import entry_figures, read_matrix
from bench.timing import times_as_long
from grader.marking.judge import mark_response
from grader.marking.variants import draw_variant


def test_the_print_out_that_is_timed_is_read_as_the_matrix_it_shows():
    numbers = np.array([[0.5, -2.25], [0.125, 3.0]])

    assert read_matrix(str(numbers)) == numbers.tolist()
    assert read_matrix(str(numbers * 2**-20)) == pytest.approx(numbers * 2**-20)


def test_the_figures_of_entry_are_ratios_with_an_aim():
    figures = entry_figures(rounds=1)

    assert all(figure.value > 0 for figure in figures)
    assert [(figure.id, figure.unit, figure.aim) for figure in figures] == [
        ("entry_ratio", "×", "<= 3"),
        ("entry_scientific_ratio", "×", "<= 3"),
    ]


def test_both_sides_of_a_ratio_do_their_work_equally_often():
    done = {"work": 0, "yardstick": 0}

    def work() -> None:
        done["work"] += 1

    def yardstick() -> None:
        done["yardstick"] += 1

    assert times_as_long(work, yardstick, rounds=3) > 0
    assert done["work"] == done["yardstick"] > 0


def test_the_answer_that_is_timed_is_explained_by_nothing():
    item = chain_item()
    variant = draw_variant(item, seed=1)

    marked = mark_response(item, variant, wrong_response(item, variant))

    assert [finding.slug for finding in marked.findings] == ["unexplained_cells"]


def test_the_figures_of_the_chain_are_ratios_with_an_aim():
    figures = chain_figures(rounds=1)

    assert all(figure.value > 0 for figure in figures)
    assert [(figure.id, figure.aim) for figure in figures] == [
        ("diagnosis_ratio", "<= 150"),
        ("variant_ratio", "<= 200"),
    ]
