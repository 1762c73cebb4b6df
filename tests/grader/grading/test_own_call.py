"""Code run without being marked: on a call of the learner's own, or on the cases that the page shows."""

from __future__ import annotations

import json

import pytest

from grader.grading import Ran, run_code
from grader.marking.run_report import CaseState, RunReport
from grader.sandbox import RunResult, RunStatus, Sandbox, SandboxUnavailable
from tests.grader import code_samples
from tests.grader.grading.test_grade import RIGHT, OneWay
from tests.grader.samples import CODE, definition


def run(code: str, call: str, jail: object, toml: str = CODE) -> RunReport:
    ran = run_code(definition(toml), code, call, jail)  # type: ignore[arg-type]
    assert ran.failure is None
    assert ran.report is not None
    assert RunReport.from_json(json.loads(json.dumps(ran.to_json()))["report"]) == ran.report
    return ran.report


def only_finding(report: RunReport) -> tuple[str, str]:
    (finding,) = report.findings
    return finding.slug, finding.text.en


@pytest.mark.jail
def test_a_call_of_ones_own_shows_its_result_and_what_was_printed(jail: Sandbox):
    code = f"import numpy as np\nprint('loaded')\n{RIGHT.replace('    return', '    print(x.shape)' + chr(10) + '    return')}"
    report = run(code, "project(np.eye(2), np.ones((2, 2)))", jail)

    assert report.result == "array([[1., 1.],\n       [1., 1.]])"
    assert report.stdout == "loaded\n(2, 2)\n"
    assert (report.status, report.findings, report.cases, report.traceback) == ("returned", (), (), "")
    assert report.limits.cpu_s == 2
    assert report.memory_mib > 0


@pytest.mark.jail
@pytest.mark.parametrize("call", ["1 + 1  # two", "(\n1 +\n1)", "  2"])
def test_a_call_is_any_expression(call: str, jail: Sandbox):
    assert run(RIGHT, call, jail).result == "2"


@pytest.mark.jail
def test_a_call_needs_no_function_of_the_item(jail: Sandbox):
    assert run("def helper():\n    return 'x'", "helper()", jail).result == "'x'"


@pytest.mark.jail
@pytest.mark.parametrize(
    ("code", "call", "slug", "words"),
    [
        (RIGHT, "project(", "code_call", "`project(` is no whole expression"),
        (RIGHT, "x = 1", "code_call", "`x = 1` is no whole expression"),
        (RIGHT, "1 / 0", "code_raised", "division by zero"),
        (RIGHT, "project(1)", "code_signature", "project(x, W, b=None)"),
        ("def project(x, W)\n    return x\n", "1", "code_syntax", "A colon is missing"),
        ("while True:\n    pass\n", "1", "code_", "was stopped"),
    ],
)
def test_a_call_that_comes_to_nothing_is_told_why(code: str, call: str, slug: str, words: str, jail: Sandbox):
    report = run(code, call, jail)
    found, text = only_finding(report)

    assert (found.startswith(slug), words in text, report.result) == (True, True, ""), (found, text)


@pytest.mark.jail
def test_without_a_call_the_visible_cases_run_and_nothing_is_scored(jail: Sandbox):
    report = run("def project(x, W, b=None):\n    print(x.shape)\n    return x @ W\n", "  ", jail)

    assert [case.state for case in report.cases] == [CaseState.WRONG]
    assert report.cases[0].expected != report.cases[0].got != ()
    assert (report.stdout, report.properties, report.smallest, report.findings) == ("(2, 3)\n", (), None, ())


@pytest.mark.jail
@pytest.mark.parametrize(
    ("code", "slug"),
    [
        ("def project(x, W, b=None):\n    return x @ W @ W\n", "code_broadcast"),
        ("def projekt(x):\n    return x\n", "code_missing"),
        ("import torch\n", "code_import"),
        ("def project(x, W, b=None):\n    while True:\n        print('x' * 1000)\n", "code_output"),
        ("while True:\n    print('x' * 1000)\n", "code_output"),
    ],
)
def test_what_keeps_visible_cases_from_an_end_is_told(code: str, slug: str, jail: Sandbox):
    assert only_finding(run(code, "", jail))[0] == slug


@pytest.mark.jail
def test_a_repair_can_be_run_before_its_failing_case_is_written(jail: Sandbox):
    code = "import numpy as np\n\n\ndef attention(Q, K, V):\n    return Q @ K.T @ V\n"

    assert len(run(code, "", jail, code_samples.FIX).cases) == 1


@pytest.mark.parametrize("call", ["", "1"])
def test_our_own_trouble_is_a_failure_without_a_report(call: str):
    internal, away = OneWay(RunResult(RunStatus.INTERNAL_ERROR)), OneWay(SandboxUnavailable("no walls"))

    assert run_code(definition(CODE), RIGHT, call, internal) == Ran(failure="sandbox_internal_error")  # type: ignore[arg-type]
    assert run_code(definition(CODE), RIGHT, call, away) == Ran(failure="sandbox_unavailable")  # type: ignore[arg-type]
