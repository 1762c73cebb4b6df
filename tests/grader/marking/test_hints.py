"""The ladder of hints: what the author wrote, what the derivation adds, and that nothing is said too early."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.marking.hints import MAX_RUNGS, hint, rungs, step_at_hand
from grader.marking.judge import mark_response
from grader.marking.text import Text
from grader.marking.variants import draw_variant
from tests.grader import kind_samples, samples


def written(count: int) -> str:
    hints = "".join(f'{{ zh-hans = "提示{n}", en = "hint {n}" }},' for n in range(count))
    return samples.QKV.replace("sizes =", f"hints = [{hints}]\nsizes =") if count else samples.QKV


QKV = samples.item(samples.QKV)


def numbers(text: Text) -> str:
    """What follows the words."""
    return text.en.partition("$$")[2]


@pytest.mark.parametrize(("authored", "derived"), [(0, 2), (1, 2), (2, 2), (3, 1), (4, 0)])
def test_the_derivation_fills_the_ladder_up_to_its_last_rung(authored: int, derived: int):
    item = samples.item(written(authored))
    variant = draw_variant(item, 1)
    assert rungs(item) == authored + derived <= MAX_RUNGS
    assert [hint(item, variant, n + 1, "q").en for n in range(authored)] == [f"hint {n}" for n in range(authored)]
    for rung in range(authored + 1, rungs(item) + 1):
        assert "$$" in hint(item, variant, rung, "q").en
    with pytest.raises(IndexError):
        hint(item, variant, rungs(item) + 1, "q")


@given(seed=st.integers(0, 10_000), step=st.sampled_from("qkv"))
def test_the_rung_on_other_numbers_shows_no_line_of_the_learners_own(seed: int, step: str):
    variant = draw_variant(QKV, seed)
    shown = numbers(hint(QKV, variant, 1, step))
    own = numbers(hint(QKV, variant, 2, step)).split("$$")[0].strip()
    assert own not in shown


def test_the_last_rung_works_out_the_first_cell_with_the_learners_numbers():
    variant = {
        "seed": 1,
        "values": {"x": [1, 2], "W_Q": [[1, 0], [2, 1]], "W_K": [[1, 1], [1, 1]], "W_V": [[0, 0]] * 2},
    }
    assert hint(QKV, variant, 2, "q") == Text(
        "用你的数，做到第一格：\n\n$$\nq_{1} = 1 \\cdot 1 + 2 \\cdot 2 = 5\n$$",
        "With your own numbers, as far as the first cell:\n\n$$\nq_{1} = 1 \\cdot 1 + 2 \\cdot 2 = 5\n$$",
    )


def test_a_step_that_nobody_asks_for_is_worked_out_on_the_way():
    item = samples.item(kind_samples.PREDICT)
    lines = hint(item, draw_variant(item, 3), 2, "logits").en.split("$$")[1::2]
    assert [line.strip().partition("_")[0] for line in lines] == ["Q", "K", "s"]


def test_the_step_at_hand_is_the_first_that_is_not_right():
    variant = {
        "seed": 1,
        "values": {"x": [1, 2], "W_Q": [[1, 0], [2, 1]], "W_K": [[1, 1], [1, 1]], "W_V": [[0, 0]] * 2},
    }
    right = {"q": [["5", "2"]], "k": [["3", "3"]], "v": [["0", "0"]]}
    assert step_at_hand(QKV, None) == "q"
    for wrong in "qkv":
        marking = mark_response(QKV, variant, {"fields": {**right, wrong: [["7", "9"]]}})
        assert step_at_hand(QKV, marking) == wrong
    assert step_at_hand(QKV, mark_response(QKV, variant, {"fields": right})) == "q"


@pytest.mark.parametrize("toml", [samples.CHOICE, samples.FREE_TEXT, samples.CODE, kind_samples.SHAPE])
def test_other_kinds_have_the_authors_hints_alone(toml: str):
    item = samples.item(toml)
    assert (rungs(item), step_at_hand(item, None)) == (0, "")
    with pytest.raises(IndexError):
        hint(item, draw_variant(item, 1), 1, "")
