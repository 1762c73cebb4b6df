"""Zero findings of axe, no sideways scrolling, few requests: on every main page, in both languages."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from exercises.models import Submission, User
from exercises.services.submission_create import submission_create
from tests.e2e.conftest import OpenReader, Reader
from tests.e2e.numbers import attempt_of, projections, type_in

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# Each language meets each theme and each width on every page; what everybody comes for is seen in every look there is.
IN_PAIRS = [("zh-hans", "light", 1280), ("zh-hans", "dark", 320), ("en", "dark", 1280), ("en", "light", 320)]

EVERY_LOOK = [*product(["zh-hans", "en"], ["light", "dark"], [1280, 320])]

MAIN_LESSONS = ("qkv", "projection")

looks = pytest.mark.parametrize(("language", "theme", "width"), IN_PAIRS)
every_look = pytest.mark.parametrize(("language", "theme", "width"), EVERY_LOOK)


# What is out of sight is not drawn, and axe would judge what it is before any sheet applies. Whoever scrolls sees it.
SHOW_ALL = "document.styleSheets[0].insertRule('.heat tbody tr { content-visibility: visible !important }')"


def findings(page: Page, part: str | None = None) -> list[str]:
    page.evaluate(SHOW_ALL)
    found = (
        Axe()
        .run(page, context=part, options={"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"]})
        .response["violations"]
    )
    return [f"{each['id']}: {node['target']} {node['failureSummary']}" for each in found for node in each["nodes"]]


def assert_sound(page: Page, part: str | None = None) -> None:
    """The whole page, or the part of it that has changed."""
    assert findings(page, part) == []
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(overflow) <= 0


@every_look
def test_pages_of_a_student(language: str, theme: str, width: int, ada: User, reader: OpenReader) -> None:
    window = reader(ada, width=width, theme=theme)
    lessons = (f"courses/spring/lessons/{lesson}/" for lesson in MAIN_LESSONS)
    for path in ("courses/spring/", *lessons, "nothing/"):
        assert_sound(window.open(f"/{language}/{path}"))


# Two looks show each language, theme and width once; a page of the others has no part that these do not have.
OTHER_LESSONS = sorted(
    lesson.parent.name
    for lesson in Path("content/qkv/lessons").glob("*/items.toml")
    if lesson.parent.name not in MAIN_LESSONS
)


@pytest.mark.parametrize("lesson", OTHER_LESSONS)
def test_every_other_lesson(lesson: str, ada: User, reader: OpenReader) -> None:
    for language, theme, width in (("zh-hans", "dark", 320), ("en", "light", 1280)):
        assert_sound(reader(ada, width=width, theme=theme).open(f"/{language}/courses/spring/lessons/{lesson}/"))


@every_look
def test_sign_in(language: str, theme: str, width: int, transactional_db: None, reader: OpenReader) -> None:
    assert_sound(reader(width=width, theme=theme).open(f"/{language}/accounts/login/"))


@every_look
def test_answers_of_every_outcome(language: str, theme: str, width: int, ada: User, reader: OpenReader) -> None:
    page = reader(ada, width=width, theme=theme).open(f"/{language}/courses/spring/lessons/qkv/")
    send = page.locator("#item-pj-qkv .item-form button:not([type]):not([hx-post])")

    page.fill("#pj-qkv-q-0-0", "1/0")
    send.click()
    expect(page.locator(".error-summary")).to_be_visible()
    assert_sound(page, "#item-pj-qkv")
    type_in(page, projections(ada, W_for_q="W_K"))
    send.click()
    expect(page.locator("#item-pj-qkv .finding").first).to_be_visible()
    assert_sound(page, "#item-pj-qkv")
    page.fill("#qc-1-text", "words")
    page.locator("#item-qc-1 .item-form button:not([type]):not([hx-post])").click()
    expect(page.locator("#item-qc-1 .own-mark")).to_be_visible()
    assert_sound(page, "#item-qc-1")
    page.goto(f"{page.url.split('/courses')[0]}/submissions/{Submission.objects.earliest('pk').public_id}/")
    assert_sound(page)


@looks
def test_a_worked_solution_stays_within_its_page(
    language: str, theme: str, width: int, ada: User, reader: OpenReader
) -> None:
    page = reader(ada, width=width, theme=theme).open(f"/{language}/courses/spring/items/pj-qkv/")
    for wrong in ("90", "91", "92"):
        response = {"fields": {name: [[wrong, wrong]] for name in "qkv"}}
        submission_create(attempt=attempt_of(ada, "pj-qkv"), raw_response=response)
    page.reload()
    page.locator("#onward-pj-qkv form[action*=solution] button").click()
    expect(page.locator("#item-pj-qkv .solution ol")).to_be_visible()
    assert_sound(page)


@looks
def test_pages_of_an_instructor(
    language: str, theme: str, width: int, ada: User, ines: User, reader: OpenReader
) -> None:
    answer_wrongly(reader(ada), ada)
    window = reader(ines, width=width, theme=theme)
    for path in ("progress", "misconceptions", "quick-checks", "quick-checks/qc-1"):
        assert_sound(window.open(f"/{language}/courses/spring/{path}/"))


def answer_wrongly(window: Reader, user: User) -> None:
    page = window.open("/en/courses/spring/lessons/qkv/")
    type_in(page, projections(user, W_for_q="W_K"))
    page.locator("#item-pj-qkv .item-form button:not([type]):not([hx-post])").click()
    expect(page.locator("#item-pj-qkv .verdict")).to_be_visible()
    page.fill("#qc-1-text", "words")
    page.locator("#item-qc-1 .item-form button:not([type]):not([hx-post])").click()
    expect(page.locator("#item-qc-1 .own-mark")).to_be_visible()


def test_the_contents_of_a_lesson_say_where_one_reads(ada: User, reader: OpenReader) -> None:
    page = reader(ada).open("/en/courses/spring/lessons/qkv/")
    page.set_viewport_size({"width": 1280, "height": 420})
    here = page.locator(".lesson-contents a[aria-current]")
    for place in ("#item-qc-3", "#item-pj-q"):
        page.locator(place).evaluate("(item) => item.scrollIntoView()")
        expect(here).to_have_attribute("href", place)
        expect(here).to_be_in_viewport(ratio=1)


def test_keyboard_reaches_the_content_first(ada: User, reader: OpenReader) -> None:
    page = reader(ada).open("/en/courses/spring/lessons/qkv/")

    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")

    expect(page.locator("#main")).to_be_focused()


def test_lesson_costs_few_requests_and_asks_nobody_else(ada: User, reader: OpenReader) -> None:
    window = reader(ada)
    asked: list[str] = []
    window.page.on("request", lambda request: asked.append(request.url))

    window.open("/en/courses/spring/lessons/qkv/").wait_for_load_state("networkidle")

    assert [url for url in asked if not url.startswith(window.address)] == []
    assert len({url.split("#")[0] for url in asked}) <= 8


def test_printed_lesson_is_a_worksheet(ada: User, reader: OpenReader) -> None:
    page = reader(ada).open("/en/courses/spring/lessons/qkv/")

    page.emulate_media(media="print")

    hidden = [
        page.locator(part).first.is_visible() for part in (".masthead", ".lesson-contents", ".actions", ".footer")
    ]
    assert (hidden, page.locator("#item-pj-qkv .grid").first.is_visible()) == ([False] * 4, True)
