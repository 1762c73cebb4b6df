"""The worked solution of every kind of item."""

from __future__ import annotations

import pytest

from grader.marking.solution import has_solution, model_fields, solution
from grader.marking.text import Text
from grader.marking.variants import draw_variant
from tests.grader import kind_samples, samples

WRITTEN = 'solution = { zh-hans = "解", en = "the way" }\n'


def shown(toml: str) -> list[str]:
    item = samples.item(toml)
    return [part.en for part in solution(item, draw_variant(item, 4))]


def test_numbers_show_each_step_and_a_cell_of_it():
    lines = shown(samples.QKV)
    assert len(lines) == 6
    assert lines[0].startswith("$$\nq = x W_{Q} = ")
    assert lines[1].startswith("$$\nq_{1} = ")


def test_a_prediction_says_why_and_then_shows_the_numbers():
    item = samples.item(kind_samples.PREDICT)
    variant = draw_variant(item, 4)
    first, *numbers = solution(item, variant)
    assert first in [option.feedback for option in item.guesses if option.is_right]
    assert tuple(numbers) == solution(item.numeric, variant)


def test_a_choice_says_what_is_right_and_why():
    assert shown(samples.CHOICE)
    item = samples.item(samples.CHOICE)
    right = [option for option in item.options if option.is_right]
    assert shown(samples.CHOICE) == [f"**{option.text.en}**\n\n{option.feedback.en}" for option in right]


def test_pairs_an_order_and_shapes_are_shown_whole():
    assert shown(kind_samples.MATCH)[:2] == ["$W_Q$ → **parameter**", "$Q$ → **activation**"]
    assert shown(kind_samples.ORDER)[0] == "```python\nQ = X @ W_Q\n```"
    assert [line.count("\\;") > 0 for line in shown(kind_samples.SHAPE)] == [True] * 4


def test_a_program_is_shown_as_its_formulas_unless_the_author_says_more():
    assert shown(samples.CODE) == ["$$\nq = x W + b\n$$"]
    assert shown(samples.CODE.replace("sizes =", WRITTEN + "sizes =", 1)) == ["the way"]


def test_the_authors_words_come_before_what_follows_from_the_definition():
    item = samples.item(samples.QKV.replace("sizes =", WRITTEN + "sizes =", 1))
    first, *rest = solution(item, draw_variant(item, 4))
    assert first == Text("解", "the way")
    assert len(rest) == 6


def test_a_text_has_no_solution_but_its_rubric():
    assert shown(samples.FREE_TEXT) == []


def test_the_fields_of_a_model_answer_hold_what_a_learner_would_write():
    variant = {
        "seed": 1,
        "values": {"x": [1, 2], "W_Q": [[1, 0], [2, 1]], "W_K": [[1, 1], [1, 1]], "W_V": [[0, 0]] * 2},
    }
    cells = {"q": (("5", "2"),), "k": (("3", "3"),), "v": (("0", "0"),)}

    assert model_fields(samples.item(samples.QKV), variant) == cells
    assert model_fields(samples.item(samples.CHOICE), {"seed": 1, "values": {}}) == {}
    predict = samples.item(kind_samples.PREDICT)
    assert model_fields(predict, draw_variant(predict, 4))


@pytest.mark.parametrize(
    "toml",
    [
        samples.QKV,
        samples.CHOICE,
        samples.CODE,
        samples.FREE_TEXT,
        samples.FREE_TEXT + WRITTEN,
        *(getattr(kind_samples, kind) for kind in ("SHAPE", "MATCH", "ORDER", "PREDICT", "LAB")),
    ],
)
def test_it_is_known_beforehand_whether_there_is_a_solution(toml: str):
    item = samples.item(toml if WRITTEN not in toml else samples.FREE_TEXT.replace("max_score", WRITTEN + "max_score"))
    assert has_solution(item) == (solution(item, draw_variant(item, 4)) != ())
