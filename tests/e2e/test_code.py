"""What a program came to, in a real browser: sound in every look, and whole without scripts."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from exercises.models import Attempt, Run, Submission, User
from exercises.services.outcome_record import outcome_record
from exercises.services.run_record import run_record
from grader.marking.finding import remark
from grader.marking.mark import Mark
from grader.marking.properties import CaseGroup, Property
from grader.marking.run_report import (
    ArrayReport,
    CaseReport,
    CaseState,
    Difference,
    PropertyReport,
    RunLimits,
    RunReport,
)
from grader.marking.text import Text
from grader.marking.verdict import Verdict
from tests.e2e.conftest import OpenReader
from tests.e2e.test_accessibility import assert_sound, every_look, looks

CODE = "def project(x, W, b=None):\n    return x @ W - b\n"


def array(name: str, shape: tuple[int, ...], *cells: float) -> ArrayReport:
    return ArrayReport(name, "float64", shape, tuple(map(str, cells)))


FAILING = CaseReport(
    number=1,
    group=CaseGroup.WITNESS,
    property=Property.VALUES,
    state=CaseState.WRONG,
    call="project(x, W, b)",
    given=(array("x", (2, 1), 1, 2), array("W", (1, 2), 3, 4), array("b", (2,), 1, 1)),
    expected=(array("q", (2, 1, 2), 4, 5, 7, 9),),
    got=(array("q", (2, 1, 2), 4, 5, 5, 7),),
    difference=Difference("q", (1, 0, 0), "7", "5", r"q_{11} = 2 \cdot 3 + 1 = 7"),
    printed="shape (2, 1)\n",
    inputs_changed=True,
    note=Text("注意。", "A note."),
)
VISIBLE = replace(FAILING, group=CaseGroup.VISIBLE, got=(array("q", (2,), 5, 7),), difference=None)
RAISED = replace(
    VISIBLE, number=2, state=CaseState.RAISED, got=(), error="TypeError: unsupported operand", line=2, printed=""
)
HIDDEN = CaseReport(3, group=CaseGroup.HIDDEN, property=Property.SHAPES, state=CaseState.WRONG)
REPORT = RunReport(
    status="raised",
    stdout="loaded\n" + "wide " * 60,
    traceback='  File "submission.py", line 2, in project\nTypeError: unsupported operand\n',
    cpu_ms=5,
    wall_ms=9,
    memory_mib=6,
    limits=RunLimits(2, 4, 512, 64),
    cases=(VISIBLE, RAISED, HIDDEN, replace(HIDDEN, number=4, state=CaseState.RIGHT)),
    smallest=FAILING,
    properties=(
        PropertyReport(Property.VALUES, Decimal(0), Decimal(4), 0, 2),
        PropertyReport(Property.SHAPES, Decimal(1), Decimal(1), 2, 2),
    ),
)
FINDING = remark("code_wrong", Text("结果不对", "The result is wrong"), Text("先看形状。", "Compare the shapes."))


WRONG = Mark(Verdict.PARTIALLY_CORRECT, Decimal(1), Decimal(5), findings=(FINDING,), run=REPORT)
RIGHT = Mark(Verdict.CORRECT, Decimal(5), Decimal(5), run=REPORT)


def settle(submission: Submission, mark: Mark = WRONG) -> None:
    outcome = {"ticket": submission.ticket, "mark": mark.to_json(), "counted": True, "failure": None}
    assert outcome_record(outcome=outcome)


def submit(page: Page) -> None:
    page.fill("#cd-project-code", CODE)
    page.locator("#item-cd-project [data-submit]").click()
    # Without a broker the page waits until the test says what came of it.
    expect(page.locator("#item-cd-project .waiting")).to_be_visible()
    settle(Submission.objects.get())


@every_look
@pytest.mark.usefixtures("broker_away")
def test_result_of_a_program(language: str, theme: str, width: int, ada: User, reader: OpenReader) -> None:
    page = reader(ada, width=width, theme=theme).open(f"/{language}/courses/spring/lessons/qkv/")
    assert_sound(page, "#item-cd-project")
    submit(page)
    item = page.locator("#item-cd-project")
    expect(item.locator(".verdict")).to_be_visible()
    page.eval_on_selector_all("#item-cd-project details", "(all) => all.forEach((each) => { each.open = true; })")
    expect(item.locator(".differs")).to_have_count(2)
    assert_sound(page, "#item-cd-project")


@pytest.mark.usefixtures("broker_away")
def test_a_result_that_comes_changes_the_ways_on_and_leaves_the_box_alone(ada: User, reader: OpenReader) -> None:
    ada.editor = "plain"
    ada.save(update_fields=["editor"])
    page = reader(ada).open("/en/courses/spring/lessons/qkv/")
    item, box = page.locator("#item-cd-project"), page.locator("#cd-project-code")
    hint, way_out = (item.get_by_role("button", name=name) for name in ("Hint", "Show me the solution"))
    for number, mark in enumerate((WRONG, WRONG, RIGHT)):
        page.fill("#cd-project-code", f"{CODE}# {number}\n")
        item.locator("[data-submit]").click()
        expect(item.locator(".waiting")).to_be_visible()
        box.press("End")
        box.press_sequentially("# typed meanwhile")
        settle(Submission.objects.latest("pk"), mark)
        expect(item.locator(".verdict")).to_be_visible()
        expect(box).to_be_focused()
        assert "# typed meanwhile" in box.input_value()
        expect(hint).to_have_count(0 if mark is RIGHT else 1)
        expect(way_out).to_have_count(1 if number == 1 else 0)

    expect(item.get_by_role("link", name="Next exercise")).to_be_visible()
    item.get_by_text("Why is this right?").click()
    expect(item.locator(".solution ol")).to_be_visible()


@looks
def test_page_of_a_run(language: str, theme: str, width: int, ada: User, reader: OpenReader) -> None:
    window = reader(ada, width=width, theme=theme)
    window.open(f"/{language}/courses/spring/lessons/qkv/")
    attempt = Attempt.objects.get(item__slug="cd-project")
    run = Run.objects.create(attempt=attempt, code=CODE, call="project(1, 2)", ticket="t")
    report = replace(REPORT, result="array([1., 2.])", findings=(FINDING,))
    assert run_record(outcome={"ticket": "t", "report": report.to_json(), "failure": None})

    page = window.open(f"/{language}/runs/{run.public_id}/")

    expect(page.locator("#cd-project-code")).to_have_value(CODE)
    expect(page.locator("#cd-project-call")).to_have_value("project(1, 2)")
    assert_sound(page)


@pytest.mark.usefixtures("broker_away")
def test_result_is_whole_without_scripts(ada: User, reader: OpenReader) -> None:
    page = reader(ada, scripts=False).open("/en/courses/spring/lessons/qkv/")
    submit(page)
    page.reload()
    item = page.locator("#item-cd-project")
    expect(item.locator(".finding")).to_contain_text("The result is wrong")
    expect(item.locator(".smallest")).to_contain_text(
        "First difference q, block 2, row 1, column 1: 7 expected, 5 came back"
    )
    item.locator(".case summary").first.click()
    expect(item.locator(".case .call").first).to_contain_text("Shape expected (2, 1, 2)")


@pytest.mark.usefixtures("broker_away")
def test_keys_run_and_submit_from_the_plain_box(ada: User, reader: OpenReader) -> None:
    ada.editor = "plain"
    ada.save(update_fields=["editor"])
    page = reader(ada).open("/en/courses/spring/lessons/qkv/")
    page.fill("#cd-project-code", CODE)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#run-cd-project")).to_contain_text("No code can be run right now.")
    expect(page.locator("#cd-project-code")).to_be_focused()
    assert Submission.objects.count() == 0
    page.keyboard.press("Control+Shift+Enter")
    expect(page.locator("#item-cd-project .waiting")).to_be_visible()
    assert Submission.objects.get().raw_response == {"code": CODE}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gbk"])
def test_a_chosen_file_is_laid_into_the_box(encoding: str, ada: User, reader: OpenReader, tmp_path: Path) -> None:
    page = reader(ada).open("/en/courses/spring/lessons/qkv/")
    file = tmp_path / "mine.py"
    file.write_bytes("# 计算\r\nx = 1\r\n".encode(encoding))
    page.set_input_files("#cd-project-file", file)
    expect(page.locator("#cd-project-code")).to_have_value("# 计算\nx = 1\n")
    expect(page.locator("#cd-project-file")).to_have_value("")
    page.keyboard.press("Control+z")
    expect(page.locator("#cd-project-code")).not_to_have_value("# 计算\nx = 1\n")
