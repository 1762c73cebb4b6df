"""A code submission from text to mark, through the real sandbox: every ending has its own words, and its own count."""

from __future__ import annotations

import json
import textwrap
from decimal import Decimal

import pytest

from grader.grading import Graded, grade_code
from grader.marking.mark import CaseState, Mark
from grader.marking.verdict import Verdict
from grader.sandbox import Job, RunResult, RunStatus, Sandbox, SandboxUnavailable
from tests.grader.samples import CODE, QKV, definition

RIGHT = "def project(x, W, b=None):\n    return x @ W if b is None else x @ W + b\n"
HIDDEN = slice(1, None)


class OneWay:
    """In the sandbox's place: whatever is run ends in this way."""

    def __init__(self, ending: RunResult | SandboxUnavailable) -> None:
        self.ending = ending
        self.jobs: list[Job] = []

    def run(self, job: Job) -> RunResult:
        self.jobs.append(job)
        if isinstance(self.ending, SandboxUnavailable):
            raise self.ending
        return self.ending


def grade(code: str, jail: object, *, seed: int = 7) -> Graded:
    return grade_code(definition(CODE), seed, textwrap.dedent(code), jail)  # type: ignore[arg-type]


def mark_of(graded: Graded) -> Mark:
    assert graded.failure is None
    assert graded.mark is not None
    return graded.mark


def only_finding(graded: Graded) -> tuple[str, str]:
    """The slug and the English text of the one finding."""
    (finding,) = mark_of(graded).findings
    return finding.slug, finding.text.en


@pytest.mark.jail
def test_right_code_gets_full_score_and_a_report_without_hidden_values(jail: Sandbox):
    graded = grade(RIGHT, jail)

    mark = mark_of(graded)
    assert (mark.verdict, mark.score, mark.findings) == (Verdict.CORRECT, Decimal(5), ())
    assert mark.run is not None
    assert [case.state for case in mark.run.cases] == [CaseState.RIGHT] * 4
    assert [case.visible for case in mark.run.cases] == [True, False, False, False]
    assert all(case.given == case.expected == case.got == "" for case in mark.run.cases[HIDDEN])
    assert mark.run.cases[0].expected == mark.run.cases[0].got != ""
    assert graded.counted


@pytest.mark.jail
def test_a_mark_survives_the_way_through_the_queue(jail: Sandbox):
    graded = grade("def project(x, W, b=None):\n    return x @ W\n", jail)
    assert Mark.from_json(json.loads(json.dumps(graded.to_json()))["mark"]) == graded.mark


@pytest.mark.jail
def test_named_mistake_counts_and_scores_nothing(jail: Sandbox):
    graded = grade("def project(x, W, b=None):\n    return x @ W\n", jail)
    assert mark_of(graded).misconceptions == ("bias_dropped",)
    assert (mark_of(graded).score, graded.counted) == (Decimal(0), True)


@pytest.mark.jail
def test_endless_loop_is_a_time_limit_and_counts(jail: Sandbox):
    graded = grade("def project(x, W, b=None):\n    while True:\n        pass\n", jail)

    slug, words = only_finding(graded)
    assert (slug, graded.counted) == ("code_time", True)
    assert "2 s" in words
    assert mark_of(graded).run is not None
    assert [case.state for case in mark_of(graded).run.cases] == [CaseState.NOT_REACHED] * 4


@pytest.mark.jail
def test_memory_bomb_is_a_memory_limit_and_counts(jail: Sandbox):
    graded = grade("import numpy as np\n\ndef project(x, W, b=None):\n    return np.ones((40_000, 40_000))\n", jail)
    slug, words = only_finding(graded)
    assert (slug, "512 MiB" in words) == ("code_memory", True)
    assert (mark_of(graded).score, graded.counted) == (Decimal(0), True)


@pytest.mark.jail
def test_memory_taken_bit_by_bit_is_a_memory_limit(jail: Sandbox):
    code = "kept = []\n\ndef project(x, W, b=None):\n    while True:\n        kept.append(bytearray(2**24))\n"
    assert only_finding(grade(code, jail))[0] == "code_memory"


@pytest.mark.jail
def test_endless_printing_is_an_output_limit(jail: Sandbox):
    code = 'def project(x, W, b=None):\n    while True:\n        print("again " * 1000)\n'
    slug, words = only_finding(grade(code, jail))
    assert (slug, "64 KiB" in words) == ("code_output", True)


@pytest.mark.jail
def test_syntax_error_is_told_with_its_line_and_not_counted(jail: Sandbox):
    graded = grade("def project(x, W, b=None)\n    return x @ W\n", jail)
    slug, words = only_finding(graded)
    assert (slug, graded.counted) == ("code_syntax", False)
    assert "line 1" in words


@pytest.mark.jail
@pytest.mark.parametrize("code", ["def projekt(x, W, b=None):\n    return x\n", "project = 3\n", "# nothing yet\n"])
def test_missing_function_is_named_and_not_counted(code: str, jail: Sandbox):
    graded = grade(code, jail)
    assert (only_finding(graded)[0], graded.counted) == ("code_missing", False)
    assert mark_of(graded).findings[0].title.en == "There is no function project"


@pytest.mark.jail
def test_exception_while_loading_counts(jail: Sandbox):
    graded = grade("raise RuntimeError('not today')\n", jail)
    assert only_finding(graded) == ("code_raised", "Line 1: not today")
    assert graded.counted


