from __future__ import annotations

from decimal import Decimal

import pytest

from grader.marking.judge import mark_response
from grader.marking.response import ResponseError, essence
from grader.marking.variants import draw_variant, givens_of, present
from grader.marking.verdict import Verdict
from tests.grader import kind_samples, samples

ITEM = samples.item(kind_samples.PREDICT)
VARIANT = draw_variant(ITEM, 11)


def numbers(change: float = 0) -> dict:
    derivation = ITEM.numeric.derivation
    logits = derivation.asks[0].pick(derivation.evaluate(givens_of(VARIANT))["logits"])
    return {"logits": [[f"{value + change:.2f}" for value in row] for row in logits]}


def marked(guess: str, change: float = 0):
    return mark_response(ITEM, VARIANT, {"guess": guess, "fields": numbers(change)})


def test_a_guess_earns_nothing_and_costs_nothing():
    assert [(marked(guess).verdict, marked(guess).score) for guess in ("equal", "unequal")] == [
        (Verdict.CORRECT, Decimal(2)),
        (Verdict.CORRECT, Decimal(2)),
    ]


def test_once_the_numbers_are_right_the_guess_is_held_against_them():
    right, wrong = marked("unequal").findings, marked("equal").findings
    assert [(found.slug, found.text.en) for found in right] == [("guess_right", "Each has its own projection.")]
    assert [(found.slug, found.title.en) for found in wrong] == [("guess_wrong", "Not as you guessed")]


def test_until_then_nothing_tells_whether_the_guess_was_right():
    one, other = marked("equal", change=50), marked("unequal", change=50)
    assert one.to_json() == other.to_json()
    assert one.findings[0].slug == "guess_kept"


@pytest.mark.parametrize("guess", [None, "", "perhaps", 3, ["equal"], {}])
def test_without_a_guess_there_is_nothing_to_see(guess):
    with pytest.raises(ResponseError):
        mark_response(ITEM, VARIANT, {"guess": guess, "fields": numbers()})


@pytest.mark.parametrize("fields", [None, {}, {"logits": [["1"]]}, {"logits": "x"}])
def test_numbers_are_refused_as_everywhere(fields):
    with pytest.raises(ResponseError):
        mark_response(ITEM, VARIANT, {"guess": "equal", "fields": fields})


def test_another_guess_makes_no_other_answer():
    assert essence(ITEM, {"guess": "equal", "fields": numbers()}) == essence(
        ITEM, {"guess": "unequal", "fields": numbers()}
    )
    assert essence(ITEM, {"guess": "equal", "fields": numbers()}) != essence(
        ITEM, {"guess": "equal", "fields": numbers(1)}
    )


def test_a_variant_has_the_numbers_and_the_order_of_the_guesses():
    assert {tuple(draw_variant(ITEM, seed)["order"]) for seed in range(20)} == {
        ("equal", "unequal"),
        ("unequal", "equal"),
    }
    shown = present(ITEM, VARIANT)
    assert [option.key for option in shown.options] == VARIANT["order"]
    assert ([given.name for given in shown.givens], [field.name for field in shown.fields]) == (
        ["X", "W_Q", "W_K"],
        ["logits"],
    )
