"""A printed lesson is a worksheet."""

from __future__ import annotations

import gzip

import pytest
from playwright.sync_api import Page

from exercises.models import User
from tests.e2e.conftest import OpenReader

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
