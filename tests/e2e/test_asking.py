"""The pages of asking and of news and the others beside the lessons, and the page for no connection."""

from __future__ import annotations

from playwright.sync_api import expect

from exercises.enums import QuestionKind
from exercises.models import Course, User
from exercises.services.question import question_ask, question_reply
from tests.e2e.conftest import OpenReader
from tests.e2e.numbers import attempt_of
from tests.e2e.test_accessibility import assert_sound, looks
from tests.exercises.grading import DUE, assigned


@looks
def test_pages_of_asking_and_of_news(
    language: str, theme: str, width: int, ada: User, ines: User, reader: OpenReader
) -> None:
    window, desk = reader(ada, width=width, theme=theme), reader(ines, width=width, theme=theme)
    page = window.open(f"/{language}/courses/spring/lessons/qkv/")
    assert_sound(desk.open(f"/{language}/courses/spring/inbox/"))
    assert_sound(window.open(f"/{language}/news/"))
    window.open(f"/{language}/courses/spring/lessons/qkv/")
    page.locator("#item-pj-qkv .item-links a").nth(1).click()
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


@looks
def test_pages_beside_the_lessons(
    language: str, theme: str, width: int, course: Course, ada: User, reader: OpenReader
) -> None:
    assigned(course, "qkv", due_at=DUE, late_steps=[10])
    window = reader(ada, width=width, theme=theme)
    assert_sound(window.open(f"/{language}/"))
    for path in ("grades", "skills", "review", "items/pj-qkv"):
        assert_sound(window.open(f"/{language}/courses/spring/{path}/"))
    assert_sound(window.open(f"/{language}/search/?q=query"))
    page = window.open(f"/{language}/courses/spring/items/cd-project/")
    expect(page.locator(".cm-content")).to_be_visible()
    assert_sound(page)


def test_a_page_that_cannot_be_fetched_says_so_and_holds_nothing_of_anybody(ada: User, reader: OpenReader) -> None:
    window = reader(ada)
    page = window.open("/en/courses/spring/")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    page.context.set_offline(True)

    expect(page.locator("#announcer")).to_contain_text("No connection")
    page.goto(f"{window.address}/en/courses/spring/lessons/qkv/")

    expect(page.get_by_role("heading", level=1)).to_have_text("No connection")
    kept = page.evaluate(
        "(async () => { const found = []; for (const name of await caches.keys())"
        " for (const asked of await (await caches.open(name)).keys()) found.push(new URL(asked.url).pathname);"
        " return found.sort(); })()"
    )
    assert kept == ["/en/offline/", "/zh-hans/offline/"]
    page.context.set_offline(False)
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Query, key, value")
    window.complaints.clear()
