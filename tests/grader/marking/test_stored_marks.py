"""Marks and reports that were stored in an earlier form can still be read, and shown."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest

from grader.marking.mark import Mark
from grader.marking.properties import CaseGroup, Property
from grader.marking.run_report import ArrayReport, CaseState, RunLimits, RunReport
from grader.marking.verdict import Verdict

STORED = json.loads((Path(__file__).parents[2] / "fixtures" / "stored_marks.json").read_text(encoding="utf-8"))


def test_a_mark_of_the_first_form_keeps_its_score_its_words_and_who_may_see_its_cases():
    mark = Mark.from_json(STORED["first form"])

    assert (mark.verdict, mark.score, mark.max_score, mark.credit) == (Verdict.INCORRECT, Decimal(0), Decimal(3), None)
    assert mark.misconceptions == ("w_transposed",)
    assert mark.run is not None
    assert (mark.run.status, mark.run.stdout, mark.run.cpu_ms, mark.run.memory_mib) == ("returned", "hello\n", 3, 31)
    assert [(case.number, case.group, case.property, case.state) for case in mark.run.cases] == [
        (1, CaseGroup.VISIBLE, Property.VALUES, CaseState.WRONG),
        (2, CaseGroup.HIDDEN, Property.VALUES, CaseState.RAISED),
    ]
    assert (mark.run.smallest, mark.run.properties, mark.run.limits) == (None, (), RunLimits())


def test_a_mark_before_there_were_limits_and_findings_of_a_run_is_whole():
    run = Mark.from_json(STORED["before limits"]).run

    assert run is not None
    assert run.smallest is not None
    assert run.smallest.got == (ArrayReport("q", "float64", (2,), ("1", "4")),)
    assert run.smallest.difference is not None
    assert (run.smallest.difference.cell, run.smallest.difference.worked, run.smallest.note.en) == ((1,), "", "")
    assert (run.limits, run.findings, run.limit, run.result) == (RunLimits(cpu_s=2), (), "", "")


@pytest.mark.parametrize("name", STORED)
def test_what_was_read_is_written_in_the_form_of_today(name: str):
    mark = Mark.from_json(STORED[name])

    assert Mark.from_json(json.loads(json.dumps(mark.to_json()))) == mark


@pytest.mark.parametrize("lost", ["status", "stdout", "traceback", "cpu_ms", "memory_mib"])
def test_what_every_form_holds_may_not_be_absent(lost: str):
    run = {name: value for name, value in STORED["first form"]["run"].items() if name != lost}

    with pytest.raises(KeyError):
        RunReport.from_json(run)
