"""The code editor in a real browser, under the strict policy: keys, the box under it, the marks, and the way out."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from exercises.models import Attempt, Submission, User
from exercises.services.run_record import run_record
from tests.e2e.conftest import OpenReader
from tests.e2e.test_code import REPORT

LESSON = "/en/courses/spring/lessons/qkv/"
BOX = "#cd-project-code"
SWITCH = "#item-cd-project [data-editor-switch]"


def editor(page: Page) -> Locator:
    found = page.locator("#item-cd-project .cm-content")
    page.locator(BOX).scroll_into_view_if_needed()
    expect(found).to_be_visible()
    return found


@pytest.fixture
def page(ada: User, reader: OpenReader) -> Page:
    return reader(ada).open(LESSON)


def write_over(page: Page, text: str) -> None:
    editor(page).click()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.type(text)


def test_tab_indents_and_escape_then_tab_leaves(page: Page) -> None:
    write_over(page, "def f():\nx = 1")
    page.keyboard.press("Tab")
    expect(page.locator(BOX)).to_have_value("def f():\n    x = 1    ")

    page.keyboard.press("Escape")
    page.keyboard.press("Tab")

    expect(editor(page)).not_to_be_focused()
    expect(page.locator(BOX)).to_have_value("def f():\n    x = 1    ")


def test_the_way_out_is_said_on_the_page_and_to_screen_readers(page: Page) -> None:
    words = "Tab indents; Esc and then Tab leaves the box."
    expect(page.locator("#cd-project-keys")).to_contain_text(words)
    described = editor(page).evaluate(
        "(text) => text.getRootNode().getElementById(text.getAttribute('aria-describedby')).textContent"
    )
    assert words in described
    assert editor(page).get_attribute("aria-label") == "Your code"


def test_undo_in_the_editor_takes_back_what_a_script_laid_in(page: Page) -> None:
    write_over(page, "mine")
    page.eval_on_selector(
        BOX, "(box) => { box.value = 'other'; box.dispatchEvent(new Event('input', {bubbles: true})); }"
    )
    expect(editor(page)).to_have_text("other")

    page.keyboard.press("Control+z")

    expect(page.locator(BOX)).to_have_value("mine")


@pytest.mark.usefixtures("broker_away")
def test_keys_run_and_submit_what_stands_in_the_editor(page: Page) -> None:
    write_over(page, "x = 1")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#run-cd-project")).to_contain_text("No code can be run right now.")
    expect(editor(page)).to_have_text("x = 1")
    assert Submission.objects.count() == 0

    page.keyboard.press("Control+Shift+Enter")

    expect(page.locator("#item-cd-project .waiting")).to_be_visible()
    assert Submission.objects.get().raw_response == {"code": "x = 1"}


def test_the_plain_box_is_remembered(page: Page, ada: User) -> None:
    write_over(page, "x = 1")
    with page.expect_response(lambda answer: "/settings/" in answer.url):
        page.click(SWITCH)
    expect(page.locator(BOX)).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.type("2")
    expect(page.locator(BOX)).to_have_value("x = 12")
    ada.refresh_from_db()
    assert ada.editor == "plain"

    page.keyboard.press("Tab")
    expect(page.locator(BOX)).not_to_be_focused()
    page.reload()
    page.locator(BOX).scroll_into_view_if_needed()
    expect(page.locator(SWITCH)).to_have_text("Use the code editor")
    page.wait_for_timeout(300)
    expect(page.locator("#item-cd-project .code-editor")).to_have_count(0)

    with page.expect_response(lambda answer: "/settings/" in answer.url):
        page.click(SWITCH)
    expect(editor(page)).to_be_visible()


def test_the_line_of_an_error_is_marked_until_it_is_changed(ada: User, reader: OpenReader) -> None:
    window = reader(ada)
    window.open(LESSON)
    attempt = Attempt.objects.get(item__slug="cd-project")
    run = attempt.runs.create(code="def project(x, W, b=None):\n    return x @ W - b\n", ticket="t")
    assert run_record(outcome={"ticket": "t", "report": REPORT.to_json(), "failure": None})
    page = window.open(f"/en/runs/{run.public_id}/")
    text = editor(page)

    expect(text.locator(".fault-line")).to_have_text("    return x @ W - b")
    expect(text.locator(".fault")).to_have_text("▲ TypeError: unsupported operand")
    text.locator(".fault-line").click()
    page.keyboard.type("0")

    expect(text.locator(".fault")).to_have_count(0)


def test_a_page_without_code_fetches_no_editor(ada: User, reader: OpenReader) -> None:
    window = reader(ada)
    fetched: list[str] = []
    window.page.on("request", lambda request: fetched.append(request.url))
    window.open("/en/courses/spring/lessons/naive/")
    window.page.wait_for_load_state("networkidle")

    assert [address for address in fetched if "editor" in address] == []
