"""Whether the cases of a code item show every mistake."""

from __future__ import annotations

import pytest

from grader.gate import cases
from grader.gate.cases import check_cases
from tests.grader import code_samples, samples
from tests.grader.gate import gate_samples


def reasons(toml: str) -> list[str]:
    return [fault.reason for fault in check_cases(samples.item(toml)).findings.faults]


def test_a_plan_of_equal_and_unequal_sizes_is_in_order():
    plan = check_cases(samples.item(samples.CODE))

    assert plan.findings.faults == ()
    assert (plan.slips, [str(found) for found in plan.classes]) == (
        9,
        [
            r"w_transposed at q (x W^{\top} + b)",
            "w_transposed at q (W x + b)",
            r"projection_ignores_input at q (\sum_m {W}_m + b)",
            "projection_skipped at q (x)",
            "bias_dropped at q (x W)",
            "bias_twice at q (x W + 2 b)",
            "bias_per_term at q (x W + d b)",
            "bias_before_product at q ((x + b) W)",
            r"bias_wrong_axis at q (x W + b^{\top})",
        ],
    )
    assert plan.share == 1


def test_mistakes_that_only_raise_are_told_apart_by_no_case_and_refused_with_one_that_would():
    said = reasons(gate_samples.UNEQUAL_CASES)

    assert {("w_transposed at q" in reason, "bias_before_product at q" in reason) for reason in said} >= {(True, True)}
    assert all(reason.startswith("no case tells ") for reason in said)
    assert any(reason.endswith("; one with x [3, 3], W [3, 3], b [3] would") for reason in said)


def test_a_mistake_that_no_case_shows_is_refused():
    said = reasons(gate_samples.NO_BIAS_CASES)

    assert [reason for reason in said if "bias_dropped at q (x W) from the right answer" in reason] == [
        "no case tells bias_dropped at q (x W) from the right answer; one with x [3, 3], W [3, 3], b [3] would"
    ]


def test_numbers_on_which_every_mistake_comes_out_right_are_refused():
    said = reasons(samples.CODE.replace("draw = [-2, -1.5, -1, -0.5, 0.5, 1, 1.5, 2]", "draw = [0]"))

    assert "no case tells bias_dropped at q (x W) from the right answer" in " ".join(said)


def test_a_plan_whose_hidden_cases_seldom_show_every_mistake_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cases, "SMALLEST_SHARE", 1.1)

    assert reasons(samples.CODE) == ["the hidden cases show every mistake on 100.0% of 40 seeds, and on 110% it must"]


def test_a_judge_that_can_be_given_no_telling_case_is_refused():
    equal = code_samples.PAIR.replace("draw = [-1, 0, 1, 2]", "draw = [1]")

    assert reasons(equal) == ["none of 200 draws lets asymmetric_pair tell a right result from a guess"]


@pytest.mark.parametrize("name", code_samples.ALL)
def test_plans_of_every_make_are_in_order(name: str):
    assert reasons(code_samples.ALL[name]) == []


def test_a_mistake_that_changes_nothing_is_noted():
    scaled = (
        samples.CODE.replace(
            'parameters = ["x", "W", "b"]\noptional = ["b"]', 'parameters = ["logits", "Q", "K"]'
        ).partition("[given]")[0]
        + """
[given]
logits = { shape = ["S", "S"], draw = [-2, -1, 0.5, 1, 3] }
Q = { shape = ["S", "d_k"], draw = [-2, -1, 0.5, 1, 3] }
K = { like = "Q" }
[steps]
scaled = "scale_logits(logits, K)"
[ask]
scaled = {}
[[case]]
group = "visible"
seed = 1
sizes = { S = 3, d_k = 2 }
[[case]]
group = "hidden"
sizes = { S = 3, d_k = 4 }
"""
    )

    plan = check_cases(samples.item(scaled))

    assert plan.findings.faults == ()
    assert [note for note in plan.findings.notes if note.startswith("scale_by_other_width at scaled")]
