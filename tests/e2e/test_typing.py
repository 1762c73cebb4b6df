"""Keys and input methods: what the scripts add to the fields, and what they must never do."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from exercises.models import Submission, User
from tests.e2e.conftest import OpenReader

LESSON = "/en/courses/spring/lessons/qkv/"
COMPOSE = """
(box, order) => {
  box.focus();
  const enter = (isComposing) => box.dispatchEvent(new KeyboardEvent("keydown", {
    key: "Enter", code: "Enter", keyCode: 229, which: 229, isComposing, bubbles: true, composed: true, cancelable: true }));
  box.dispatchEvent(new CompositionEvent("compositionstart", { data: "查询", bubbles: true, composed: true }));
  if (order === "enter first") enter(true);
  box.dispatchEvent(new CompositionEvent("compositionend", { data: "查询", bubbles: true, composed: true }));
  if (order === "enter last") enter(false);
}
"""


@pytest.fixture
def page(ada: User, reader: OpenReader) -> Page:
    return reader(ada).open(LESSON)


@pytest.mark.parametrize("order", ["enter first", "enter last"])
def test_enter_that_confirms_a_word_sends_nothing(page: Page, order: str) -> None:
    boxes = {
        "#pj-qkv-v-0-1": "#pj-qkv-v-0-1",
        "#qc-1-text": "#qc-1-text",
        "#item-cd-project .cm-content": "#cd-project-code",
    }
    for typed_in, sent in boxes.items():
        page.locator(sent).scroll_into_view_if_needed()
        before = page.input_value(sent)

        page.locator(typed_in).evaluate(COMPOSE, order)
        page.wait_for_timeout(150)

        assert (Submission.objects.count(), page.locator(".error-summary").count()) == (0, 0)
        assert page.input_value(sent) == before
        expect(page.locator(typed_in)).to_be_focused()


def test_enter_goes_from_cell_to_cell_and_sends_from_the_last(page: Page) -> None:
    page.focus("#pj-qkv-q-0-0")
    for value in ("1", "2", "3", "4", "5"):
        page.keyboard.type(value)
        page.keyboard.press("Enter")
    expect(page.locator("#pj-qkv-v-0-1")).to_be_focused()
    assert Submission.objects.count() == 0

    page.keyboard.type("6")
    page.keyboard.press("Enter")

    expect(page.locator("#item-pj-qkv .verdict")).to_be_visible()


def test_arrows_leave_a_cell_at_the_edge_of_its_text(page: Page) -> None:
    page.fill("#pj-qkv-q-0-0", "12")
    page.focus("#pj-qkv-q-0-0")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#pj-qkv-q-0-0")).to_be_focused()

    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#pj-qkv-q-0-1")).to_be_focused()
