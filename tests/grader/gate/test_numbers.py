"""Which mistakes the variants of a numeric item tell apart."""

from __future__ import annotations

import pytest

from grader.gate.numbers import SEEDS, check_separation, separation
from tests.grader import samples
from tests.grader.gate import gate_samples


def derivation(toml: str):
    return samples.item(toml).derivation


def reasons(toml: str) -> list[str]:
    return [fault.reason for fault in check_separation(derivation(toml)).faults]


def test_slips_that_give_the_same_numbers_share_a_class():
    found = separation(derivation(samples.QKV))

    assert (found.slips, len(found.classes)) == (18, 15)
    shared = [sorted(slip.wrong.operation.letters for slip in one.slips) for one in found.classes if len(one.slips) > 1]
    assert shared == [[r"{0} {1}^{{\top}}", "{1} {0}"]] * 3
    assert {one.slugs for one in found.classes} == {
        ("w_transposed",),
        ("wrong_matrix",),
        ("projection_ignores_input",),
        ("projection_skipped",),
    }
    assert check_separation(derivation(samples.QKV)).faults == ()


def test_share_counts_the_seeds_that_tell_all_mistakes_apart():
    found = separation(derivation(samples.WEIGHTS))

    assert len(found.variants) == round(found.share * SEEDS)
    assert 0.4 < found.share < 0.6


@pytest.mark.parametrize(
    ("toml", "slip", "remedy"),
    [
        (gate_samples.KEY_BIAS, "bias_dropped at K", "ask for K as well"),
        (gate_samples.LAST_ROW, "mask_forgotten at attn_weights", "ask for other cells of attn_weights"),
    ],
)
def test_a_mistake_that_would_be_marked_correct_is_refused_with_a_remedy(toml, slip, remedy):
    said = [reason for reason in reasons(toml) if reason.startswith(slip)]

    assert len(said) == 1
    assert "would be marked correct" in said[0]
    assert said[0].endswith(remedy)


def test_a_step_that_is_asked_lets_its_mistakes_show():
    asked = gate_samples.KEY_BIAS.replace("[ask]", "[ask]\nK = { decimals = 2 }")
    assert reasons(asked) == []
    asked = gate_samples.LAST_ROW.replace("rows = [2]", "rows = [1, 2]")
    assert [reason for reason in reasons(asked) if "mask_forgotten" in reason] == []


def test_a_draw_that_seldom_tells_the_mistakes_apart_is_refused_with_those_that_lie_closest():
    (reason,) = reasons(gate_samples.POOR_DRAW)

    assert reason.startswith(f"1.0% of {SEEDS} seeds")
    assert "5% must" in reason
    assert "w_transposed" in reason or "wrong_matrix" in reason


def test_a_draw_that_never_tells_them_apart_is_refused_too():
    constant = gate_samples.POOR_DRAW.replace("draw = [-1, 1]", "draw = [1]")

    assert separation(derivation(constant)).variants == ()
    assert any(reason.startswith("0.0% of") for reason in reasons(constant))


def test_an_answer_that_reads_the_same_both_ways_is_refused_with_its_transpose():
    symmetric = samples.COLUMNS.replace("d_k = 2, S = 2", "d_k = 1, S = 1")

    (reason,) = [reason for reason in reasons(symmetric) if "seeds tell" in reason]

    assert "closest are mostly the right answer and its transpose" in reason


def test_one_computation_under_two_names_is_noted():
    notes = check_separation(derivation(gate_samples.TWO_NAMES)).notes

    assert [note for note in notes if "wrong_matrix at Q" in note and "wrong_vector at logits" in note]
    assert all(note.endswith("it is called wrong_matrix") for note in notes if "are one computation" in note)


def test_a_swap_that_changes_nothing_is_noted_and_not_refused():
    found = check_separation(derivation(samples.CHAIN))

    assert found.faults == ()
    assert [
        note for note in found.notes if note.startswith("scale_by_other_width at scaled") and "no mistake here" in note
    ]


def test_a_mistake_that_these_sizes_forbid_is_noted():
    wide = samples.COLUMNS.replace("d = 2, d_k = 2", "d = 3, d_k = 2")

    notes = check_separation(derivation(wide)).notes

    assert [note for note in notes if note.startswith("w_transposed at Q") and "cannot be made" in note]


ONE_QUERY = (
    samples.HEAD
    + """
slug = "one-query"
kind = "numeric"
convention = "row"
max_score = 2
sizes = { one = 1, S = 2, d_k = 2 }
[given]
q = { shape = ["one", "d_k"], draw = [-2, -1, 1, 2] }
K = { shape = ["S", "d_k"], draw = [-2, -1, 1, 2] }
[steps]
logits = "dot_logits(q, K)"
[ask]
logits = { decimals = 1 }
"""
)


def test_numbers_in_a_shape_that_nobody_can_enter_are_no_collision():
    found = check_separation(derivation(ONE_QUERY))

    assert found.faults == ()
    assert [note for note in found.notes if "logits_transposed" in note] == [
        r"logits_transposed at logits (K q^{\top}) cannot be made with these sizes and numbers"
    ]


def test_a_row_that_another_shape_does_not_have_is_no_collision_either():
    third = ONE_QUERY.replace("one = 1", "one = 3").replace("{ decimals = 1 }", "{ decimals = 1, rows = [2] }")

    assert [fault for fault in check_separation(derivation(third)).faults if "logits_transposed" in fault.reason] == []


def test_a_draw_on_which_a_choice_of_the_largest_always_ties_is_refused_with_that_reason():
    tied = (
        ONE_QUERY.partition("[given]")[0]
        + """
[given]
a = { shape = ["one", "S"], draw = [2] }
V = { shape = ["S", "d_k"], draw = [-3, -1, 1, 2, 5] }
[steps]
context = "mix(a, V)"
[ask]
context = { decimals = 2 }
"""
    )

    (reason,) = [reason for reason in reasons(tied) if "seeds tell" in reason]

    assert reason.startswith(f"0.0% of {SEEDS} seeds")
    assert r"mostly mix_best_only at context (\operatorname{argmax}(a) \, V) hangs on a tie" in reason
