"""Formulas that cannot be shown, and answers that are given away."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.gate.numbers import separation
from grader.gate.words import (
    check_formulas,
    check_numbers_given_away,
    check_option_given_away,
    check_translations,
    silent_headings,
)
from grader.marking.text import Text
from tests.grader import samples

HALVES = ", ".join(f"{number / 2}" for number in range(-20, 21))


def unreadable(words: str) -> list[str]:
    """A small stand-in for the pages: whatever holds a question mark."""
    return [words] if "?" in words else []


def leaks(item):
    return list(check_numbers_given_away(item, separation(item.derivation).variants))


def test_texts_are_found_wherever_they_stand_in_a_table():
    table = {
        "title": {"zh-hans": "题?", "en": "item"},
        "option": [{"text": {"zh-hans": "甲", "en": "first"}}, {"text": {"zh-hans": "乙", "en": "second?"}}],
        "slug": "what?",
    }

    found = [(fault.key, fault.reason) for fault in check_formulas(table, unreadable)]

    assert found == [
        (("title", "zh-hans"), "this cannot be shown: 题?"),
        (("option", 1, "text", "en"), "this cannot be shown: second?"),
    ]


@pytest.mark.parametrize("name", ["misconceptions", "skills", "starter"])
def test_programs_and_what_has_a_file_of_its_own_are_passed_over(name):
    assert list(check_formulas({name: {"zh-hans": "?", "en": "?"}}, unreadable)) == []


def test_an_item_that_keeps_its_answer_to_itself_is_in_order():
    assert leaks(samples.item(samples.QKV)) == []


@pytest.mark.parametrize("field", ["prompt", "title"])
def test_words_that_hold_the_answer_are_refused(field):
    item = replace(samples.item(samples.QKV), **{field: Text("请算。", f"One of {HALVES}.")})

    found = leaks(item)

    assert [fault.key for fault in found] == [(field, "en")] * 3
    assert found[0].reason == f"the {field} (en) holds the answer for q on 50 of 50 variants"


def test_a_hint_that_holds_the_answer_is_refused():
    item = samples.item(samples.QKV)
    misconception = replace(item.misconceptions["wrong_matrix"], hint=Text(f"是 {HALVES}", "No."))
    item = replace(item, misconceptions={**item.misconceptions, "wrong_matrix": misconception})

    found = leaks(item)

    assert [fault.key for fault in found] == [()] * 3
    assert "the hint of wrong_matrix (zh-hans) holds the answer for q" in found[0].reason


def test_the_index_of_a_letter_gives_nothing_away():
    indices = " ".join(f"$x_{{{number}}}$ $x_{number}$" for number in range(10))
    item = replace(samples.item(samples.QKV), prompt=Text(indices, indices))

    assert leaks(item) == []


def test_a_minus_sign_belongs_to_the_number():
    item = samples.item(samples.QKV)
    plain = replace(item, prompt=Text(HALVES.replace("-", "−"), "1-2-3"))

    assert {fault.key for fault in leaks(plain)} == {("prompt", "zh-hans")}


def test_a_prompt_that_says_the_right_options_alone_is_refused():
    item = replace(samples.item(samples.CHOICE), prompt=Text("甲还是乙？", "The FIRST and the\nsecond, or what?"))

    assert [(fault.key, fault.reason) for fault in check_option_given_away(item)] == [
        (("prompt", "zh-hans"), "the prompt says the right answer word for word"),
        (("prompt", "en"), "the prompt says the right answer word for word"),
    ]


def test_a_prompt_that_says_all_options_or_only_some_of_the_right_ones_gives_nothing_away():
    item = replace(samples.item(samples.CHOICE), prompt=Text("甲、乙还是丙？", "First or what?"))

    assert list(check_option_given_away(item)) == []


@pytest.mark.parametrize(
    ("words", "is_translated"),
    [
        ("Work out the product.", False),
        ("请算出乘积。", False),
        ("softmax", True),
        ("$W_Q = W_K$", True),
        ("$\\text{each row of it}$", True),
        ("`for each of them`", True),
        ("```python\nreturn each of them\n```", True),
        ("768", True),
    ],
)
def test_words_that_are_the_same_in_both_languages_are_not_translated(words, is_translated):
    found = [fault.key for fault in check_translations({"option": [{"text": {"zh-hans": words, "en": words}}]})]
    assert found == ([] if is_translated else [("option", 0, "text", "zh-hans")])


def test_words_that_differ_are_taken_for_a_translation():
    assert list(check_translations({"title": {"zh-hans": "请算出乘积", "en": "Work out the product"}})) == []


@pytest.mark.parametrize(
    ("heading", "is_silent"),
    [
        ("| token | key $k = {row: x W_K | column: W_k x}$ |", False),
        ("| token | $k = {row: x W_K | column: W_k x}$ |", True),
        ("| 词元 | $x$ |", True),
        ("| 词元 | 向量 $x$ |", False),
        ("| | (1, −1) |", False),
    ],
)
def test_a_heading_of_a_table_that_is_nothing_but_a_formula_is_silent(heading, is_silent):
    markdown = f"Words $x$.\n\n{heading}\n|---|---:|\n| $q$ | $k$ |\n"
    assert list(silent_headings(markdown)) == ([heading] if is_silent else [])
