"""Symbols that explain themselves: by pointer, by finger, by keyboard, and never in the way."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from exercises.models import User
from tests.e2e.conftest import OpenReader
from tests.e2e.test_accessibility import assert_sound, looks

LESSON = "/en/courses/spring/lessons/qkv/"
CARD = ".symbol-card:popover-open"


def lesson(reader: OpenReader, ada: User, **how: object) -> Page:
    page: Page = reader(ada, **how).open(LESSON)
    page.locator(".symbol").first.scroll_into_view_if_needed()
    return page


def test_card_is_there_for_a_pointer_can_be_reached_and_goes_with_escape(reader: OpenReader, ada: User) -> None:
    page = lesson(reader, ada)
    symbol = page.locator("a.symbol[href$='#attention_weight']").first

    symbol.hover()
    expect(page.locator(CARD)).to_contain_text("attention weight")
    page.locator(CARD).hover()
    page.wait_for_timeout(400)
    expect(page.locator(CARD)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(CARD)).to_have_count(0)

    symbol.hover()
    page.mouse.move(2, 2)
    expect(page.locator(CARD)).to_have_count(0)


def test_part_of_a_formula_has_its_card_too(reader: OpenReader, ada: User) -> None:
    page = lesson(reader, ada)

    page.locator(".scroll-formula [class~='sym-W_Q']").first.hover()

    expect(page.locator(CARD)).to_contain_text("query matrix")
    expect(page.locator(CARD)).to_contain_text("learned in training")


def test_keyboard_finds_the_card_and_its_description_and_the_entry(reader: OpenReader, ada: User) -> None:
    page = lesson(reader, ada)
    symbol = page.locator("a.symbol").first
    described = symbol.get_attribute("aria-describedby")

    page.keyboard.press("Tab")
    symbol.focus()
    expect(page.locator(f"{CARD} #{described}")).to_be_visible()
    assert page.locator(f"#{described}").count() == 1
    page.keyboard.press("Tab")
    expect(page.locator(f"{CARD} #{described}")).to_have_count(0)

    symbol.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/glossary/#"))


def test_a_card_that_is_open_is_sound(reader: OpenReader, ada: User) -> None:
    for theme in ("light", "dark"):
        page = lesson(reader, ada, theme=theme)
        page.locator("a.symbol").nth(2).hover()
        expect(page.locator(CARD)).to_be_visible()
        assert_sound(page, CARD)


def test_a_finger_opens_the_card_and_another_tap_closes_it(browser: Browser, reader: OpenReader, ada: User) -> None:
    state = lesson(reader, ada).context.storage_state()
    context = browser.new_context(storage_state=state, has_touch=True, viewport={"width": 360, "height": 760})
    page = context.new_page()
    page.goto(reader(ada).address + LESSON)
    symbol = page.locator("a.symbol").nth(3)
    symbol.scroll_into_view_if_needed()

    symbol.tap()
    expect(page.locator(CARD)).to_be_visible()
    box = page.locator(CARD).bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    page.locator("h2").first.tap()
    expect(page.locator(CARD)).to_have_count(0)
    context.close()


@pytest.mark.parametrize("path", ["items/pj-q/", "items/wt-stored/"])
def test_an_exercise_explains_its_symbols_to_pointer_and_keyboard(path: str, reader: OpenReader, ada: User) -> None:
    page = reader(ada).open(f"/en/courses/spring/{path}")

    page.locator(".item > .prose a.symbol").first.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(page.locator(CARD)).to_contain_text("token vector")
    page.keyboard.press("Escape")
    page.locator(".givens [class*='sym-W_']").first.hover()
    expect(page.locator(CARD)).to_contain_text("query matrix")


def test_a_tap_on_an_option_chooses_it_whatever_symbol_it_hits(browser: Browser, reader: OpenReader, ada: User) -> None:
    state = lesson(reader, ada).context.storage_state()
    context = browser.new_context(storage_state=state, has_touch=True, viewport={"width": 360, "height": 760})
    page = context.new_page()
    page.goto(reader(ada).address + "/en/courses/spring/items/as-when/")

    page.locator(".option label [class*='sym-']").first.tap()

    expect(page.locator(".option :checked")).to_have_count(1)
    expect(page.locator(CARD)).to_have_count(0)
    context.close()


def test_on_paper_an_exercise_says_what_its_symbols_are(reader: OpenReader, ada: User) -> None:
    page = reader(ada).open("/en/courses/spring/items/pj-q/")
    assert page.locator(".symbol-card >> visible=true").count() == 0

    page.emulate_media(media="print")

    told = page.locator(".symbol-card >> visible=true")
    expect(told).to_have_count(page.locator(".symbol-here").count())
    assert told.count() > 2
    assert "query matrix" in " ".join(told.all_inner_texts())


def test_without_scripts_a_symbol_leads_to_its_entry(reader: OpenReader, ada: User) -> None:
    page = lesson(reader, ada, scripts=False)
    symbol = page.locator("a.symbol").first
    target = (symbol.get_attribute("href") or "").partition("#")[2]

    symbol.click()

    expect(page.locator(f"#{target}.entry")).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False])
def test_the_switch_turns_the_formulas_round(reader: OpenReader, ada: User, *, scripts: bool) -> None:
    page = reader(ada, scripts=scripts).open(LESSON)

    page.click("button[name=convention][value=column]")

    expect(page.locator("button[name=convention][value=column]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".formula .convention").first).to_contain_text("Column convention")
    assert page.locator(".lesson-text > .prose [class~='sym-W_Q']").count() == 0


@looks
def test_the_glossary_and_the_settings_are_sound(
    language: str, theme: str, width: int, reader: OpenReader, ada: User
) -> None:
    window = reader(ada, width=width, theme=theme)

    for path in ("courses/spring/glossary/", "courses/spring/glossary/?q=query", "settings/"):
        assert_sound(window.open(f"/{language}/{path}"))
