"""The tables of words are complete, and what the page promises about a run is what the sandbox does."""

from __future__ import annotations

import platform
from datetime import timedelta

import pytest

from exercises.enums import ItemKind, Verdict
from exercises.queries.standings import ItemState
from exercises.queries.submission_view import Stage
from exercises.web import words
from grader.grading import LIMITS
from grader.marking.mark import CaseState, CellState, FieldState


@pytest.mark.parametrize(
    ("table", "states"),
    [
        (words.ITEM_STATES, ItemState),
        (words.VERDICTS, Verdict),
        (words.CELLS, CellState),
        (words.FIELDS, FieldState),
        (words.CASES, CaseState),
        (words.KINDS, ItemKind),
        (words.STAGES, Stage),
    ],
)
def test_every_state_has_its_words(table: dict, states: type) -> None:
    assert set(table) == set(states)


def test_limits_on_the_page_are_those_of_the_sandbox() -> None:
    said = words.RUN_LIMITS

    assert timedelta(seconds=said.cpu_seconds) == LIMITS.cpu_time
    assert said.memory_mib * 1024 * 1024 == LIMITS.memory_bytes
    assert platform.python_version().startswith(f"{said.python}.")
