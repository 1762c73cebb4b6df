"""Labs begin with everything still to do."""

from __future__ import annotations

from grader.gate.labs import check_goals_are_open
from grader.gate.report import Fault
from grader.marking.items import LabItem
from tests.grader import samples
from tests.grader.kind_samples import LAB, LAB_TO_LOOK_AT

REASON = "this goal is reached before anything is changed"


def faults(toml: str) -> list[Fault]:
    item = samples.item(toml)
    assert isinstance(item, LabItem)
    return list(check_goals_are_open(item))


def test_each_goal_that_holds_at_the_start_is_refused_by_its_place() -> None:
    assert faults(LAB) == [Fault(("goal", 0), REASON), Fault(("goal", 1), REASON)]
    assert faults(LAB.replace("bound = 0.4", "bound = 0.45", 1)) == [Fault(("goal", 1), REASON)]


def test_whom_a_token_looks_at_is_for_the_learner_to_name_and_so_never_done() -> None:
    assert faults(LAB_TO_LOOK_AT) == []
