"""<matrix-input> in a real browser: pasting, undo, copying, what is shown of what was understood."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from exercises.models import User
from tests.e2e.conftest import OpenReader

LESSON = "/en/courses/spring/lessons/qkv/"
FIRST = "#sc-softmax-logits-0-0"
MATRIX = "#item-sc-softmax matrix-input >> nth=0"
PASTED = {
    "a spreadsheet": "1\t-2\t0.5\r\n",
    "JSON": "[1, -2, 0.5]",
    "a print of NumPy": "[[ 1.  -2.   0.5]]",
    "a repr of NumPy": "array([[ 1. , -2. ,  0.5]])",
    "a call of NumPy": "np.array([ 1. , -2. ,  0.5])",
    "torch": "tensor([[1.0000, -2.0000, 0.5000]], dtype=torch.float64, grad_fn=<MmBackward0>)",
    "MATLAB": "[1 -2 0.5];",
    "a Chinese keyboard": "【１，－２，０．５】",
    "CSV": '"1","-2","0.5"',
    "LaTeX": r"\begin{bmatrix} 1 & -2 & \frac{1}{2} \end{bmatrix}",
}


@pytest.fixture
def page(ada: User, reader: OpenReader) -> Page:
    return reader(ada).open(LESSON)


def paste(page: Page, selector: str, text: str) -> None:
    page.focus(selector)
    page.eval_on_selector(
        selector,
        """(box, text) => {
          const data = new DataTransfer();
          data.setData("text/plain", text);
          box.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
        }""",
        text,
    )


def cells(page: Page) -> list[str]:
    return [page.input_value(f"#sc-softmax-logits-0-{column}") for column in range(3)]


@pytest.mark.parametrize("source", PASTED)
def test_pasted_matrix_fills_the_cells(page: Page, source: str) -> None:
    paste(page, FIRST, PASTED[source])

    expect(page.locator("#sc-softmax-logits-0-2")).not_to_have_value("")
    assert [eval_number(cell) for cell in cells(page)] == [1, -2, 0.5]
    expect(page.locator(f"{MATRIX} >> .paste-message")).to_be_hidden()


def eval_number(cell: str) -> float:
    return 0.5 if cell == r"\frac{1}{2}" else float(cell)


def test_a_paste_is_one_step_of_undo(page: Page) -> None:
    page.fill(FIRST, "7")
    paste(page, FIRST, "1\t2\t3")
    expect(page.locator(FIRST)).to_have_value("1")

    page.keyboard.press("Control+z")
    assert cells(page) == ["7", "", ""]
    page.keyboard.press("Control+y")
    assert cells(page) == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[1, 2], [3, 4]]", "What you pasted is 2×2; 1×3 is needed here."),
        ("[[1, 2], [3]]", "What you pasted could not be read as a matrix. Nothing was changed."),
    ],
)
def test_a_paste_that_does_not_fit_changes_nothing_and_says_so(page: Page, text: str, words: str) -> None:
    page.fill(FIRST, "7")

    paste(page, FIRST, text)

    message = page.locator(f"{MATRIX} >> .paste-message")
    expect(message).to_have_text(words)
    assert message.get_attribute("role") == "status"
    assert cells(page) == ["7", "", ""]


def test_one_number_is_pasted_into_its_cell(page: Page) -> None:
    paste(page, FIRST, " 2 - 1 ")

    expect(page.locator(FIRST)).to_have_value("2 - 1")
    assert cells(page)[1:] == ["", ""]


def test_copying_without_a_selection_takes_the_whole_matrix(page: Page) -> None:
    paste(page, FIRST, "1 2 3")
    expect(page.locator(FIRST)).to_have_value("1")
    copied = page.eval_on_selector(
        FIRST,
        """(box) => {
          box.setSelectionRange(1, 1);
          const data = new DataTransfer();
          const event = new ClipboardEvent("copy", { clipboardData: data, bubbles: true, cancelable: true });
          box.dispatchEvent(event);
          return [data.getData("text/plain"), event.defaultPrevented];
        }""",
    )

    assert copied == ["1\t2\t3", True]
    expect(page.locator(f"{MATRIX} >> .paste-message")).to_have_text("The whole matrix is copied.")


def test_what_was_understood_is_shown_where_it_is_not_plain(page: Page) -> None:
    page.fill(FIRST, "1/3")
    page.fill("#sc-softmax-logits-0-1", "１．５")
    page.fill("#sc-softmax-logits-0-2", "10²")
    page.keyboard.press("Tab")

    expect(page.locator(f"{MATRIX} >> .grid-echo")).to_have_text(
        "Read as: 1/3 = 0.333333 · １．５ = 1.5 · “10²” is not read as a number"
    )


def test_a_judgement_steps_back_while_the_cell_is_changed(page: Page) -> None:
    for column in range(3):
        page.fill(f"#sc-softmax-logits-0-{column}", "99")
        page.fill(f"#sc-softmax-attn_weights-0-{column}", "99")
    page.locator("#item-sc-softmax .actions button").first.click()
    state = page.locator("#item-sc-softmax .cell-state").first
    expect(state).to_be_visible()

    page.fill(FIRST, "98")
    expect(state).to_be_hidden()
    page.fill(FIRST, "99")
    expect(state).to_be_visible()


def test_home_and_end_go_on_to_the_ends_of_the_row(page: Page) -> None:
    paste(page, FIRST, "12 34 56")
    expect(page.locator(FIRST)).to_have_value("12")
    page.focus("#sc-softmax-logits-0-1")
    page.keyboard.press("End")
    page.keyboard.press("End")
    expect(page.locator("#sc-softmax-logits-0-2")).to_be_focused()

    page.keyboard.press("Home")
    page.keyboard.press("Home")
    expect(page.locator(FIRST)).to_be_focused()
