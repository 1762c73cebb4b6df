"""Every attack of the table, in every tier; after each of them an honest run must be right and nothing may be left."""

from __future__ import annotations

from datetime import timedelta

import pytest

from grader.sandbox import Limits, RunResult, RunStatus, Sandbox
from tests.grader.sandbox.attacks import ATTACKS, HARMLESS, TRIED_EVERYWHERE, Attack
from tests.grader.sandbox.running import children_of, frame, honest, is_right, job, quick, returned

pytestmark = pytest.mark.jail

# Where a limit of time is not what stops an attack, a busy machine must not look like one.
PATIENT = Limits(cpu_time=timedelta(seconds=5), wall_time=timedelta(seconds=20), memory_bytes=128 * 1024 * 1024)


def strike(sandbox: Sandbox, attack: Attack) -> RunResult:
    """Run an attack once, and keep its keeper: the next run must be right without a fresh one."""
    limits = quick() if RunStatus.TIME_LIMIT in attack.expects else PATIENT
    return sandbox._try(job(attack.program, frame(1, 2), limits=limits))


def verdict(sandbox: Sandbox, attack: Attack) -> str:
    """Say what is wrong after an attack, or nothing."""
    result = strike(sandbox, attack)
    if attack.expects == HARMLESS:
        if result.status != RunStatus.RETURNED or returned(result) != [0]:
            return f"{attack.name}: something worked or went wrong: {result}"
    elif result.status not in attack.expects:
        return f"{attack.name}: ended as {result.status}: {result}"
    if not is_right(sandbox.run(honest())):
        return f"{attack.name}: the next run is not right"
    if len(children_of(sandbox._zygote.pid)) > 1:
        return f"{attack.name}: a process is left over"
    return ""


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_attack_is_contained(sandbox, attack):
    assert verdict(sandbox, attack) == ""


@pytest.mark.parametrize("attack", TRIED_EVERYWHERE, ids=lambda attack: attack.name)
def test_attack_is_contained_in_lower_tiers(lower_sandbox, attack):
    assert verdict(lower_sandbox, attack) == ""


def test_the_table_has_no_name_twice():
    names = [attack.name for attack in ATTACKS]

    assert len(set(names)) == len(names) >= 60
