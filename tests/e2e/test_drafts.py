"""Nothing that is typed is lost: reloads, two devices, two tabs, no network, a tab that dies, signing out, double clicks."""

from __future__ import annotations

from contextlib import suppress

from django.conf import settings as site
from playwright.sync_api import Error, Page, Route, expect

from exercises.models import Attempt, Draft, Submission, User
from tests.e2e.conftest import OpenReader, Reader

LESSON = "/en/courses/spring/lessons/qkv/"
TEXT = "#qc-1-text"
STATE = "#item-qc-1 [data-draft-state]"
CHOICE = "#item-qc-1 [data-draft-choice]"


def type_over(page: Page, text: str) -> None:
    page.locator(TEXT).fill(text)


def saved(page: Page) -> None:
    expect(page.locator(STATE)).to_contain_text("Draft saved")


def drafted() -> list[list[str]]:
    return Draft.objects.get(attempt__item__slug="qc-1").fields


def test_a_draft_is_saved_and_back_after_a_reload(ada: User, reader: OpenReader) -> None:
    page = reader(ada).open(LESSON)
    type_over(page, "half an idea")
    saved(page)
    assert drafted() == [["text", "half an idea"]]
    assert page.evaluate("Object.keys(localStorage)") == []

    page.reload()

    expect(page.locator(TEXT)).to_have_value("half an idea")
    expect(page.locator(STATE)).to_contain_text("is back in place")
    assert Submission.objects.count() == 0


def test_ctrl_s_saves_at_once_and_sends_nothing(ada: User, reader: OpenReader) -> None:
    page = reader(ada).open(LESSON)
    page.locator(TEXT).fill("kept")
    with page.expect_response(lambda answer: answer.url.endswith("/draft/")):
        page.keyboard.press("Control+s")
    saved(page)
    assert (drafted(), Submission.objects.count()) == ([["text", "kept"]], 0)


def test_another_device_goes_on_where_this_one_stopped(ada: User, reader: OpenReader) -> None:
    first = reader(ada).open(LESSON)
    first.fill("#pj-qkv-q-0-0", "1/3")
    expect(first.locator("#item-pj-qkv [data-draft-state]")).to_contain_text("Draft saved")

    second = reader(ada).open(LESSON)

    expect(second.locator("#pj-qkv-q-0-0")).to_have_value("1/3")


def test_two_devices_are_shown_both_texts_and_the_learner_chooses(ada: User, reader: OpenReader) -> None:
    first, second = reader(ada).open(LESSON), reader(ada).open(LESSON)
    type_over(first, "from the phone")
    saved(first)

    type_over(second, "from the desk")

    choice = second.locator(CHOICE)
    expect(choice).to_be_visible()
    expect(choice.locator("[data-draft-mine]")).to_have_text("from the desk")
    expect(choice.locator("[data-draft-other]")).to_have_text("from the phone")
    assert drafted() == [["text", "from the phone"]]
    choice.locator("[data-draft-take]").click()
    expect(choice).to_be_hidden()
    expect(second.locator(TEXT)).to_have_value("from the phone")

    type_over(first, "from the phone, later")
    expect(first.locator(CHOICE)).to_be_visible()
    # What stood there before says "saved" until the new version is.
    with first.expect_response(lambda answer: answer.request.method == "POST" and answer.ok):
        first.locator(f"{CHOICE} [data-draft-keep]").click()
    saved(first)
    assert drafted() == [["text", "from the phone, later"]]


def test_two_tabs_of_one_browser_follow_each_other(ada: User, reader: OpenReader) -> None:
    window = reader(ada)
    first = window.open(LESSON)
    second = first.context.new_page()
    second.goto(f"{window.address}{LESSON}")

    type_over(first, "typed in the first")

    expect(second.locator(TEXT)).to_have_value("typed in the first")
    second.locator(TEXT).press_sequentially("!")
    saved(second)
    expect(second.locator(CHOICE)).to_be_hidden()


def test_without_a_network_the_text_is_kept_and_said_to_be(ada: User, reader: OpenReader) -> None:
    window = reader(ada)
    page = window.open(LESSON)
    page.context.set_offline(True)

    type_over(page, "typed in a tunnel")

    expect(page.locator(STATE)).to_contain_text("Kept in this browser only: there is no connection.")
    expect(page.locator("#announcer")).to_contain_text("Kept in this browser only")
    assert not Draft.objects.exists()
    page.context.set_offline(False)
    saved(page)
    assert drafted() == [["text", "typed in a tunnel"]]
    forgive(window, "ERR_INTERNET_DISCONNECTED")


def test_a_tab_that_dies_leaves_its_text_in_the_browser(ada: User, reader: OpenReader) -> None:
    window = reader(ada)
    page = window.open(LESSON)
    page.route("**/draft/", lambda route: route.abort())
    type_over(page, "typed a moment before the crash")
    kill(page)
    assert not Draft.objects.exists()

    again = page.context.new_page()
    again.goto(f"{window.address}{LESSON}")

    expect(again.locator(TEXT)).to_have_value("typed a moment before the crash")
    saved(again)
    forgive(window, "ERR_FAILED")


def kill(page: Page) -> None:
    """End the tab as a crash does: nothing in it runs any more."""
    with page.expect_event("crash"), suppress(Error):
        page.goto("chrome://crash", timeout=5_000)
    page.close()


