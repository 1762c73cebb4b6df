"""Code judged by behaviour: every wrong function is named by what it does, not by how it is written."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from grader.bank import parse_item
from grader.marking.code import Outcomes, judge_code
from grader.marking.code_cases import CasePlan, DrawnCase
from grader.marking.code_outcomes import Raised, Returned, WrongKind
from grader.marking.items import CodeItem
from grader.marking.mark import Mark
from grader.marking.properties import CaseGroup, Property
from grader.marking.run_report import ArrayReport, CaseState, RunReport
from grader.marking.verdict import Verdict
from tests.grader import code_samples, samples
from tests.grader.marking.running import call, drawn, judge, plan, slugs

CODE, PROJECT, SOFTMAX, CACHE = samples.CODE, code_samples.PROJECT, code_samples.SOFTMAX, code_samples.CACHE
PAIR, FIX, ATTEND = code_samples.PAIR, code_samples.FIX, code_samples.ATTEND
SECRET = "secret 12.345"


def project(x: Any, W: Any, b: Any = None) -> Any:
    return x @ W if b is None else x @ W + b


def softmax(logits: Any, axis: Any = None) -> Any:
    axis = -1 if axis is None else int(axis)
    shares = np.exp(logits - logits.max(axis=axis, keepdims=True))
    return shares / shares.sum(axis=axis, keepdims=True)


def attention(Q: Any, K: Any, V: Any, mask: Any = None) -> Any:
    logits = Q @ K.T / np.sqrt(K.shape[-1])
    logits = logits if mask is None else np.where(mask, logits, -np.inf)
    largest = logits.max(axis=-1, keepdims=True)
    shares = np.exp(logits - np.where(np.isfinite(largest), largest, 0))
    total = shares.sum(axis=-1, keepdims=True)
    return shares / np.where(total > 0, total, 1) @ V


def step(x_t: Any, cache: Any, W_Q: Any, W_K: Any, W_V: Any) -> Any:
    K = np.vstack([*([] if cache is None else [cache[0]]), x_t @ W_K])
    V = np.vstack([*([] if cache is None else [cache[1]]), x_t @ W_V])
    return softmax(K @ (x_t @ W_Q) / np.sqrt(K.shape[-1])) @ V, (K, V)


@pytest.mark.parametrize(
    "right",
    [
        project,
        lambda x, W, b=None: np.einsum("...d,dk->...k", x, W) + (0 if b is None else b),
        lambda x, W, b=None: np.dot(x, W) + np.zeros(W.shape[1]) + (0 if b is None else b),
    ],
)
def test_every_way_to_write_it_right_earns_every_property(right: Any):
    judgement = judge(PROJECT, right)

    assert (judgement.score, judgement.findings, judgement.smallest) == (Decimal(5), (), None)
    assert {case.state for case in judgement.cases} == {CaseState.RIGHT}
    assert [(each.property, each.earned, each.of) for each in judgement.properties] == [
        (Property.VALUES, 3, 3),
        (Property.SHAPES, 1, 1),
        (Property.INPUTS, 1, 1),
    ]


@pytest.mark.parametrize(
    ("toml", "right"), [(SOFTMAX, softmax), (ATTEND, attention), (CACHE, step), (CODE, project)], ids=lambda _: ""
)
@pytest.mark.parametrize("seed", range(3))
def test_right_programs_of_every_make_are_right_for_every_seed(toml: str, right: Any, seed: int):
    judgement = judge(toml, right, seed=seed)

    assert (judgement.score, judgement.findings) == (plan(toml).item.max_score, ())


@pytest.mark.parametrize(
    ("named", "wrong"),
    [
        ("bias_dropped", lambda x, W, b=None: x @ W),
        ("bias_twice", lambda x, W, b=None: x @ W if b is None else x @ W + b + b),
        ("w_transposed", lambda x, W, b=None: x @ W.T if b is None else x @ W.T + b),
        ("w_transposed", lambda x, W, b=None: W @ x if b is None else W @ x + b),
        ("bias_before_product", lambda x, W, b=None: x @ W if b is None else (x + b) @ W),
        ("bias_wrong_axis", lambda x, W, b=None: x @ W if b is None else x @ W + b[:, None]),
    ],
)
def test_each_misconception_is_named_by_its_behaviour_with_its_evidence(named: str, wrong: Any):
    judgement = judge(CODE, wrong)

    assert slugs(judgement) == [named]
    assert judgement.findings[0].is_misconception
    assert "a wrong result, this is exactly what your function returned." in judgement.findings[0].text.en
    assert judgement.score == 0


def test_two_mistakes_that_learners_make_together_are_both_named():
    def scores_reversed_and_not_scaled(Q: Any, K: Any, V: Any, mask: Any = None) -> Any:
        logits = Q @ K.T
        return np.where(True if mask is None else mask, np.exp(logits), 0) @ V

    judgement = judge(ATTEND, scores_reversed_and_not_scaled)

    assert slugs(judgement)[:2] == ["scale_missing", "softmax_no_normaliser"]


def test_a_slip_is_named_though_extreme_numbers_overflow_and_that_is_told_as_well():
    def no_scale_and_no_shift(Q: Any, K: Any, V: Any, mask: Any = None) -> Any:
        shares = np.exp(Q @ K.T) * (1 if mask is None else mask)
        total = shares.sum(axis=-1, keepdims=True)
        return shares / np.where(total > 0, total, 1) @ V

    judgement = judge(ATTEND, no_scale_and_no_shift)

    assert slugs(judgement) == ["scale_missing", "code_overflow"]


@pytest.mark.parametrize(
    ("slug", "words", "wrong"),
    [
        ("code_wrong", "of 4 cases have a wrong result", lambda x, W, b=None: project(x, W, b) * 2),
        ("code_shape", "`q` has the shape", lambda x, W, b=None: project(x, W, b)[..., None]),
        ("code_not_finite", "NaN or infinity", lambda x, W, b=None: project(x, W, b) * np.nan),
        ("code_none", "some way through it meets no return", lambda x, W, b=None: None),
        ("code_list", "returned a list", lambda x, W, b=None: project(x, W, b).tolist()),
        ("code_complex", "complex128", lambda x, W, b=None: None),
        ("code_dtype", "whole numbers (int64)", lambda x, W, b=None: project(x, W, b).astype(int)),
        ("code_dtype", "only True and False", lambda x, W, b=None: project(x, W, b) != 0),
        ("code_dtype", "float32", lambda x, W, b=None: (project(x, W, b) * 1.0005).astype(np.float32)),
        ("code_rounded", "decimals kept: 1", lambda x, W, b=None: project(x, W, b).round(1)),
        ("code_broadcast", "that are summed over", lambda x, W, b=None: x.T @ x @ W.T @ W),
    ],
)
def test_what_no_misconception_explains_is_told_by_its_kind(slug: str, words: str, wrong: Any):
    judgement = judge(CODE, wrong)
    if slug == "code_complex":
        calls = [WrongKind("complex128")] * len(drawn(CODE).in_order)
        judgement = judge_code(plan(CODE).item, drawn(CODE), Outcomes(calls))

    assert slugs(judgement) == [slug]
    assert words in judgement.findings[0].text.en


@pytest.mark.parametrize(
    ("kind", "slug"),
    [
        ("NoneType", "code_none"),
        ("generator", "code_generator"),
        ("coroutine", "code_coroutine"),
        ("uneven list", "code_uneven"),
        ("tuple of 2", "code_tuple"),
        ("list of 3", "code_list_of_arrays"),
        ("list of str", "code_kind"),
        ("function", "code_function"),
        ("dict", "code_kind"),
        ("str", "code_kind"),
    ],
)
def test_each_kind_that_is_no_array_has_words_of_its_own(kind: str, slug: str):
    calls = [WrongKind(kind)] * len(drawn(CODE).in_order)

    assert slugs(judge_code(plan(CODE).item, drawn(CODE), Outcomes(calls))) == [slug]


@pytest.mark.parametrize(
    ("kind", "slug"), [("matrix", "code_matrix"), ("MaskedArray", "code_masked"), ("Same", "code_kind")]
)
def test_right_numbers_in_a_subclass_are_not_right(kind: str, slug: str):
    calls = [Returned(case.expected, kind) for case in drawn(CODE).in_order]

    assert slugs(judge_code(plan(CODE).item, drawn(CODE), Outcomes(calls))) == [slug]


def test_a_tuple_where_one_array_is_asked_is_told_which_to_return():
    calls = [WrongKind("tuple of 2")] * len(drawn(ATTEND).in_order)
    (finding,) = judge_code(plan(ATTEND).item, drawn(ATTEND), Outcomes(calls)).findings

    assert "a tuple of 2 things" in finding.text.en
    assert "`return context`" in finding.text.en
    assert "`return context`" in finding.text.zh_hans


@pytest.mark.parametrize("toml", [CODE, PROJECT, ATTEND], ids=["without inputs", "project", "attend"])
@pytest.mark.parametrize("seed", range(4))
def test_division_in_place_is_told_as_a_change_of_inputs_whatever_numpy_refuses(toml: str, seed: int):
    def halved(x: Any, *others: Any) -> Any:
        x /= 2
        return (attention if toml == ATTEND else project)(x * 2, *others)

    judgement = judge(toml, halved, seed=seed)

    assert slugs(judgement) == ["code_mutated"]
    assert judgement.smallest is not None


def test_a_single_whole_number_is_no_proof_that_digits_were_cut():
    """A tiny call may come to a whole number by chance; only several cells tell."""

    def cut_by_chance(x: Any, W: Any, b: Any = None) -> Any:
        right = project(x, W, b)
        return np.trunc(right + (0 if right.size == 1 else 5)).astype(int)

    assert slugs(judge(CODE, cut_by_chance)) == ["code_wrong"]


def test_what_was_printed_instead_of_returned_is_told_so():
    calls = [WrongKind("NoneType", printed="[[1. 2.]]\n")] * len(drawn(CODE).in_order)

    assert slugs(judge_code(plan(CODE).item, drawn(CODE), Outcomes(calls))) == ["code_printed"]


def test_changed_inputs_cost_their_property_alone_where_the_item_has_it():
    def in_place(x: Any, W: Any, b: Any = None) -> Any:
        result = project(x, W, b)
        if x.flags.writeable:
            x *= 0
        return result

    judgement = judge(PROJECT, in_place)

    assert (judgement.score, slugs(judgement)) == (Decimal(4), ["code_mutated"])
    assert judgement.smallest is not None
    assert judgement.smallest.inputs_changed
    assert (judge(CODE, in_place).score, slugs(judge(CODE, in_place))) == (0, ["code_mutated"])


def test_writing_to_a_read_only_array_is_told_as_a_change_of_inputs():
    def in_place(x: Any, W: Any, b: Any = None) -> Any:
        x *= 1
        return project(x, W, b)

    judgement = judge(PROJECT, in_place)

    assert (judgement.score, slugs(judgement)) == (Decimal(4), ["code_mutated"])


def test_every_case_is_counted_under_one_property():
    judgement = judge(PROJECT, lambda x, W, b=None: x @ W)

    counts = [(each.passed, each.total) for each in judgement.properties]
    passed = sum(case.state is CaseState.RIGHT for case in judgement.cases)
    assert (sum(own for own, _ in counts), sum(all_of for _, all_of in counts)) == (passed, len(judgement.cases))
    assert 0 < passed < len(judgement.cases)


def test_a_function_that_does_nothing_earns_nothing():
    judgement = judge(PROJECT, lambda x, W, b=None: np.zeros(1))

    assert judgement.score == 0
    assert [(each.passed < each.total, each.earned) for each in judgement.properties] == [(True, 0)] * 3


def test_the_hard_maximum_earns_nothing_for_never_overflowing():
    def hard_maximum(logits: Any, axis: Any = None) -> Any:
        axis = -1 if axis is None else int(axis)
        return (logits == logits.max(axis=axis, keepdims=True)).astype(float)

    assert judge(SOFTMAX, hard_maximum).score == 0


def test_an_overflow_costs_stability_alone_and_is_explained():
    def no_shift(logits: Any, axis: Any = None) -> Any:
        axis = -1 if axis is None else int(axis)
        return np.exp(logits) / np.exp(logits).sum(axis=axis, keepdims=True)

    judgement = judge(SOFTMAX, no_shift)

    assert (judgement.score, slugs(judgement)) == (Decimal(3), ["code_overflow"])


@pytest.mark.parametrize(
    ("toml", "wrong", "words"),
    [
        (PROJECT, lambda x, W, b=None: project(x, W, b) * (2 if x.ndim == 1 else 1), "another shape does not"),
        (
            PROJECT,
            lambda x, W, b=None: project(x, W, b) * (1 if x.flags.c_contiguous and x.dtype == float else 2),
            "others (float32",
        ),
        (
            SOFTMAX,
            lambda logits, axis=None: softmax(logits, axis) * (1 if np.abs(logits).max() < 9 else 2),
            "extreme ones do not",
        ),
    ],
    ids=["shapes", "inputs", "stability"],
)
def test_where_one_property_alone_fails_the_words_say_where_to_look(toml: str, wrong: Any, words: str):
    judgement = judge(toml, wrong)

    assert slugs(judgement) == ["code_wrong"]
    assert words in judgement.findings[0].text.en


def test_another_result_the_second_time_earns_nothing_and_is_told():
    calls = itertools.count()

    judgement = judge(
        PROJECT, lambda x, W, b=None: project(x, W, b) * (1 + (next(calls) >= len(drawn(PROJECT).in_order)))
    )

    assert (judgement.score, slugs(judgement)) == (0, ["code_unsteady"])


def test_a_mistake_is_worked_out_on_a_call_once_and_only_until_a_call_contradicts_it(monkeypatch: pytest.MonkeyPatch):
    cases = CasePlan(plan(ATTEND).item).draw(99)
    calls = [
        call(plan(ATTEND).item, case, lambda Q, K, V, mask=None: attention(Q * 2, K, V, mask))
        for case in cases.in_order
    ]
    named = [call(plan(ATTEND).item, case, lambda Q, K, V, mask=None: attention(Q * np.sqrt(K.shape[-1]), K, V, mask)) for case in cases.in_order]  # fmt: skip
    made: list[tuple[int, tuple[str, ...]]] = []
    worked_out = DrawnCase._wrong
    monkeypatch.setattr(
        DrawnCase,
        "_wrong",
        lambda case, slips: made.append((id(case), tuple(map(repr, slips)))) or worked_out(case, slips),
    )
    mistakes = len({key for case in cases.in_order for key in case.slips})

    assert slugs(judge_code(plan(ATTEND).item, cases, Outcomes(named))) == ["scale_missing"]
    assert len(made) == len(set(made)) < mistakes + 2 * len(calls)
    judge_code(plan(ATTEND).item, cases, Outcomes(calls))
    assert len(made) == len(set(made)) < 4 * mistakes + 2 * len(calls)


def test_of_a_function_that_is_unsteady_no_other_calls_traceback_is_shown():
    cases = drawn(CODE)
    wrong = Returned((np.zeros((1, 1)),))
    raised = Raised("ValueError", "rows", 3, traceback="line 3")
    calls: list[Any] = [wrong, *[raised] * (len(cases.in_order) - 1)]
    steady, unsteady = (judge_code(plan(CODE).item, cases, Outcomes(calls, [again])) for again in (wrong, raised))

    assert (steady.traceback, slugs(steady)) == ("line 3", ["code_raised"])
    assert slugs(unsteady) == ["code_unsteady"]
    assert (unsteady.traceback == "line 3") is (unsteady.smallest is not None and unsteady.smallest.error != "")


def test_one_result_for_all_calls_is_told_as_that_and_not_by_its_shape():
    assert slugs(judge(CODE, lambda x, W, b=None: np.ones((2, 3)))) == ["code_constant"]
    assert "code_constant" not in slugs(judge(CODE, lambda x, W, b=None: None))


def test_a_mistake_that_an_old_version_has_no_words_for_is_not_named():
    stored = samples.definition(CODE)
    del stored["misconceptions"]["bias_dropped"]
    item = parse_item(stored)
    assert isinstance(item, CodeItem)
    cases = CasePlan(item).draw(5)
    calls = [call(item, case, lambda x, W, b=None: x @ W) for case in cases.in_order]

    assert slugs(judge_code(item, cases, Outcomes(calls))) == ["code_wrong"]


def test_a_first_call_that_raises_only_the_second_time_is_unsteady():
    outcomes = [Returned(case.expected) for case in drawn(CODE).in_order]
    again = Raised("IndexError", "list index out of range", 3)

    assert slugs(judge_code(plan(CODE).item, drawn(CODE), Outcomes(outcomes, [again]))) == ["code_unsteady"]


def test_the_smallest_failing_call_is_shown_whole():
    shown = judge(CODE, lambda x, W, b=None: x @ W).smallest

    assert shown is not None
    assert (shown.group, shown.call) == (CaseGroup.WITNESS, "project(x, W, b)")
    assert [array.name for array in shown.given] == ["x", "W", "b"]
    assert [(array.name, array.shape) for array in shown.expected] == [(array.name, array.shape) for array in shown.got]
    assert shown.difference is not None
    cell = shown.expected[0].index_of(shown.difference.cell)
    assert (
        shown.difference.expected == shown.expected[0].cells[cell] != shown.got[0].cells[cell] == shown.difference.got
    )
    assert shown.difference.worked.startswith("q_{")
    assert shown.difference.worked.endswith(f"= {shown.difference.expected}")


def test_no_witness_is_larger_than_one_that_comes_later():
    sizes = [sum(value.size for value in case.givens.values()) for case in drawn(PROJECT).witnesses]

    assert (len(sizes), sizes) == (20, sorted(sizes))


def test_an_exception_is_shown_with_its_line():
    def lookup(x: Any, W: Any, b: Any = None) -> Any:
        raise KeyError("d")

    judgement = judge(CODE, lookup)

    assert judgement.findings[0].text.en == "Line 2: `'d'`"
    assert judgement.smallest is not None
    assert (judgement.smallest.error, judgement.smallest.line, judgement.smallest.got) == ("KeyError: 'd'", 2, ())


def test_a_hidden_call_tells_nothing_but_its_kind():
    cases = drawn(CODE)
    shown = [Returned(case.expected) for case in (*cases.visible, *cases.witnesses)]
    hidden = [Raised("ValueError", SECRET, 3, printed=SECRET)] * len(cases.hidden)
    judgement = judge_code(plan(CODE).item, cases, Outcomes([*shown, *hidden]))

    assert SECRET not in str(judgement)
    assert (slugs(judgement), judgement.smallest) == (["code_raised"], None)
    assert "On a hidden case the code raised ValueError." in judgement.findings[0].text.en
    assert all(
        not case.given and not case.expected and not case.got
        for case in judgement.cases
        if case.group is CaseGroup.HIDDEN
    )


def test_a_wrong_shape_of_a_hidden_call_is_told_without_numbers():
    cases = drawn(CODE)
    shown = [Returned(case.expected) for case in (*cases.visible, *cases.witnesses)]
    hidden = [Returned((case.expected[0][..., None],)) for case in cases.hidden]
    judgement = judge_code(plan(CODE).item, cases, Outcomes([*shown, *hidden]))

    assert (slugs(judgement), "(" in judgement.findings[0].text.en) == (["code_shape"], False)


def test_calls_that_were_not_reached_are_not_right():
    cases = drawn(CODE)
    calls = [Returned(cases.visible[0].expected), *[None] * (len(cases.in_order) - 1)]
    judgement = judge_code(plan(CODE).item, cases, Outcomes(calls))

    assert [case.state for case in judgement.cases] == [CaseState.RIGHT, *[CaseState.NOT_REACHED] * 3]
    assert judgement.score == 0


def test_a_right_function_is_right_whatever_a_tiny_call_came_to():
    cases = drawn(CODE)
    calls = [Returned(case.expected) if case.group is not CaseGroup.WITNESS else None for case in cases.in_order]

    assert judge_code(plan(CODE).item, cases, Outcomes(calls)).findings == ()


class TestCache:
    """A step that takes and returns a cache."""

    def test_a_cache_that_grows_by_no_row_loses_its_work_alone(self):
        def keeps_the_old(x_t: Any, cache: Any, *W: Any) -> Any:
            out, (K, V) = step(x_t, cache, *W)
            return out, (K[:-1], V[:-1])

        judgement = judge(CACHE, keeps_the_old)

        assert (judgement.score, slugs(judgement)) == (Decimal(3), ["code_work"])
        assert "`K` has the shape (0, 1); it should be (1, 1)" in judgement.findings[0].text.en

    def test_a_cache_of_wrong_numbers_is_told_so(self):
        def doubles(x_t: Any, cache: Any, *W: Any) -> Any:
            out, (K, V) = step(x_t, cache, *W)
            return out, (K, V * 2)

        judgement = judge(CACHE, doubles)

        assert (judgement.score, slugs(judgement)) == (Decimal(3), ["code_work"])
        assert "holds wrong numbers" in judgement.findings[0].text.en

    def test_a_size_that_is_wrong_on_a_hidden_call_alone_is_told_without_numbers(self):
        cases = drawn(CACHE)
        calls = [
            Returned(
                case.expected
                if case.group is not CaseGroup.HIDDEN
                else (case.expected[0], *(part[:-1] for part in case.expected[1:])),
                "tuple",
            )
            for case in cases.in_order
        ]
        judgement = judge_code(plan(CACHE).item, cases, Outcomes(calls))

        assert (slugs(judgement), "(" in judgement.findings[0].text.en) == (["code_work"], False)

    def test_a_function_that_remembers_by_itself_fails(self):
        kept: list[Any] = []

        def remembers(x_t: Any, cache: Any, W_Q: Any, W_K: Any, W_V: Any) -> Any:
            if cache is None:
                kept.clear()
            kept.append((x_t @ W_K, x_t @ W_V))
            K, V = (np.array(rows) for rows in zip(*kept, strict=True))
            return softmax(K @ (x_t @ W_Q) / np.sqrt(K.shape[-1])) @ V, (K, V)

        assert judge(CACHE, remembers).score == 0

    def test_a_slip_that_changes_nothing_is_not_named_for_what_is_wrong_otherwise(self):
        calls = [Returned(case.expected, "tuple", inputs_changed=True) for case in drawn(CACHE).in_order]

        assert slugs(judge_code(plan(CACHE).item, drawn(CACHE), Outcomes(calls))) == ["code_mutated"]

    @pytest.mark.parametrize("slug", ["cache_newest_first", "cache_not_extended", "cache_dropped"])
    def test_each_slip_of_the_cache_is_named(self, slug: str):
        slip = next(slip for slip in drawn(CACHE).hidden[-1].slips.values() if slip.slug == slug)
        calls = [Returned(case.making(slip.key) or (), "tuple") for case in drawn(CACHE).in_order]

        assert slugs(judge_code(plan(CACHE).item, drawn(CACHE), Outcomes(calls)))[0] == slug

    @pytest.mark.parametrize(
        ("kind", "words"), [("ndarray", "returned ndarray"), ("NoneType", "is None"), ("tuple of 3", "tuple of 3")]
    )
    def test_a_result_of_another_form_is_told_the_right_one(self, kind: str, words: str):
        calls = [WrongKind(kind)] * len(drawn(CACHE).in_order)
        (finding,) = judge_code(plan(CACHE).item, drawn(CACHE), Outcomes(calls)).findings

        assert (finding.slug, words in finding.text.en, "(out, (K, V))" in finding.text.en) == ("code_form", True, True)

    def test_a_call_shows_the_parts_of_a_pair_and_none(self):
        judgement = judge(CACHE, lambda *_: None)
        first, second = judgement.cases[:2]

        assert (first.call, second.call) == ("step(x_t, None, W_Q, W_K, W_V)", "step(x_t, cache, W_Q, W_K, W_V)")
        assert [array.name for array in second.given][1:3] == ["cache[0]", "cache[1]"]
        assert (first.given[1].dtype, first.given[1].shape_text, second.given[1].shape_text) == ("None", "", "(2, 2)")


class TestPair:
    """Any pair that is not symmetric."""

    def pair(self, X: Any, W_Q: Any, W_K: Any) -> Any:
        logits = (X @ W_Q) @ (X @ W_K).T
        i, j = np.argwhere(~np.isclose(logits, logits.T))[-1]
        return i, j

    def test_every_such_pair_is_right(self):
        item, cases = plan(PAIR).item, drawn(PAIR)
        calls = [Returned(tuple(map(np.asarray, self.pair(*case.givens.values()))), "tuple") for case in cases.in_order]
        judgement = judge_code(item, cases, Outcomes(calls, [calls[0]]))

        assert (judgement.score, judgement.findings) == (Decimal(2), ())
        assert "they differ" in judgement.cases[0].note.en

    @pytest.mark.parametrize(
        ("i", "j", "words"),
        [(0, 1, "both ways the same"), (0, 9, "the number of no token"), (0.5, 1, "two whole numbers")],
    )
    def test_a_pair_that_does_not_hold_is_told_by_what_was_looked_at(self, i: float, j: float, words: str):
        item, cases = plan(PAIR).item, drawn(PAIR)
        calls = [Returned((np.asarray(i), np.asarray(j)), "tuple")] * len(cases.in_order)
        judgement = judge_code(item, cases, Outcomes(calls))

        assert (judgement.score, slugs(judgement)) == (0, ["code_judged"])
        assert words in judgement.findings[0].text.en

    def test_of_a_hidden_call_the_numbers_are_not_told(self):
        item, cases = plan(PAIR).item, drawn(PAIR)
        right = tuple(map(np.asarray, self.pair(*cases.visible[0].givens.values())))
        calls = [Returned(right, "tuple"), *[Returned((np.asarray(0), np.asarray(1)), "tuple")] * len(cases.hidden)]
        (finding,) = judge_code(item, cases, Outcomes(calls)).findings

        assert "must be worked out from the arguments" in finding.text.en

    def test_another_form_is_told(self):
        calls = [WrongKind("int")] * len(drawn(PAIR).in_order)

        assert slugs(judge_code(plan(PAIR).item, drawn(PAIR), Outcomes(calls))) == ["code_form"]

    def test_there_are_no_witnesses(self):
        assert drawn(PAIR).witnesses == ()


class TestExample:
    """A function to repair, and arguments on which the fault shows."""

    Q, K, V = np.eye(2, 3) * 3, np.eye(2, 3) * 2, np.eye(2)

    def judged(self, *arguments: Any) -> Any:
        return judge(FIX, attention, example=Returned(tuple(map(np.asarray, arguments)), "tuple"))

    def test_arguments_on_which_the_fault_shows_earn_their_share(self):
        assert self.judged(self.Q, self.K, self.V).score == 4

    def test_they_earn_it_without_the_repair(self):
        example = Returned((self.Q, self.K, self.V), "tuple")
        judgement = judge(FIX, lambda Q, K, V: attention(Q * np.sqrt(K.shape[-1]), K, V), example=example)

        assert (judgement.score, slugs(judgement)) == (2, ["scale_missing"])

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ({"Q": np.zeros((2, 3))}, "happens to come out right"),
            ({"Q": np.eye(2)}, "d_k cannot be 2 and 3"),
            ({"Q": np.ones(3)}, "`Q` has the shape (3,); it should be (N, d_k)"),
            ({"Q": np.ones((9, 3))}, "each size may go from 1 to 8"),
            ({"Q": np.ones((0, 3))}, "each size may go from 1 to 8"),
            ({"V": np.full((2, 2), np.nan)}, "`V` holds NaN or infinity"),
            ({"V": np.full((2, 2), 1e308), "Q": np.full((2, 3), 1e308)}, "happens to come out right"),
        ],
    )
    def test_arguments_that_do_not_do_are_told_why(self, change: dict[str, Any], words: str):
        arguments = {"Q": self.Q, "K": self.K, "V": self.V, **change}
        judgement = self.judged(*arguments.values())

        assert (judgement.score, slugs(judgement)) == (2, ["code_example"])
        assert words in judgement.findings[0].text.en

    def test_an_example_of_another_form_or_none_or_that_raises_is_told(self):
        other = judge(FIX, attention, example=WrongKind("ndarray"))
        none = judge(FIX, attention)
        raised = judge(FIX, attention, example=Raised("NameError", "name 'np' is not defined", 9))

        assert "return Q, K, V" in other.findings[0].text.en
        assert "was not reached" in none.findings[0].text.en
        assert (slugs(raised), "import numpy as np" in raised.findings[0].text.en) == (["code_raised"], True)


def test_a_mark_with_its_run_survives_its_json():
    judgement = judge(PROJECT, lambda x, W, b=None: x @ W)
    run = RunReport(
        "returned",
        "printed",
        "",
        cpu_ms=3,
        memory_mib=4,
        cases=judgement.cases,
        properties=judgement.properties,
        smallest=judgement.smallest,
        findings=judgement.findings,
    )
    mark = Mark(Verdict.INCORRECT, Decimal(0), Decimal(5), findings=judgement.findings, run=run)
    bare = replace(mark, run=replace(run, smallest=None))

    assert Mark.from_json(json.loads(json.dumps(mark.to_json()))) == mark
    assert Mark.from_json(json.loads(json.dumps(bare.to_json()))) == bare


def test_float32_results_are_judged_at_their_precision():
    def nearly(factor: float, dtype: Any) -> Any:
        return lambda x, W, b=None: (project(x, W, b) * factor).astype(dtype)

    assert judge(CODE, nearly(1 + 3e-7, np.float32)).findings == ()
    assert slugs(judge(CODE, nearly(1 + 1e-5, float))) == ["code_wrong"]


@pytest.mark.parametrize(
    ("shape", "cells", "blocks"),
    [
        ((), ("1",), ((("1",),),)),
        ((2,), ("1", "2"), ((("1", "2"),),)),
        ((2, 1), ("1", "2"), ((("1",), ("2",)),)),
        ((2, 1, 2), ("1", "2", "3", "4"), ((("1", "2"),), (("3", "4"),))),
        ((0, 2), (), ()),
    ],
)
def test_an_array_is_laid_out_in_blocks_of_rows(shape: tuple[int, ...], cells: tuple[str, ...], blocks: Any):
    assert ArrayReport("x", "float64", shape, cells).blocks == blocks


def test_large_arrays_are_told_by_their_shape_and_odd_numbers_by_their_names():
    def odd(x: Any, W: Any, b: Any = None) -> Any:
        return np.full((300, 2), np.inf) if x.ndim > 1 else np.full(len(W[0]), -np.inf)

    judgement = judge(CODE, odd)

    assert (judgement.cases[0].got[0].shape, judgement.cases[0].got[0].cells) == ((300, 2), ())
    assert judgement.smallest is not None
    assert {cell for case in [judgement.smallest] for array in case.got for cell in array.cells} <= {"-inf"}
