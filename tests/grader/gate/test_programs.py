"""The mutation gate on a small folder: what is refused, and with which words."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader.gate.program_report import ProgramReport, TriedProgram
from grader.gate.programs import OTHER_SEEDS, ReferenceProgram, check_programs, judge_program, tried_slips
from grader.grading.grade import plan_of
from grader.sandbox import Sandbox, SandboxUnavailable
from tests.grader import samples
from tests.grader.gate.test_check import CONTENT, as_item

RIGHT = "# expect: correct\ndef project(x, W, b=None):\n    return x @ W if b is None else x @ W + b\n"
DROPPED = '# expect: bias_dropped\ndef project(x, W, b=None):\n    """No bias."""\n    return x @ W\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A course of one code item, with a right program and a wrong one."""
    shutil.copy(CONTENT / "misconceptions.toml", tmp_path)
    lesson = tmp_path / "course" / "lessons" / "only"
    lesson.mkdir(parents=True)
    (tmp_path / "course" / "course.toml").write_text(
        'format = 1\nslug = "course"\nlessons = ["only"]\n'
        'title = { zh-hans = "课", en = "Course" }\nsummary = { zh-hans = "课", en = "Course" }\n',
        encoding="utf-8",
    )
    (lesson / "items.toml").write_text(as_item(samples.CODE), encoding="utf-8")
    slug = samples.item(samples.CODE).slug
    for language in ("zh-hans", "en"):
        (lesson / f"lesson.{language}.md").write_text(f"# Lesson\n\n{{{{ item {slug} }}}}\n", encoding="utf-8")
    (tmp_path / "course" / "reference" / slug).mkdir(parents=True)
    write(tmp_path, "right_plain", RIGHT)
    write(tmp_path, "wrong_no_bias", DROPPED)
    return tmp_path


def write(folder: Path, name: str, code: str, item: str = "") -> Path:
    path = folder / "course" / "reference" / (item or samples.item(samples.CODE).slug) / f"{name}.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text(code, encoding="utf-8")
    return path


def reasons(folder: Path) -> list[tuple[str, int, str]]:
    return [(refusal.path.name, refusal.line, refusal.reason) for refusal in check_programs(folder).refusals]


@pytest.mark.jail
def test_programs_that_get_their_name_are_in_order(folder: Path, jail: Sandbox):
    report = check_programs(folder)

    assert report.refusals == ()
    assert [(one.name, one.idea, one.found) for one in report.tried] == [
        ("right_plain.py", "", "correct"),
        ("wrong_no_bias.py", "No bias.", "bias_dropped"),
    ]
    assert report.tried[1].score != report.tried[1].max_score
    assert list(report.lines())[-1] == "programs: 2; refusals: 0"
    assert ProgramReport.from_json(json.loads(json.dumps(report.to_json()))) == report


@pytest.mark.jail
@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (RIGHT.replace("correct", "bias_twice"), "expected bias_twice, found correct, "),
        (DROPPED.replace("bias_dropped", "correct"), "expected correct, found bias_dropped, "),
        (DROPPED.replace("bias_dropped", "w_transposed"), "expected w_transposed, found bias_dropped, "),
        (RIGHT.replace("x @ W if", "x @ W) if"), "expected correct, found code_syntax, "),
        (RIGHT.replace("# expect: correct\n", ""), "the first line must say what is to be found"),
    ],
)
def test_a_program_that_gets_another_name_is_refused_with_both(folder: Path, jail: Sandbox, code: str, reason: str):
    path = write(folder, "wrong_new", code)

    ((name, line, found),) = reasons(folder)

    assert (name, line) == (path.name, 1)
    assert found.startswith(reason)


@pytest.mark.jail
def test_a_program_whose_name_depends_on_the_numbers_drawn_is_refused(folder: Path, jail: Sandbox):
    (hidden, *_) = plan_of(samples.definition(samples.CODE)).draw(OTHER_SEEDS[-1]).hidden
    code = DROPPED.replace("return x @ W", f"return x @ W + (abs(W[0, 0] - {hidden.givens['W'][0, 0]}) < 1e-9)")
    write(folder, "wrong_by_chance", code)

    assert reasons(folder) == [
        ("wrong_by_chance.py", 1, "other hidden numbers change it: found code_wrong, 0/5"),
    ]


@pytest.mark.jail
def test_a_program_of_no_item_and_an_item_of_no_program_are_refused(folder: Path, jail: Sandbox):
    write(folder, "right_plain", RIGHT, item="cd-unknown")
    shutil.rmtree(folder / "course" / "reference" / samples.item(samples.CODE).slug)

    assert sorted(reason for _, _, reason in reasons(folder)) == [
        "other code items have programs, right_*.py and wrong_*.py, that try them; this one has none",
        f"there is no code item 'cd-unknown'; there are {samples.item(samples.CODE).slug}",
    ]


def test_full_marks_for_a_wrong_program_and_less_for_a_right_one_are_refused():
    wrong = ReferenceProgram("cd-demo", Path("wrong_a.py"), "# expect: code_mutated\n")
    right = ReferenceProgram("cd-demo", Path("right_a.py"), "# expect: correct\n")
    tried = TriedProgram("cd-demo", "wrong_a.py", "", "code_mutated", "5", "5")
    less = TriedProgram("cd-demo", "right_a.py", "", "correct", "4", "5")

    said = "a right program earns full marks and a wrong one less, found "
    assert judge_program(wrong, tried) == f"{said}code_mutated, 5/5"
    assert judge_program(right, less) == f"{said}correct, 4/5"


def test_no_slip_of_the_sample_would_pass():
    tried = tried_slips(samples.definition(samples.CODE))

    assert len(tried) >= 6
    assert set(tried.values()) == {False}


def test_where_the_sandbox_does_not_stand_the_rest_is_checked_and_the_reason_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    def nowhere(*, minimum_tier: int) -> Sandbox:
        raise SandboxUnavailable(f"tier {minimum_tier} does not stand here")

    monkeypatch.setattr("grader.gate.programs.Sandbox", nowhere)
    monkeypatch.setenv("SANDBOX_MIN_TIER", "2")
    write(folder, "wrong_new", RIGHT.replace("# expect: correct\n", ""))

    report = check_programs(folder)

    assert report.unavailable == "tier 2 does not stand here"
    assert [refusal.path.name for refusal in report.refusals] == ["wrong_new.py"]
    assert "note: the reference programs were not run: tier 2 does not stand here" in report.lines()


def test_a_folder_that_cannot_be_read_is_refused_elsewhere(tmp_path: Path):
    assert check_programs(tmp_path) == ProgramReport()


@pytest.mark.jail
def test_the_gate_is_a_process_that_prints_its_report(folder: Path, jail: Sandbox):
    run = subprocess.run([sys.executable, "-m", "grader.gate", str(folder)], capture_output=True, text=True, check=True)

    assert len(ProgramReport.from_json(json.loads(run.stdout)).tried) == 2
