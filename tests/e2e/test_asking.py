"""Asking, answering and being told of it; no connection; the whole main job by keyboard alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from exercises.enums import QuestionKind
from exercises.models import User
from exercises.services.question import question_ask, question_reply
from tests.e2e.conftest import OpenReader
from tests.e2e.numbers import Vectors, attempt_of, projections
from tests.e2e.test_accessibility import assert_sound, looks
from tests.factories import PASSWORD

LESSON = "/en/courses/spring/lessons/qkv/"
MOST_STOPS = 150


@looks
def test_pages_of_asking_and_of_news(
    language: str, theme: str, width: int, ada: User, ines: User, reader: OpenReader
) -> None:
    window, desk = reader(ada, width=width, theme=theme), reader(ines, width=width, theme=theme)
    page = window.open(f"/{language}/courses/spring/lessons/qkv/")
    assert_sound(desk.open(f"/{language}/courses/spring/inbox/"))
    assert_sound(window.open(f"/{language}/news/"))
    window.open(f"/{language}/courses/spring/lessons/qkv/")
    page.locator("#item-pj-qkv .ask-links a").nth(1).click()
    assert_sound(page)
    mine = attempt_of(ada, "pj-qkv")
    asked = question_ask(attempt=mine, submission=None, kind=QuestionKind.QUESTION, text="为什么一行是一个词元？")
    assert_sound(desk.open(f"/{language}/courses/spring/inbox/"))
    assert_sound(desk.open(f"/{language}/questions/{asked.public_id}/"))
    question_reply(question=asked, author=ines, is_from_staff=True, text="One token a row: see the card on top.")
    assert_sound(window.open(f"/{language}/questions/{asked.public_id}/"))
    assert_sound(window.open(f"/{language}/news/"))
    window.open(f"/{language}/courses/spring/lessons/qkv/")
    assert_sound(page, "#item-pj-qkv")
    assert_sound(window.open(f"/{language}/offline/"))
    assert_sound(window.open(f"/{language}/courses/spring/items/cd-project/"))


def test_a_page_that_cannot_be_fetched_says_so_and_holds_nothing_of_anybody(ada: User, reader: OpenReader) -> None:
    window = reader(ada)
    page = window.open("/en/courses/spring/")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    page.context.set_offline(True)

    expect(page.locator("#announcer")).to_contain_text("No connection")
    page.goto(f"{window.address}{LESSON}")

    expect(page.get_by_role("heading", level=1)).to_have_text("No connection")
    kept = page.evaluate(
        "(async () => { const found = []; for (const name of await caches.keys())"
        " for (const asked of await (await caches.open(name)).keys()) found.push(new URL(asked.url).pathname);"
        " return found.sort(); })()"
    )
    assert kept == ["/en/offline/", "/zh-hans/offline/"]
    page.context.set_offline(False)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_contain_text("query")
    window.complaints.clear()


def test_the_whole_job_by_keyboard_alone(ada: User, ines: User, reader: OpenReader) -> None:
    page = reader().open("/en/")

    sign_in(page)
    press(page, page.get_by_role("link", name="Start reading"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("attention")
    page.goto(page.url.replace("/naive/", "/qkv/"))
    err_take_a_hint_and_mend(page, ada)
    ask(page)
    answer(reader(ines).open("/en/courses/spring/inbox/"))

    page.reload()
    press(page, page.get_by_role("link", name="News (new)"), backwards=True)
    expect(page.locator(".news-line")).to_contain_text("It is a convention.")


def sign_in(page: Page) -> None:
    go_to(page, page.get_by_label("User name or e-mail"))
    page.keyboard.type("ada")
    go_to(page, page.get_by_label("Password"))
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")


def err_take_a_hint_and_mend(page: Page, user: User) -> None:
    item = page.locator("#item-pj-qkv")
    fill_in(page, projections(user, W_for_q="W_K"))
    page.keyboard.press("Enter")
    expect(item.locator(".finding-title")).to_have_text("Wrong matrix used")
    press(page, item.get_by_role("button", name="Hint"), backwards=True)
    expect(item.locator(".hint")).to_be_visible()
    fill_in(page, projections(user))
    page.keyboard.press("Enter")
    expect(item.locator(".verdict")).to_contain_text("Correct")
    press(page, item.get_by_role("link", name=re.compile("^Next exercise")))
    expect(page).to_have_url(re.compile(r"#item-\w"))


def ask(page: Page) -> None:
    press(page, page.locator("#item-pj-qkv").get_by_role("link", name="Ask about this"), backwards=True)
    go_to(page, page.get_by_label("In your words"))
    page.keyboard.type("Why one token a row?")
    press(page, page.get_by_role("button", name="Send"))
    expect(page.locator(".thread-message")).to_contain_text("Why one token a row?")


def answer(desk: Page) -> None:
    press(desk, desk.get_by_role("link", name="A question"))
    go_to(desk, desk.get_by_label("Your reply"))
    desk.keyboard.type("It is a convention.")
    press(desk, desk.get_by_role("button", name="Send"))


def go_to(page: Page, target: Locator, *, backwards: bool = False) -> None:
    """Press Tab until the target has the focus; it must be within reach, and the focus must be seen."""
    for _stop in range(MOST_STOPS):
        if target.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Shift+Tab" if backwards else "Tab")
    pytest.fail(f"Tab does not reach {target}")


def press(page: Page, target: Locator, *, backwards: bool = False) -> None:
    go_to(page, target, backwards=backwards)
    page.keyboard.press("Enter")


def fill_in(page: Page, vectors: Vectors) -> None:
    """Type every cell where it is reached, from the first on; Enter goes on to the next."""
    cells = page.locator("#item-pj-qkv matrix-input input")
    go_to(page, cells.first, backwards=page.locator("#item-pj-qkv .result").count() > 0)
    texts = [f"{value:g}" for vector in vectors.values() for value in vector]
    for place, text in enumerate(texts):
        expect(cells.nth(place)).to_be_focused()
        page.keyboard.press("Control+a")
        page.keyboard.type(text)
        if place + 1 < len(texts):
            page.keyboard.press("Enter")
