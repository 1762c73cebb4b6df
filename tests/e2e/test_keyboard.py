"""The whole main job with the keyboard alone, and where the focus stands at each station of it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from exercises.models import Submission, User
from tests.e2e.conftest import OpenReader
from tests.e2e.numbers import Vectors, projections
from tests.e2e.test_walk import settle_as_right
from tests.factories import PASSWORD

MOST_STOPS = 200
NUMBERS, CODE = "#item-pj-qkv", "#item-cd-project"
HOLDS_FOCUS = "(element) => element.getRootNode().activeElement === element"
# What has the focus, within whichever shadow, is in sight and has a line drawn round it or round the box it fills.
SHOWS_FOCUS = """(element) => {
    const { top, bottom, width } = element.getBoundingClientRect();
    const isInSight = width > 0 && bottom > 0 && top < innerHeight;
    const box = element.closest(".cm-editor") ?? element;
    return isInSight && getComputedStyle(box).outlineStyle !== "none";
}"""


@pytest.mark.usefixtures("broker_away")
def test_the_whole_job_by_keyboard_alone(ada: User, reader: OpenReader) -> None:
    page = reader().open("/en/")

    sign_in(page)
    go_to_the_lesson(page)
    err_and_read_the_finding(page, ada)
    take_a_hint_and_mend(page, ada)
    write_code_and_leave_the_editor(page)
    run_and_submit(page)
    go_on_and_sign_out(page)


def sign_in(page: Page) -> None:
    go_to(page, page.get_by_label("User name or e-mail"))
    page.keyboard.type("ada")
    go_to(page, page.get_by_label("Password", exact=True))
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    go_to(page, page.get_by_label("I have read the privacy notice"))
    page.keyboard.press("Space")
    press(page, page.get_by_role("button", name="Go on"))


def go_to_the_lesson(page: Page) -> None:
    """From the course, past the masthead, and down the list of contents."""
    expect(page.get_by_role("heading", level=1)).to_have_text("Course spring")
    skip_to_the_content(page)
    press(page, page.get_by_role("link", name="Query, key, value: one token, three roles"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("Query, key, value")
    skip_to_the_content(page)
    press(page, page.locator(f".lesson-contents a[href='{NUMBERS}']"))


def skip_to_the_content(page: Page) -> None:
    press(page, page.get_by_role("link", name="Skip to the content"))
    expect(page.locator("#main")).to_be_focused()


def err_and_read_the_finding(page: Page, user: User) -> None:
    """The focus goes to the first number that is wrong, and what is said of it is said with it."""
    item = page.locator(NUMBERS)
    go_to(page, item.locator("matrix-input input").first)
    fill_in(page, projections(user, W_for_q="W_K"))
    page.keyboard.press("Enter")
    first = item.locator("[data-focus]").first
    expect(first).to_be_focused()
    expect(first).to_have_attribute("name", re.compile("q"))
    expect(first).to_have_accessible_description(re.compile(r"\w"))
    expect(item.locator("fieldset:has(:focus) .finding-title")).to_contain_text("The wrong matrix")
    expect(page.locator("#announcer")).to_contain_text("Try 1: Partly correct")


def take_a_hint_and_mend(page: Page, user: User) -> None:
    item = page.locator(NUMBERS)
    press(page, item.get_by_role("button", name="Hint"))
    expect(item.locator(".hint")).to_be_focused()
    go_to(page, item.locator("matrix-input input").first, key="Shift+Tab")
    fill_in(page, projections(user))
    page.keyboard.press("Enter")
    expect(item.locator(".verdict-word")).to_be_focused()
    expect(item.locator(".verdict")).to_contain_text("Correct")
    onward = item.get_by_role("link", name=re.compile("^Next exercise"))
    target = (onward.get_attribute("href") or "").partition("#")[2]
    press(page, onward)
    expect(page).to_have_url(re.compile(f"#{target}$"))
    page.keyboard.press("Tab")
    assert page.evaluate("(id) => document.activeElement.closest('.item')?.id === id", target)


def write_code_and_leave_the_editor(page: Page) -> None:
    """Tab goes into the editor and indents there; Escape and then Tab comes out behind it."""
    item = page.locator(CODE)
    text = item.locator(".cm-content")
    press(page, page.locator(f".lesson-contents a[href='{CODE}']"), key="Shift+Tab")
    expect(text).to_be_visible()
    go_to(page, text)
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.type("def project(x, W, b=None):\nreturn x @ W")
    page.keyboard.press("Tab")
    expect(text).to_be_focused()
    expect(item.locator("textarea")).to_have_value("def project(x, W, b=None):\n    return x @ W    ")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(item.locator("[data-editor-switch]")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(text).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(item.locator("[data-editor-switch]")).to_be_focused()


def run_and_submit(page: Page) -> None:
    item = page.locator(CODE)
    press(page, item.locator("[data-run]"))
    expect(page.locator("#run-cd-project")).to_contain_text("No code can be run right now.")
    assert Submission.objects.filter(attempt__item__slug="cd-project").count() == 0
    press(page, item.locator("[data-submit]"))
    expect(item.locator(".waiting [data-focus]")).to_be_focused()
    settle_as_right(Submission.objects.get(attempt__item__slug="cd-project"))
    expect(item.locator(".verdict-word")).to_be_focused()
    expect(item.locator(".verdict")).to_contain_text("Correct")


def go_on_and_sign_out(page: Page) -> None:
    """The way on has come with the result that was waited for."""
    item = page.locator(CODE)
    press(page, item.get_by_role("link", name=re.compile("^Next exercise")))
    expect(page).not_to_have_url(re.compile(f"{CODE}$"))
    press(page, item.get_by_role("link", name="Address of this submission"), key="Shift+Tab")
    expect(page.get_by_role("heading", level=1)).to_have_text("Submission")
    press(page, page.get_by_role("link", name="Sign out (Ada)"))
    press(page, page.get_by_role("button", name="Sign out"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")


def go_to(page: Page, target: Locator, *, key: str = "Tab") -> None:
    """Press a key until the target has the focus: it must be within reach, and the focus must be seen."""
    for _stop in range(MOST_STOPS):
        if target.evaluate(HOLDS_FOCUS):
            break
        page.keyboard.press(key)
    else:
        pytest.fail(f"{key} does not reach {target}")
    assert target.evaluate(SHOWS_FOCUS)


def press(page: Page, target: Locator, *, key: str = "Tab") -> None:
    go_to(page, target, key=key)
    page.keyboard.press("Enter")


def fill_in(page: Page, vectors: Vectors) -> None:
    """Type every number where it is reached, from the first on; Enter goes on to the next."""
    cells = page.locator(f"{NUMBERS} matrix-input input")
    texts = [f"{value:g}" for vector in vectors.values() for value in vector]
    for place, text in enumerate(texts):
        expect(cells.nth(place)).to_be_focused()
        page.keyboard.press("Control+a")
        page.keyboard.type(text)
        if place + 1 < len(texts):
            page.keyboard.press("Enter")