@pytest.mark.jail
def test_exception_on_a_visible_case_is_shown_with_line_and_own_traceback(jail: Sandbox):
    code = 'def project(x, W, b=None):\n    return lookup["none"]\n\nlookup = {}\n'
    graded = grade(code, jail)
    assert only_finding(graded) == ("code_raised", "Line 2: 'none'")
    run = mark_of(graded).run
    assert run is not None
    assert "line 2, in project" in run.traceback
    assert "grader" not in run.traceback
    assert [case.state for case in run.cases] == [CaseState.RAISED] * 4


@pytest.mark.jail
def test_what_hidden_cases_print_raise_and_return_is_never_shown(jail: Sandbox):
    """A program that tries to read the hidden arguments out through every channel that a page shows."""
    code = """
        calls = 0

        def project(x, W, b=None):
            global calls
            calls += 1
            print("call", calls, "secret" if calls > 1 else "open")
            if calls == 3:
                raise ValueError(f"secret {x}")
            return x @ W if b is None else x @ W + b
    """
    mark = mark_of(grade(code, jail))
    assert mark.run is not None
    assert mark.run.stdout == "call 1 open\n"
    assert mark.run.cases[0].state is CaseState.RIGHT
    assert "secret" not in json.dumps(mark.to_json())
    assert [(finding.slug, finding.title.en) for finding in mark.findings] == [
        ("code_raised", "The code raised ValueError")
    ]


@pytest.mark.jail
def test_function_that_returns_nothing_is_told_so(jail: Sandbox):
    slug, words = only_finding(grade("def project(x, W, b=None):\n    print(x @ W)\n", jail))
    assert (slug, "returned None" in words) == ("code_kind", True)


@pytest.mark.jail
def test_changing_the_arguments_is_no_right_answer(jail: Sandbox):
    code = """
        def project(x, W, b=None):
            q = x @ W
            if b is not None:
                q = q + b
            x *= 0
            return q
    """
    assert only_finding(grade(code, jail))[0] == "code_mutated"


@pytest.mark.jail
def test_expected_values_cannot_be_had_from_inside(jail: Sandbox):
    """What is in reach of the code: its own arguments, and no module of the grader."""
    code = """
        import gc
        import sys

        def project(x, W, b=None):
            names = [name for name in sys.modules if "grader" in name or "marking" in name]
            arrays = [thing for thing in gc.get_objects() if type(thing).__name__ == "DrawnCase"]
            if names or arrays:
                return x @ W * 0
            return x @ W if b is None else x @ W + b
    """
    assert mark_of(grade(code, jail)).verdict is Verdict.CORRECT


@pytest.mark.jail
def test_memory_bomb_while_loading_is_a_memory_limit_as_well(jail: Sandbox):
    graded = grade(f"import numpy as np\nbig = np.ones((40_000, 40_000))\n{RIGHT}", jail)
    assert (only_finding(graded)[0], graded.counted) == ("code_memory", True)


def test_our_own_trouble_is_nobodys_mistake():
    assert grade(RIGHT, OneWay(RunResult(RunStatus.INTERNAL_ERROR))) == Graded(failure="sandbox_internal_error")


def test_sandbox_that_cannot_start_is_a_failure_without_a_mark():
    assert grade(RIGHT, OneWay(SandboxUnavailable("no walls"))) == Graded(failure="sandbox_unavailable")


@pytest.mark.parametrize("status", [RunStatus.CRASHED, RunStatus.SECURITY_VIOLATION])
def test_abrupt_ends_are_the_codes_own_and_count(status: RunStatus):
    graded = grade(RIGHT, OneWay(RunResult(status)))
    assert only_finding(graded)[0] == {RunStatus.CRASHED: "code_crashed"}.get(status, "code_violation")
    assert (mark_of(graded).verdict, graded.counted) == (Verdict.INCORRECT, True)


def test_jobs_carry_arguments_and_no_expected_value_hidden_ones_apart():
    jail = OneWay(RunResult(RunStatus.RETURNED))
    grade(RIGHT, jail)
    shown, hidden = jail.jobs
    assert [len(job.cases) for job in (shown, hidden)] == [1, 3]
    assert [len(case.arguments) for job in (shown, hidden) for case in job.cases] == [3] * 4
    assert [case.arguments[2] is None for case in hidden.cases] == [False, True, False]
    assert [(job.function, job.code) for job in (shown, hidden)] == [("project", RIGHT)] * 2


def test_hidden_cases_follow_the_seed_and_visible_ones_do_not():
    one, other = OneWay(RunResult(RunStatus.RETURNED)), OneWay(RunResult(RunStatus.RETURNED))
    grade(RIGHT, one, seed=1)
    grade(RIGHT, other, seed=2)
    assert one.jobs[0].cases == other.jobs[0].cases
    assert one.jobs[1].cases != other.jobs[1].cases


def test_hidden_cases_are_not_run_after_an_abrupt_end_of_the_visible_ones():
    jail = OneWay(RunResult(RunStatus.TIME_LIMIT))
    grade(RIGHT, jail)
    assert len(jail.jobs) == 1


@pytest.mark.jail
def test_endless_loop_on_hidden_cases_alone_is_a_time_limit_too(jail: Sandbox):
    code = """
        def project(x, W, b=None):
            while x.ndim == 1:
                pass
            return x @ W if b is None else x @ W + b
    """
    graded = grade(code, jail)
    run = mark_of(graded).run
    assert only_finding(graded)[0] == "code_time"
    assert run is not None
    assert [case.state for case in run.cases] == [CaseState.RIGHT, *[CaseState.NOT_REACHED] * 3]


def test_item_of_another_kind_is_refused():
    with pytest.raises(TypeError, match="qkv is a numeric item, not code"):
        grade_code(definition(QKV), 1, RIGHT, OneWay(RunResult(RunStatus.CRASHED)))  # type: ignore[arg-type]
