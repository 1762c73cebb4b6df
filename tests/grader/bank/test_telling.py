"""Items that are told in rows or in columns: one computation, one set of numbers, two ways to lay them out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from grader.bank import item_conventions, parse_item, replay, variant_convention, variant_in
from grader.bank.errors import DefinitionError
from grader.marking.items import Convention, LabItem, NumericItem, PredictItem, ShapeItem
from grader.marking.solution import solution
from grader.marking.variants import draw_variant, present
from grader.marking.verdict import Verdict
from tests.grader import code_samples, samples
from tests.grader.kind_samples import LAB, PREDICT, SHAPE

ROW, COLUMN = Convention
BOTH = {
    "zh-hans": "{row: 行 | column: 列}约定，$W_Q$。",
    "en": "In a {row: row | column: column}, $W_Q$.",
}


def both_ways(toml: str) -> dict[str, Any]:
    return {**samples.definition(toml), "prompt": BOTH}


def test_an_item_reads_both_ways_once_its_texts_do() -> None:
    assert item_conventions(samples.definition(samples.QKV)) == (ROW,)
    assert item_conventions(both_ways(samples.QKV)) == (ROW, COLUMN)
    assert item_conventions(both_ways(samples.COLUMNS)) == (COLUMN, ROW)


def test_words_of_shared_misconceptions_do_not_make_an_item_read_both_ways() -> None:
    definition = samples.definition(samples.QKV)
    definition["misconceptions"] = {"w_transposed": {"title": BOTH, "explanation": BOTH, "hint": BOTH}}

    assert item_conventions(definition) == (ROW,)


def test_the_other_convention_has_the_other_words_and_the_twin_of_the_computation() -> None:
    told = parse_item(both_ways(samples.QKV), COLUMN)

    assert isinstance(told, NumericItem)
    assert (told.prompt.en, told.prompt.zh_hans) == ("In a column, $W_q$.", "列约定，$W_q$。")
    assert (told.convention, [given.name for given in told.derivation.givens]) == (COLUMN, ["x", "W_q", "W_k", "W_v"])


def test_without_a_choice_an_item_is_told_at_home() -> None:
    assert parse_item(both_ways(samples.COLUMNS)) == parse_item(both_ways(samples.COLUMNS), COLUMN)


def test_the_numbers_are_the_same_laid_out_the_other_way() -> None:
    home, told = (parse_item(both_ways(samples.QKV), convention) for convention in Convention)
    assert isinstance(home, NumericItem)
    variant = draw_variant(home, 3)

    turned = variant_in(home, variant, COLUMN)

    assert (turned["seed"], variant_convention(turned), variant_convention(variant)) == (variant["seed"], COLUMN, None)
    assert turned["values"]["W_q"] == np.array(variant["values"]["W_Q"]).T.tolist()
    assert present(told, turned).fields[0].rows == present(home, variant).fields[0].columns
    assert solution(told, turned) != solution(home, variant)


def test_a_right_answer_is_right_in_both_and_replayed_in_its_own() -> None:
    definition = both_ways(samples.QKV)
    home = parse_item(definition)
    assert isinstance(home, NumericItem)
    variant = draw_variant(home, 5)
    values = home.derivation.evaluate({name: np.array(value) for name, value in variant["values"].items()})
    for convention in Convention:
        cells = {
            name: [[f"{number:g}" for number in values[name]]]
            if convention is ROW
            else [[f"{number:g}"] for number in values[name]]
            for name in ("q", "k", "v")
        }
        mark = replay(definition, variant_in(home, variant, convention), {"fields": cells})
        assert mark.verdict is Verdict.CORRECT


def test_predictions_and_shapes_follow_too() -> None:
    predicted = parse_item(both_ways(PREDICT), COLUMN)
    shaped = parse_item(both_ways(SHAPE), ROW)

    assert isinstance(predicted, PredictItem)
    assert isinstance(shaped, ShapeItem)
    assert (predicted.numeric.convention, shaped.convention) == (COLUMN, ROW)
    assert "W_Q" in shaped.asks


def test_a_prediction_notes_its_convention_beside_its_order() -> None:
    home = parse_item(both_ways(PREDICT))
    variant = draw_variant(home, 1)

    assert variant_in(home, variant, COLUMN)["order"] == variant["order"]
    assert variant_in(home, variant, ROW)["values"] == variant["values"]


def test_a_lab_is_told_in_both_conventions_and_keeps_its_arrays_in_rows() -> None:
    home, turned = parse_item(both_ways(LAB)), parse_item(both_ways(LAB), COLUMN)

    assert isinstance(home, LabItem)
    assert isinstance(turned, LabItem)
    assert turned.lab == home.lab
    assert variant_convention(variant_in(home, draw_variant(home, 1), COLUMN)) is COLUMN


def test_a_program_is_told_in_one_convention() -> None:
    with pytest.raises(DefinitionError, match="told in one convention alone"):
        item_conventions(both_ways(code_samples.PROJECT))


def test_what_has_no_twin_is_refused_with_its_key() -> None:
    definition = both_ways(samples.QKV)
    definition["given"]["K"] = {"shape": ["S", "d_k"], "draw": [-2, -1, 1, 2, 3]}
    definition["sizes"]["S"] = 3
    definition["steps"]["logits"] = "dot_logits(q, K)"

    with pytest.raises(DefinitionError, match="cannot be told in the other convention") as refused:
        parse_item(definition, COLUMN)
    assert refused.value.key == ("steps",)


def test_a_word_that_names_no_convention_is_refused() -> None:
    with pytest.raises(DefinitionError, match="neither row nor column"):
        item_conventions({**both_ways(samples.QKV), "convention": "diagonal"})
