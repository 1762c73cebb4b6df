"""The calls that try a function: what is fixed, what is drawn anew, and in which form arrays are handed over."""

from __future__ import annotations

import numpy as np
import pytest

from grader.marking.code_cases import CasePlan, NoTellingCaseError, arguments_of
from grader.marking.properties import CaseGroup
from tests.grader import code_samples, samples
from tests.grader.marking.running import drawn, plan

CODE, PROJECT, ATTEND, PAIR, CACHE = (
    samples.CODE,
    code_samples.PROJECT,
    code_samples.ATTEND,
    code_samples.PAIR,
    code_samples.CACHE,
)
# Width 4, that two heads share; with tiny sizes it often cannot be.
HEADS = (
    samples.HEAD
    + """
slug = "cd-heads"
kind = "code"
convention = "row"
max_score = 1
function = "heads"
parameters = ["Q", "K", "V", "n_heads"]
starter = { zh-hans = "…", en = "…" }
sizes = { S = 3, d = 4 }
case = [
  { group = "visible", seed = 1, sizes = { S = 3, d = 4 } },
  { group = "hidden", sizes = { S = 2, d = 6 } },
]
[given]
Q = { shape = ["S", "d"], draw = [-1, 0.5, 1, 2] }
K = { like = "Q" }
V = { like = "Q" }
n_heads = { shape = [], draw = [2] }
[steps]
context = "attend_by_heads(Q, K, V, n_heads)"
[ask]
context = {}
"""
)


def test_hidden_numbers_and_witnesses_are_new_for_every_seed_and_visible_ones_never():
    one, other = drawn(CODE, 5), drawn(CODE, 6)

    assert one.visible == other.visible
    assert all(
        (mine.givens["W"] != theirs.givens["W"]).any() for mine, theirs in zip(one.hidden, other.hidden, strict=True)
    )
    assert [case.givens["W"].tolist() for case in one.witnesses] != [
        case.givens["W"].tolist() for case in other.witnesses
    ]


def test_the_same_seed_draws_the_same_cases():
    again = plan(PROJECT).draw(5)

    assert all(
        (mine.givens[name] == theirs.givens[name]).all()
        for mine, theirs in zip(drawn(PROJECT, 5).in_order, again.in_order, strict=True)
        for name in mine.givens
    )


def test_hidden_cases_come_last_and_decide_with_the_visible_ones():
    groups = [case.group for case in drawn(PROJECT).in_order]

    assert groups == [CaseGroup.VISIBLE] * 1 + [CaseGroup.WITNESS] * 20 + [CaseGroup.HIDDEN] * 10
    assert [case.group for case in plan(PROJECT).draw_counted(5)] == [CaseGroup.VISIBLE] * 1 + [CaseGroup.HIDDEN] * 10


def test_witnesses_are_tiny_and_of_every_kind_that_the_plan_has():
    cases = drawn(PROJECT).witnesses

    assert max(size for case in cases for value in case.givens.values() for size in value.shape) <= 3
    assert {case.plan.form("x").dtype for case in cases} == {"float64", "float32", "int64"}
    assert {len(case.givens) for case in cases} == {2, 3}


def test_tiny_sizes_that_do_not_fit_give_way_to_the_cases_own():
    shapes = {case.givens["Q"].shape for case in drawn(HEADS).witnesses}

    assert all(width % 2 == 0 for _, width in shapes)
    assert shapes & {(3, 4), (2, 6)}


@pytest.mark.parametrize("seed", range(5))
def test_every_mistake_that_hidden_cases_can_show_does_show(seed: int):
    assert plan(ATTEND).tells(plan(ATTEND).draw(seed).hidden)


def test_a_draw_that_hides_a_mistake_is_passed_over(monkeypatch: pytest.MonkeyPatch):
    whole, first = plan(ATTEND), drawn(ATTEND, 5)
    answers = iter([False, True])
    monkeypatch.setattr(whole, "tells", lambda _: next(answers))

    passed_over = whole.draw(5).hidden

    assert (passed_over[0].givens["Q"] != first.hidden[0].givens["Q"]).any()


def test_a_plan_that_never_tells_ends_with_the_last_draw(monkeypatch: pytest.MonkeyPatch):
    whole = plan(CODE)
    monkeypatch.setattr(whole, "tells", lambda _: False)

    assert len(whole.draw(5).hidden) == 3


