"""Every attack of the catalogue, in every tier; after each of them an honest run must be right and nothing is left."""

from __future__ import annotations

import pytest

from grader.sandbox import MAX_CODE_BYTES, RunResult, RunStatus
from grader.sandbox.result import Fault, FaultStage
from tests.grader.sandbox.attacks import ATTACKS
from tests.grader.sandbox.attacks.program import HARMLESS, RAISED, Attack
from tests.grader.sandbox.attacks.striking import Outcome, outcome_of, shown_of_us, verdict
from tests.grader.sandbox.running import frame, job, open_sandbox


@pytest.fixture(scope="module", params=[3, 2, 1], ids=lambda tier: f"tier{tier}")
def attacked(request):
    """One sandbox for all attacks of a tier: what one leaves behind, another would find."""
    with open_sandbox(request.param) as opened:
        yield opened


@pytest.mark.jail
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_attack_is_contained_and_the_next_run_is_right(attacked, attack):
    assert verdict(attacked, attack) == ""


@pytest.mark.jail
def test_a_program_in_which_something_works_is_an_escape(sandbox):
    said = [
        verdict(sandbox, Attack("a", "b", "c", f"def f(x):\n    return {n}\n", HARMLESS, "d")) for n in (0, 1, "'x'")
    ]

    assert [words.partition(":")[2][:14] for words in said] == ["", " 1 worked, end", " inf worked, e"]


def test_another_end_than_expected_is_unexpected():
    for status in set(RunStatus) - {RunStatus.RAISED}:
        assert outcome_of(Attack("a", "b", "c", "", RAISED, "d"), RunResult(status)) == Outcome.UNEXPECTED
    assert outcome_of(Attack("a", "b", "c", "", HARMLESS, "d"), RunResult(RunStatus.RAISED)) == Outcome.UNEXPECTED


def test_our_own_names_are_seen_in_output_and_fault():
    fault = Fault(FaultStage.CALL, "E", "", 1, 'File "/x/grader/sandbox/inside.py"')

    assert shown_of_us(RunResult(RunStatus.RETURNED, stdout="import grader.sandbox")) == "grader."
    assert shown_of_us(RunResult(RunStatus.RAISED, fault=fault)) == "grader/"
    assert shown_of_us(RunResult(RunStatus.RETURNED, stdout="the grader said no")) == ""


def test_a_text_beyond_the_cap_is_refused_before_there_is_a_run():
    with pytest.raises(ValueError, match="at most"):
        job("#" * (MAX_CODE_BYTES + 1), frame(1, 2))


def test_the_catalogue_has_no_name_twice_and_no_program_that_an_internal_error_would_satisfy():
    names = [attack.name for attack in ATTACKS]

    assert len(set(names)) == len(names) >= 400
    assert [attack.name for attack in ATTACKS if RunStatus.INTERNAL_ERROR in attack.expects] == []
    assert [attack.name for attack in ATTACKS if not (attack.does and attack.never and attack.heading)] == []
