"""A printed lesson is a worksheet."""

from __future__ import annotations

import gzip
import re

import pytest
from playwright.sync_api import Page, expect

from exercises.models import User
from tests.e2e.conftest import OpenReader
from tests.e2e.test_accessibility import assert_sound, looks

LESSONS = ["naive", "qkv", "projection", "scaled", "cache", "weights"]
GONE = ".masthead, .footer, .lesson-contents, .actions, .result, .layout-switch, .code-editor, .crumbs"


def printed(page: Page) -> Page:
    page.emulate_media(media="print")
    return page


def visible(page: Page, selector: str) -> int:
    return page.locator(f"{selector} >> visible=true").count()


@pytest.mark.parametrize("language", ["zh-hans", "en"])
@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_prints_as_a_worksheet(lesson: str, language: str, reader: OpenReader, ada: User) -> None:
    page = printed(reader(ada).open(f"/{language}/courses/spring/lessons/{lesson}/"))

    assert [part for part in GONE.split(", ") if visible(page, part)] == []
    assert page.locator(".item").count() == visible(page, ".item") > 0
    shown = "boxes => boxes.filter(box => getComputedStyle(box).webkitTextFillColor !== 'rgba(0, 0, 0, 0)').length"
    assert page.locator(".item-form .grid input, .item-form textarea").evaluate_all(shown) == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert len(page.pdf(format="A4")) > 50_000


def test_details_are_open_and_heat_maps_keep_their_numbers(reader: OpenReader, ada: User) -> None:
    page = printed(reader(ada).open("/en/courses/spring/lessons/weights/"))

    assert visible(page, ".heatmap td[class^='heat-']") == page.locator(".heatmap td[class^='heat-']").count() > 100
    kept = (
        "cells => cells.every(cell => getComputedStyle(cell).printColorAdjust === 'exact' && cell.textContent.trim())"
    )
    assert page.locator(".heatmap td[class^='heat-']").evaluate_all(kept)


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_keeps_its_budget(lesson: str, reader: OpenReader, ada: User) -> None:
    window = reader(ada)
    for language in ("zh-hans", "en"):
        html = window.page.request.get(f"{window.address}/{language}/courses/spring/lessons/{lesson}/").text()
        assert len(gzip.compress(html.encode(), 9)) <= 40_000


def open_slips(page: Page, people: int) -> Page:
    page.locator("textarea[name=people]").fill("\n".join(f"{2023000 + number}\tAda" for number in range(people)))
    page.locator("form:has(textarea[name=people]) button").click()
    expect(page.locator(".slip")).to_have_count(people)
    return page


@looks
def test_slips_lie_on_the_screen_as_they_are_printed(
    language: str, theme: str, width: int, ines: User, reader: OpenReader
) -> None:
    page = open_slips(reader(ines, width=width, theme=theme).open(f"/{language}/courses/spring/people/"), 12)

    assert_sound(page)
    assert [sheet.locator(".slip").count() for sheet in page.locator(".sheet").all()] == [10, 2]
    assert (
        page.locator(".sheet").first.evaluate("sheet => getComputedStyle(sheet).backgroundColor")
        == "rgb(255, 255, 255)"
    )
    page.evaluate("window.print = () => { document.title = 'to the printer'; }")
    page.locator("[data-print]").click()
    expect(page).to_have_title("to the printer")


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_each_sheet_of_slips_is_one_page_of_paper(paper: str, ines: User, reader: OpenReader) -> None:
    page = printed(open_slips(reader(ines).open("/zh-hans/courses/spring/people/"), 21))

    assert [part for part in (".masthead", ".slips-note", ".actions", "h1", ".sheet-name") if visible(page, part)] == []
    assert visible(page, ".slip") == 21
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper))) == 3
