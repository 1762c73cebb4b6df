"""Labs: where they begin, no goal may hold yet.

This is asked of content alone: a version that learners have begun stays as it was, whatever it begins with.
"""

from __future__ import annotations

from collections.abc import Iterator

from grader.gate.report import Fault
from grader.marking.items import GoalKind, LabItem
from grader.marking.lab_goals import is_reached, run_lab


def check_goals_are_open(item: LabItem) -> Iterator[Fault]:
    """Each goal that is reached before anything is changed: it asks for nothing, and belies what the text says."""
    begun = run_lab(item.lab, {})
    for place, goal in enumerate(item.goals):
        if goal.kind is not GoalKind.LOOKS_MOST and is_reached(item.lab, goal, begun):
            yield Fault(("goal", place), "this goal is reached before anything is changed")
