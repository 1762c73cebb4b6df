"""Numbers worked out by hand: what is right, what follows, what is named, and what is not counted."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from grader.bank import parse_item
from grader.derivation.slips import outcome
from grader.derivation.variants import separable_variant, slip_classes
from grader.marking.closeness import is_close
from grader.marking.entry import on_page
from grader.marking.judge import mark_response
from grader.marking.mark import CellState, FieldState, Mark
from grader.marking.response import ResponseError
from grader.marking.verdict import Verdict
from tests.grader import samples

X, W_Q, W_K, W_V = [1, 2], [[0.5, -1], [0.25, 0]], [[1, 0], [2, 1]], [[0, 3], [1, 1]]
QKV = {"seed": 1, "values": {"x": X, "W_Q": W_Q, "W_K": W_K, "W_V": W_V}}
# By hand: q = (0.5 + 0.5, -1 + 0), k = (1 + 4, 0 + 2), v = (0 + 2, 3 + 2).
RIGHT = {"q": [["1", "-1"]], "k": [["5", "2"]], "v": [["2", "5"]]}

WEIGHTS = {"seed": 1, "values": {"Q": [[1, 0], [1, 1], [0, 1]], "K": [[0, 0.5], [1, 0], [0.5, 1]]}}
# By hand: row 2 of the scores is 0.5, 1, 1.5; e^0, e^0.5, e^1 over their sum 5.36700 are the weights.
SHARES = [["0.186", "0.307", "0.506"]]

COLUMNS = {"seed": 1, "values": {"W_q": [[1, 0], [1, 1]], "X": [[1, 2], [3, 4]], "b_q": [10, 20]}}


def mark(toml: str, variant: dict, fields: dict) -> Mark:
    return mark_response(samples.item(toml), variant, {"fields": fields})


def refusal(toml: str, variant: dict, fields: object) -> ResponseError:
    with pytest.raises(ResponseError) as refused:
        mark_response(samples.item(toml), variant, {"fields": fields})
    return refused.value


def slugs(marked: Mark) -> list[tuple[str, str]]:
    return [(finding.slug, finding.field) for finding in marked.findings]


def test_the_right_answer_gets_full_marks_and_no_remark():
    marked = mark(samples.QKV, QKV, RIGHT)

    assert (marked.verdict, marked.score, marked.findings) == (Verdict.CORRECT, Decimal(3), ())
    assert {field.state for field in marked.fields} == {FieldState.RIGHT}


@pytest.mark.parametrize("zero", ["0", "-0", "0.000", ".0", "1e-17", "-0.0"])
def test_zero_is_matched_however_it_is_written(zero):
    variant = {"seed": 1, "values": {**QKV["values"], "x": [2, -1], "W_Q": [[1, 1], [2, -1]]}}

    assert mark(samples.QKV, variant, {"q": [[zero, "3"]]}).fields[0].state is FieldState.RIGHT
    assert mark(samples.QKV, variant, {"q": [["0.1", "3"]]}).fields[0].cells == ((CellState.WRONG, CellState.RIGHT),)


def test_the_wrong_matrix_is_named_with_both_formulas():
    marked = mark(samples.QKV, QKV, {**RIGHT, "q": RIGHT["k"]})

    assert (marked.verdict, marked.score) == (Verdict.PARTIALLY_CORRECT, Decimal(2))
    assert slugs(marked) == [("wrong_matrix", "q")]
    assert marked.findings[0].text.en == "got $x W_{K}$, asked $x W_{Q}$"
    assert marked.misconceptions == ("wrong_matrix",)


def test_the_column_reading_of_a_row_item_is_named():
    # W_Q x, as the column convention would read it: (0.5 - 2, 0.25 + 0).
    assert slugs(mark(samples.QKV, QKV, {**RIGHT, "q": [["-1.5", "0.25"]]})) == [("w_transposed", "q")]


@pytest.mark.parametrize("toml", [samples.QKV, samples.WEIGHTS, samples.COLUMNS, samples.CHAIN])
@pytest.mark.parametrize("seed", range(0, 1_000, 200))
def test_every_slip_is_named_by_the_numbers_that_it_gives(toml, seed):
    item = samples.item(toml)
    derivation = item.derivation
    variant = separable_variant(derivation, seed)
    for slip in slip_classes(derivation):
        values = outcome(derivation, slip, variant.givens)
        if values is None:  # a sum of 0, say, that these numbers would divide by
            continue
        fields = {ask.name: on_page(ask.pick(values[ask.name]), item.convention).tolist() for ask in derivation.asks}

        marked = mark_response(item, {"seed": seed, "values": variant.givens}, {"fields": fields})

        assert slip.slug in marked.misconceptions[:1], (slip.slug, slip.swap)


def test_a_mistake_that_an_old_version_has_no_words_for_is_not_named():
    stored = samples.definition(samples.QKV)
    del stored["misconceptions"]["wrong_matrix"]
    fields = {**RIGHT, "q": RIGHT["k"]}

    assert slugs(mark(samples.QKV, QKV, fields)) == [("wrong_matrix", "q")]
    assert slugs(mark_response(parse_item(stored), QKV, {"fields": fields})) == [("unexplained_cells", "q")]


def test_two_mistakes_at_once_are_both_named():
    # W_K x, the wrong matrix from the wrong side: (1 + 0, 2 + 2).
    marked = mark(samples.QKV, QKV, {**RIGHT, "q": [["1", "4"]]})

    assert slugs(marked) == [("wrong_matrix", "q"), ("w_transposed", "q")]
    assert [found.text.en for found in marked.findings] == [
        "got $x W_{K}$, asked $x W_{Q}$",
        r"got $x W_{K}^{\top}$, asked $x W_{Q}$",
    ]


def test_two_mistakes_at_two_steps_are_both_named():
    variant = {"seed": 0, "values": separable_variant(samples.item(samples.CHAIN).derivation, 0).givens}
    givens = {name: np.array(value) for name, value in variant["values"].items()}
    logits = samples.item(samples.CHAIN).derivation.evaluate(givens)["logits"]
    weights = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)  # neither scaled nor masked

    marked = mark(samples.CHAIN, variant, {"logits": logits.tolist(), "attn_weights": weights.tolist()})

    assert slugs(marked) == [("scale_missing", "attn_weights"), ("mask_forgotten", "attn_weights")]


def test_parallel_steps_never_blame_each_other():
    marked = mark(samples.QKV, QKV, {"q": [["9", "9"]], "k": RIGHT["k"], "v": RIGHT["v"]})

    assert [field.state for field in marked.fields] == [FieldState.WRONG, FieldState.RIGHT, FieldState.RIGHT]


@pytest.mark.parametrize(
    ("slug", "cells"),
    [
        ("bias_dropped", [["1", "2"], ["4", "6"]]),
        ("bias_twice", [["21", "22"], ["44", "46"]]),
        ("bias_wrong_axis", [["11", "22"], ["14", "26"]]),
        ("w_transposed", [["14", "16"], ["23", "24"]]),
        ("bias_before_product", [["11", "12"], ["34", "36"]]),
    ],
)
def test_each_way_to_lose_a_bias_has_its_name(slug, cells):
    assert slugs(mark(samples.COLUMNS, COLUMNS, {"Q": cells})) == [(slug, "Q")]


def test_a_single_matrix_is_scored_by_its_cells():
    marked = mark(samples.COLUMNS, COLUMNS, {"Q": [["11", "12"], ["24", "0"]]})

    assert (marked.verdict, marked.score) == (Verdict.PARTIALLY_CORRECT, Decimal(3))
    assert marked.fields[0].cells == ((CellState.RIGHT, CellState.RIGHT), (CellState.RIGHT, CellState.WRONG))
    assert slugs(marked) == [("unexplained_cells", "Q")]


@pytest.mark.parametrize(
    ("slug", "cells"),
    [
        ("softmax_no_normaliser", [["1.649", "2.718", "4.482"]]),
        ("softmax_linear_share", [["0.167", "0.333", "0.5"]]),
        ("softmax_argmax", [["0", "0", "1"]]),
        ("stopped_early", [["0.5", "1", "1.5"]]),
    ],
)
def test_each_thing_that_softmax_is_mistaken_for_has_its_name(slug, cells):
    marked = mark(samples.WEIGHTS, WEIGHTS, {"logits": [["0.5", "1", "1.5"]], "attn_weights": cells})

    assert slugs(marked) == [(slug, "attn_weights")]
    assert marked.score == Decimal(1)


def test_a_wrong_step_costs_one_step():
    # Scores of row 2 taken with the columns of Q and K exchanged: K Qᵀ has 1, 1, 0 there, whose softmax follows.
    marked = mark(
        samples.WEIGHTS, WEIGHTS, {"logits": [["1", "1", "0"]], "attn_weights": [["0.422", "0.422", "0.155"]]}
    )

    assert [field.state for field in marked.fields] == [FieldState.WRONG, FieldState.FOLLOWS]
    assert slugs(marked) == [("logits_transposed", "logits"), ("follows", "attn_weights")]
    assert (marked.verdict, marked.score) == (Verdict.PARTIALLY_CORRECT, Decimal(1))


def test_a_slip_after_a_wrong_step_is_still_named():
    fields = {"logits": [["2", "1", "0"]], "attn_weights": [["0.667", "0.333", "0"]]}

    assert slugs(mark(samples.WEIGHTS, WEIGHTS, fields)) == [
        ("unexplained_cells", "logits"),
        ("softmax_linear_share", "attn_weights"),
    ]


def test_a_step_that_is_right_is_never_blamed_for_a_later_one():
    # Weights right, then the logits mixed instead: as numbers, the same as if softmax had been left out.
    variant = {"seed": 0, "values": separable_variant(samples.item(samples.CHAIN).derivation, 0).givens}
    derivation = samples.item(samples.CHAIN).derivation
    values = derivation.evaluate({name: np.array(value) for name, value in variant["values"].items()})
    right = {name: values[name].tolist() for name in ("logits", "scaled", "attn_weights")}

    marked = mark(samples.CHAIN, variant, {**right, "context": (values["scaled"] @ values["V"]).tolist()})

    assert slugs(marked) == [("wrong_vector", "context")]
    assert marked.findings[0].text.en == r"got $\tilde{s} V$, asked $a V$"


@pytest.mark.parametrize(
    "cells",
    [
        SHARES,
        [["0.1863", "0.3072", "0.5065"]],
        [["0.18632", "0.30720", "0.50648"]],
        [["1/5.36700", "1.64872/5.36700", "2.71828/5.36700"]],
        [["1.86e-1", "3.07e-1", "5.06e-1"]],
    ],
)
def test_more_digits_than_asked_are_never_worse(cells):
    marked = mark(samples.WEIGHTS, WEIGHTS, {"logits": [["0.5", "1", "1.5"]], "attn_weights": cells})

    assert marked.verdict is Verdict.CORRECT


def test_digits_cut_off_are_told_from_digits_rounded():
    variant = {"seed": 1, "values": {**QKV["values"], "x": [1, 0], "W_Q": [[0.268941, 0.731059], [0, 0]]}}

    cut = mark(samples.QKV, variant, {"q": [["0.26", "0.73"]]})
    assert cut.fields[0].cells == ((CellState.ROUNDED_EARLY, CellState.RIGHT),)
    assert slugs(cut) == [("rounding_cut", "q")]
    few = mark(samples.QKV, variant, {"q": [["0.3", "0.7"]]})
    assert slugs(few) == [("rounding_few", "q")]
    for right in (["0.27", "0.73"], ["0.269", "0.731"], ["0.26894", "0.73106"], ["0.270", "0.730"]):
        assert mark(samples.QKV, variant, {"q": [right]}).fields[0].state is FieldState.RIGHT


@pytest.mark.parametrize(
    ("exact", "typed", "slug"),
    [
        (2.5, "2", "unexplained_cells"),
        (2.5, "3", "unexplained_cells"),
        (0.731059, "1", "unexplained_cells"),
        (2.3, "2.29", "unexplained_cells"),
        (-2.3, "-2.29", "unexplained_cells"),
        (-2.5, "-2.6", "unexplained_cells"),
        (2.25, "2.3", "rounding_few"),
        (2.25, "2.2", "rounding_few"),
        (12.374, "12.4", "rounding_few"),
        (1.9691, "2", "rounding_few"),
        (1.999, "1.99", "rounding_cut"),
        (-0.269, "-0.26", "rounding_cut"),
        (2.0099, "2", "rounding_cut"),
    ],
)
def test_only_the_right_value_with_fewer_decimals_is_called_rounded(exact, typed, slug):
    variant = {
        "seed": 1,
        "values": {**QKV["values"], "x": [1, 0], "W_Q": [[exact, 7], [0, 0]], "W_K": [[9, 9], [9, 9]]},
    }

    marked = mark(samples.QKV, variant, {"q": [[typed, "7"]]})

    assert [found for found, _ in slugs(marked)] == [slug]
    assert (marked.fields[0].cells[0][0] is CellState.ROUNDED_EARLY) == slug.startswith("rounding")


def test_a_field_left_blank_is_no_mistake_of_the_others():
    marked = mark(samples.QKV, QKV, {"q": RIGHT["q"], "k": [["", ""]]})

    assert [field.state for field in marked.fields] == [FieldState.RIGHT, FieldState.BLANK, FieldState.BLANK]
    assert (marked.verdict, marked.score) == (Verdict.PARTIALLY_CORRECT, Decimal(1))


@pytest.mark.parametrize(
    "cells", [[["1", "-1"]], ["1", "-1"], [[1, -1.0]], "1, -1", "[1 -1]", "[[1, -1]]", "np.array([1., -1.])"]
)
def test_a_field_can_be_cells_or_text(cells):
    assert mark(samples.QKV, QKV, {"q": cells}).fields[0].state is FieldState.RIGHT


@pytest.mark.parametrize(
    "cells",
    [
        [["1"]],
        "[[1, -1], [1, -1]]",
        "5",
        [["1"], ["-1", "2"]],
        [[]],
        [["1", None]],
        [["1", True]],
        [[["1"], ["2"]]],
        7,
        {"a": 1},
        [["1", "-1"]] * 100,
        [["nan", "1"]],
        [[float("nan"), 1]],
        [["", "1"]],
        "[[1, -1]",
    ],
    ids=str,
)
def test_what_is_not_understood_is_refused_and_says_where(cells):
    problems = refusal(samples.QKV, QKV, {"q": cells}).problems

    assert {problem.field for problem in problems} == {"q"}


def test_right_numbers_in_the_other_layout_are_named_and_not_counted():
    column = refusal(samples.QKV, QKV, {"q": [["1"], ["-1"]]}).problems
    matrix = refusal(samples.COLUMNS, COLUMNS, {"Q": [["11", "24"], ["12", "26"]]}).problems

    named = samples.item(samples.QKV).misconceptions["laid_out_other_convention"].explanation
    assert [problem.text for problem in (*column, *matrix)] == [named, named]


def test_each_cell_that_is_not_understood_is_named_by_its_place():
    problems = refusal(samples.COLUMNS, COLUMNS, {"Q": [["11", "x"], ["", "26"]]}).problems

    assert [(problem.field, problem.row, problem.column) for problem in problems] == [("Q", 0, 1), ("Q", 1, 0)]


@pytest.mark.parametrize("fields", [None, [], "q", {}, {"q": [["", " "]]}, {"z": [["1"]]}])
def test_an_empty_or_misshapen_response_is_refused(fields):
    assert refusal(samples.QKV, QKV, fields).problems


def test_a_mark_survives_its_json():
    for fields in (RIGHT, {"q": RIGHT["k"]}):
        marked = mark(samples.QKV, QKV, fields)
        assert Mark.from_json(marked.to_json()) == marked


def test_no_answer_is_right_by_broadcasting_or_by_nan():
    assert not is_close(np.ones(3), np.ones((2, 3)), 0.1)
    assert not is_close(np.array([np.nan]), np.array([np.nan]), np.inf)
    assert not is_close(np.array([np.inf]), np.array([np.inf]), np.inf)


def test_the_transpose_of_a_table_is_a_mistake_and_not_another_layout():
    whole = samples.WEIGHTS.replace(", rows = [1]", "")
    # By hand: row i holds q_i · k_1, q_i · k_2, q_i · k_3; here they stand in column i.
    transposed = [["0", "0.5", "0.5"], ["1", "1", "0"], ["0.5", "1.5", "1"]]

    assert mark(whole, WEIGHTS, {"logits": transposed}).misconceptions == ("logits_transposed",)