def test_the_first_draw_of_a_seed_can_be_tried():
    assert plan(ATTEND).tell_on(1) == plan(ATTEND).tells(plan(ATTEND).draw(1).hidden)


def test_a_row_of_a_mask_shows_something_unless_the_case_hides_all():
    cases = [case for seed in range(20) for case in drawn(ATTEND, seed).hidden if "mask" in case.givens]

    assert {case.givens["mask"].any(axis=-1).all() for case in cases if any(dict(_draws(case))["mask"])} == {True}
    assert {case.givens["mask"].any() for case in cases if not any(dict(_draws(case))["mask"])} == {False}


def _draws(case):
    return [(given.name, given.draw) for given in case.plan.derivation.givens]


def test_arguments_have_the_dtype_of_their_case_and_hold_what_was_computed_with():
    for case in drawn(PROJECT).hidden:
        for name, argument in zip(
            plan(PROJECT).item.parameters, arguments_of(plan(PROJECT).item, case.plan, case.givens), strict=True
        ):
            if argument is None:
                assert name not in case.givens
            else:
                assert str(argument.dtype) == case.plan.form(name).dtype
                assert argument.astype(float).tolist() == case.givens[name].tolist()


def test_a_pair_is_handed_over_as_a_tuple_or_as_none():
    item, cases = plan(CACHE).item, drawn(CACHE).visible
    caches = [arguments_of(item, case.plan, case.givens)[1] for case in cases]

    assert caches[0] is None
    assert isinstance(caches[1], tuple)
    assert [part.shape for part in caches[1]] == [(2, 2), (2, 4)]


def test_each_call_of_a_sequence_is_handed_what_the_right_one_before_left_and_others_in_between_change_nothing():
    for seed in range(3):
        a1, b1, a2, b2 = (case for case in drawn(CACHE, seed).hidden if case.plan.turn)

        for before, after in ((a1, a2), (b1, b2)):
            assert (after.givens["K_past"] == before.values["K"]).all()
            assert (after.givens["V_past"] == before.values["V"]).all()
            assert after.values["K"].shape == (2, 2)
        assert (a1.values["K"] != b1.values["K"]).all()
        assert {case.givens["W_K"].tobytes() for case in (a1, b1, a2, b2)} == {a1.givens["W_K"].tobytes()}
        assert len({case.givens["x_t"].tobytes() for case in (a1, b1, a2, b2)}) == 4


def test_a_visible_sequence_is_the_same_for_everybody_and_each_of_its_calls_has_a_token_of_its_own():
    toml = CACHE.replace('seed = 1, without = ["cache"]', 'seed = 1, turns = "ABA"')
    first, other, second, *_ = plan(toml).visible

    assert (second.givens["K_past"] == first.values["K"]).all()
    assert len({case.givens["x_t"].tobytes() for case in (first, other, second)}) == 3
    assert [case.givens["x_t"].tolist() for case in CasePlan(plan(toml).item).visible[:3]] == [
        case.givens["x_t"].tolist() for case in (first, other, second)
    ]


def test_witnesses_stand_alone():
    assert {case.plan.turn for case in drawn(CACHE).witnesses} == {None}


def test_a_pair_that_can_be_guessed_is_never_drawn():
    for case in drawn(PAIR).in_order:
        logits = case.expected[0]
        assert logits[0, 1] == logits[1, 0]
        assert not np.allclose(logits, logits.T)


def test_a_judge_that_no_draw_serves_is_refused():
    with pytest.raises(NoTellingCaseError, match="none of 200 draws lets asymmetric_pair"):
        plan(PAIR.replace("draw = [-1, 0, 1, 2]", "draw = [1]"))


def test_float32_inputs_forgive_float32_rounding_whatever_dtype_comes_back():
    cases = {str(case.plan.form("x").dtype): case for case in drawn(PROJECT).hidden}
    for dtype, is_forgiven in (("float32", True), ("float64", False)):
        case = cases[dtype]
        rounded = case.expected[0] * (1 + 1e-5)
        assert case.is_single is is_forgiven
        assert case.agrees(rounded, case.expected[0]) is is_forgiven
        assert not case.agrees(case.expected[0] + 1e-2, case.expected[0])
