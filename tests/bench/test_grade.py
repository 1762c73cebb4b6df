"""The suite `grade`: what it times is a whole grading, and each of its programs ends as its name says."""

from __future__ import annotations

import pytest

from bench.grade import NAMED, RIGHT, UNEXPLAINED, grade_ratio, item_definition
from grader.grading import grade_code
from grader.sandbox import Sandbox


@pytest.mark.jail
@pytest.mark.parametrize(
    ("program", "findings"), [(RIGHT, []), (NAMED, ["scale_missing"]), (UNEXPLAINED, ["code_wrong"])]
)
def test_each_program_that_is_timed_gets_the_findings_that_it_stands_for(
    program: str, findings: list[str], jail: Sandbox
):
    graded = grade_code(item_definition(), 1, program, jail)

    assert graded.mark is not None
    assert graded.mark.run is not None
    assert [finding.slug for finding in graded.mark.findings] == findings
    assert len(graded.mark.run.cases) == 12
    assert (graded.mark.run.smallest is None) == (not findings)


@pytest.mark.jail
def test_grading_is_far_quicker_than_the_start_of_a_python(jail: Sandbox):
    assert 0 < grade_ratio(item_definition(), RIGHT, jail, rounds=5) < 1
