from __future__ import annotations

from decimal import Decimal

import pytest
from django.template import Context, Template
from django.test import RequestFactory
from django.utils import translation

from grader.marking.text import Text

TEXT = Text("**查询** $q$", "a **query** $q$")


def render(template: str, **values: object) -> str:
    return Template("{% load course %}" + template).render(Context(values))


@pytest.mark.parametrize(
    ("value", "shown"),
    [(Decimal("2.000"), "2"), (Decimal("1.50"), "1.5"), (Decimal(10), "10"), (Decimal(0), "0"), (None, "")],
)
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_score_has_no_needless_zeros_in_any_language(value: Decimal | None, shown: str, language: str) -> None:
    with translation.override(language):
        assert render("{{ value|score }}", value=value) == shown


@pytest.mark.parametrize(("language", "word"), [("en", "query"), ("zh-hans", "查询"), ("zh-hant", "查询")])
def test_texts_are_in_the_language_of_the_page(language: str, word: str) -> None:
    with translation.override(language):
        shown = render("{{ text|inline }}{{ text|prose }}", text=TEXT)

    assert (shown.count(f"<strong>{word}</strong>"), shown.count("<math")) == (2, 2)


def test_words_of_a_text_are_escaped() -> None:
    assert render("{{ text|words }}", text=Text("<b>", "<b>")) == "&lt;b&gt;"


def test_icon_is_hidden_from_screen_readers() -> None:
    shown = render('{% icon "check" %}')

    assert ('aria-hidden="true"' in shown, "exercises/icons.svg#check" in shown) == (True, True)


def test_page_in_another_language_keeps_path_and_query() -> None:
    request = RequestFactory().get("/en/courses/spring/?page=2")

    with translation.override("en"):
        assert render('{% page_in "zh-hans" %}', request=request) == "/zh-hans/courses/spring/?page=2"


def test_theme_without_request_follows_the_system() -> None:
    assert render("[{% preferences as reader %}{{ reader.forced_theme }}]") == "[]"


def test_table_is_looked_up_by_its_key() -> None:
    assert render("{{ table|at:key }}", table={"a": "first"}, key="a") == "first"


@pytest.mark.parametrize(
    ("address", "is_for_lesson"),
    [
        (None, True),
        ("http://testserver/en/courses/spring/lessons/first/#item-pick", True),
        ("http://testserver/en/courses/spring/items/pick/?seed=/lessons/", False),
        ("http://testserver/en/submissions/1/", False),
    ],
)
def test_a_part_knows_where_it_will_stand(address: str | None, is_for_lesson: bool) -> None:
    headers = {"HX-Current-URL": address} if address else {}
    request = RequestFactory().get("/", headers=headers)

    assert render("{% is_for_lesson as told %}{{ told }}", request=request) == str(is_for_lesson)
