"""The tables of words are complete, and what the page promises about a run is what the sandbox does."""

from __future__ import annotations

import platform
from datetime import timedelta

import pytest

from exercises.enums import ItemKind, Verdict
from exercises.queries.run_view import RunStage
from exercises.queries.standings import ItemState
from exercises.queries.submission_view import Stage
from exercises.web import code_words, words
from grader.grading.endings import LIMITS
from grader.marking.mark import CellState, FieldState
from grader.marking.properties import Property
from grader.marking.run_report import CaseState


@pytest.mark.parametrize(
    ("table", "states"),
    [
        (words.ITEM_STATES, ItemState),
        (words.VERDICTS, Verdict),
        (words.CELLS, CellState),
        (words.FIELDS, FieldState),
        (code_words.CASES, CaseState),
        (code_words.PROPERTIES, Property),
        (code_words.RUN_STAGES, RunStage),
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
