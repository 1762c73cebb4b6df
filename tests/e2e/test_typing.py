"""Keys, input methods, pasting: what the scripts add to the fields, and what they must never do."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from exercises.models import Submission, User
from tests.e2e.conftest import OpenReader

LESSON = "/en/courses/spring/lessons/qkv/"
PASTED = [
    "1\t-2\t0.5",
    "[1, -2, 0.5]",
    "[[1 -2 0.5]]",
    "array([[1, -2, 0.5]])",
    "np.array([ 1. , -2. ,  0.5])",
    "tensor([[1, -2, 0.5]], dtype=torch.float64)",
    "1，-2，0.5",
]
COMPOSE = """
([selector, order]) => {
  const box = document.querySelector(selector);
  box.focus();
  const enter = (isComposing) => box.dispatchEvent(new KeyboardEvent("keydown", {
    key: "Enter", code: "Enter", keyCode: 229, which: 229, isComposing, bubbles: true, cancelable: true }));
  box.dispatchEvent(new CompositionEvent("compositionstart", { data: "查询", bubbles: true }));
  if (order === "enter first") enter(true);
  box.dispatchEvent(new CompositionEvent("compositionend", { data: "查询", bubbles: true }));
  if (order === "enter last") enter(false);
}
"""


@pytest.fixture
def page(ada: User, reader: OpenReader) -> Page:
    return reader(ada).open(LESSON)


def paste(page: Page, selector: str, text: str) -> None:
    page.eval_on_selector(
        selector,
        """(box, text) => {
          const data = new DataTransfer();
          data.setData("text/plain", text);
          box.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
        }""",
        text,
    )


def cells(page: Page, field: str) -> list[str]:
    return [page.input_value(f"#sc-softmax-{field}-0-{column}") for column in range(3)]


@pytest.mark.parametrize("order", ["enter first", "enter last"])
def test_enter_that_confirms_a_word_sends_nothing(page: Page, order: str) -> None:
    for selector in ("#pj-qkv-v-0-1", "#qc-1-text", "#cd-project-code"):
        before = page.input_value(selector)

        page.evaluate(COMPOSE, [selector, order])
        page.wait_for_timeout(150)

        assert (Submission.objects.count(), page.locator(".error-summary").count()) == (0, 0)
        assert (page.input_value(selector), page.evaluate("document.activeElement.id")) == (before, selector[1:])


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


def test_pasted_matrix_fills_the_cells(page: Page) -> None:
    for text in PASTED:
        for column in range(3):
            page.fill(f"#sc-softmax-logits-0-{column}", "")

        paste(page, "#sc-softmax-logits-0-0", text)

        assert (text, [float(cell) for cell in cells(page, "logits")]) == (text, [1, -2, 0.5])


def test_pasted_matrix_of_another_shape_changes_nothing_and_says_so(page: Page) -> None:
    page.fill("#sc-softmax-logits-0-0", "7")

    paste(page, "#sc-softmax-logits-0-0", "[[1, 2], [3, 4]]")

    assert cells(page, "logits") == ["7", "", ""]
    expect(page.locator("#item-sc-softmax .paste-message").first).to_have_text(
        "What you pasted is 2×2; 1×3 is needed here."
    )


def test_tab_indents_code_and_escape_then_tab_leaves(page: Page) -> None:
    page.fill("#cd-project-code", "")
    page.focus("#cd-project-code")
    page.keyboard.type("def f():")
    page.keyboard.press("Enter")
    page.keyboard.type("x = 1")
    page.keyboard.press("Tab")
    assert page.input_value("#cd-project-code") == "def f():\n    x = 1    "

    page.keyboard.press("Escape")
    page.keyboard.press("Tab")

    expect(page.locator("#cd-project-code")).not_to_be_focused()


def test_saving_a_draft_sends_nothing(page: Page) -> None:
    page.fill("#cd-project-code", "# half an idea")
    page.focus("#cd-project-code")

    page.keyboard.press("Control+s")
    page.reload()

    assert (Submission.objects.count(), page.input_value("#cd-project-code")) == (0, "# half an idea")