def test_leaving_the_page_saves_what_was_just_typed(ada: User, reader: OpenReader) -> None:
    window = reader(ada)
    page = window.open(LESSON)
    type_over(page, "and then I left")
    page.goto(f"{window.address}/en/courses/spring/")

    other = reader(ada).open(LESSON)

    expect(other.locator(TEXT)).to_have_value("and then I left")


def test_signing_out_elsewhere_keeps_the_text_until_one_is_back(ada: User, reader: OpenReader) -> None:
    window = reader(ada)
    page = window.open(LESSON)
    cookies = page.context.cookies()
    page.context.clear_cookies(name=site.SESSION_COOKIE_NAME)
    type_over(page, "written while signed out")
    expect(page.locator(STATE)).to_contain_text("you are signed out")

    page.context.add_cookies([cookie for cookie in cookies if cookie["name"] == site.SESSION_COOKIE_NAME])
    page.evaluate("window.dispatchEvent(new Event('online'))")

    saved(page)
    assert drafted() == [["text", "written while signed out"]]
    forgive(window, "status of 401")


def test_a_double_click_is_one_submission_and_its_draft_goes(ada: User, reader: OpenReader) -> None:
    page = reader(ada).open(LESSON)
    type_over(page, "sent twice by a nervous finger")
    page.locator("#item-qc-1 .actions button").first.dblclick()
    expect(page.locator("#item-qc-1 .result")).to_be_visible()
    page.wait_for_timeout(1_500)

    assert (Submission.objects.count(), Attempt.objects.filter(item__slug="qc-1").count()) == (1, 1)
    assert not Draft.objects.exists()
    expect(page.locator(TEXT)).to_have_value("sent twice by a nervous finger")


ORDER = "#item-od-steps"
LINES = ("value", "key", "query", "scores", "softmax", "mix")


def put_in_order(page: Page) -> None:
    for place, key in enumerate(LINES, start=1):
        page.select_option(f"#od-steps-place-{key}", str(place))


def check(page: Page) -> None:
    page.locator(f"{ORDER} .actions button").first.click()
    expect(page.locator(f"{ORDER} .verdict")).to_be_visible()


def test_an_order_checked_at_once_is_no_conflict_and_none_after_a_reload(ada: User, reader: OpenReader) -> None:
    page = reader(ada).open(LESSON)
    put_in_order(page)
    check(page)
    page.wait_for_timeout(1_000)
    expect(page.locator(f"{ORDER} [data-draft-choice]")).to_be_hidden()

    page.reload()

    expect(page.locator(f"{ORDER} [data-draft-choice]")).to_be_hidden()
    assert (page.evaluate("Object.keys(localStorage)"), Draft.objects.exists()) == ([], False)


def test_a_save_under_way_when_the_answer_is_sent_does_not_come_back(ada: User, reader: OpenReader) -> None:
    window = reader(ada)
    page = window.open(LESSON)
    held: list[Route] = []
    page.route("**/draft/", lambda route: held.append(route))  # noqa: PLW0108 -- Playwright marks the handler itself
    put_in_order(page)
    with page.expect_request("**/draft/"):
        page.wait_for_timeout(900)
    check(page)
    with page.expect_response("**/draft/"):
        for route in held:
            route.continue_()
    page.unroute("**/draft/")
    page.wait_for_timeout(1_500)

    page.select_option("#od-steps-place-mix", "")
    expect(page.locator(f"{ORDER} [data-draft-state]")).to_contain_text("Draft saved")

    expect(page.locator(f"{ORDER} [data-draft-choice]")).to_be_hidden()
    assert ["place-mix", ""] in Draft.objects.get(attempt__item__slug="od-steps").fields


def test_the_last_feedback_stands_beside_a_restored_draft(ada: User, reader: OpenReader) -> None:
    page = reader(ada).open(LESSON)
    for place in ("q-0-0", "q-0-1", "k-0-0", "k-0-1", "v-0-0", "v-0-1"):
        page.fill(f"#pj-qkv-{place}", "99")
    page.locator("#item-pj-qkv .actions button").first.click()
    expect(page.locator("#item-pj-qkv .verdict")).to_be_visible()
    page.fill("#pj-qkv-q-0-0", "98")
    expect(page.locator("#item-pj-qkv [data-draft-state]")).to_contain_text("Draft saved")

    again = reader(ada).open(LESSON)

    expect(again.locator("#pj-qkv-q-0-0")).to_have_value("98")
    expect(again.locator("#item-pj-qkv .verdict")).to_be_visible()
    expect(again.locator("#item-pj-qkv .cell-state").nth(0)).to_be_hidden()
    expect(again.locator("#item-pj-qkv .cell-state").nth(1)).to_be_visible()


def test_the_back_button_keeps_the_text(ada: User, reader: OpenReader) -> None:
    window = reader(ada)
    page = window.open(LESSON)
    type_over(page, "before going away")
    saved(page)
    page.goto(f"{window.address}/en/courses/spring/")
    page.go_back()

    expect(page.locator(TEXT)).to_have_value("before going away")


def forgive(window: Reader, known: str) -> None:
    """A fault of the network that the test itself has made is no complaint of the page."""
    window.complaints[:] = [complaint for complaint in window.complaints if known not in complaint]
