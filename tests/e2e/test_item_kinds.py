"""Shapes, pairs, orders and predictions in a real browser: answered in words and by keyboard, sound in every state."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from exercises.models import Attempt, User
from grader.bank import parse_item
from grader.marking.items import PredictItem
from grader.marking.variants import givens_of
from tests.e2e.conftest import OpenReader
from tests.e2e.test_accessibility import assert_sound, looks

SHAPES = {"W_q": "768×768", "b_q": "（768）", "Q": "[768, S]", "logits": "S x S", "context": "768 S"}
PAIRS = {"W_v": "parameter", "K": "activation", "b_k": "parameter", "A": "activation", "width": "constant"}
LINES = ["value", "key", "query", "scores", "softmax", "mix"]


def check(page: Page, slug: str) -> None:
    page.locator(f"#item-{slug} .item-form button:not([type]):not([hx-post])").click()
    expect(page.locator(f"#item-{slug} .verdict, #item-{slug} .error-summary")).to_be_visible()


def scores(user: User) -> list[list[str]]:
    attempt = Attempt.objects.filter(enrollment__user=user, item__slug="as-swap").latest("number")
    item = parse_item(attempt.item_version.definition)
    assert isinstance(item, PredictItem)
    logits = item.numeric.derivation.evaluate(givens_of(attempt.variant))["logits"]
    return [[f"{cell:.2f}" for cell in row] for row in logits]


@looks
def test_shapes_and_pairs(language: str, theme: str, width: int, ada: User, reader: OpenReader) -> None:
    page = reader(ada, width=width, theme=theme).open(f"/{language}/courses/spring/lessons/projection/")

    page.fill("#sh-gpt2-shape-Q", "768 × N")
    check(page, "sh-gpt2")
    assert_sound(page, "#item-sh-gpt2")
    for name, text in {**SHAPES, "Q": "S × 768"}.items():
        page.fill(f"#sh-gpt2-shape-{name}", text)
    check(page, "sh-gpt2")
    expect(page.locator("#item-sh-gpt2 .verdict-partially_correct")).to_be_visible()
    assert_sound(page, "#item-sh-gpt2")
    for entry, target in {**PAIRS, "K": "parameter"}.items():
        page.check(f"#wa-name-pair-{entry}-{target}")
    check(page, "wa-name")
    expect(page.locator("#item-wa-name .finding")).to_have_count(1)
    assert_sound(page, "#item-wa-name")


@looks
def test_orders_and_predictions(language: str, theme: str, width: int, ada: User, reader: OpenReader) -> None:
    page = reader(ada, width=width, theme=theme).open(f"/{language}/courses/spring/lessons/qkv/")

    for place, key in enumerate(["keys", *LINES], start=1):
        page.select_option(f"#od-steps-place-{key}", str(place))
    check(page, "od-steps")
    expect(page.locator("#item-od-steps .finding")).to_have_count(1)
    assert_sound(page, "#item-od-steps")
    check(page, "as-swap")
    assert_sound(page, "#item-as-swap")
    page.check("#as-swap-option-equal")
    for row, cells in enumerate(scores(ada)):
        for column, cell in enumerate(cells):
            page.fill(f"#as-swap-logits-{row}-{column}", cell)
    check(page, "as-swap")
    expect(page.locator("#item-as-swap .verdict-correct")).to_be_visible()
    assert_sound(page, "#item-as-swap")


@pytest.mark.parametrize("scripts", [True, False])
def test_all_of_them_can_be_got_right(scripts: bool, ada: User, reader: OpenReader) -> None:
    page = reader(ada, scripts=scripts).open("/en/courses/spring/lessons/projection/")
    for name, text in SHAPES.items():
        page.fill(f"#sh-gpt2-shape-{name}", text)
    check(page, "sh-gpt2")
    expect(page.locator("#item-sh-gpt2 .verdict")).to_contain_text("5 of 5 shapes are right")
    for entry, target in PAIRS.items():
        page.check(f"#wa-name-pair-{entry}-{target}")
    check(page, "wa-name")
    expect(page.locator("#item-wa-name .verdict")).to_contain_text("5 of 5 pairs are right")

    page.goto(page.url.split("/lessons/")[0] + "/lessons/qkv/")
    for place, key in enumerate(LINES, start=1):
        page.select_option(f"#od-steps-place-{key}", str(place))
    check(page, "od-steps")
    expect(page.locator("#item-od-steps .verdict")).to_contain_text("2 of 2 points")


def test_an_order_that_is_not_sent_yet_survives_a_reload(ada: User, reader: OpenReader) -> None:
    page = reader(ada).open("/en/courses/spring/lessons/qkv/")
    page.select_option("#od-steps-place-query", "2")
    page.reload()
    expect(page.locator("#od-steps-place-query")).to_have_value("2")
