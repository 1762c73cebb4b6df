from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from grader.marking.judge import mark_response
from grader.marking.response import MAX_CODE_BYTES, ResponseError, check_code, check_free_text, essence
from grader.marking.text import Text
from grader.marking.variants import draw_variant, present
from grader.marking.verdict import Verdict
from tests.grader import samples

CHOICE, TEXT, CODE = samples.item(samples.CHOICE), samples.item(samples.FREE_TEXT), samples.item(samples.CODE)


def test_all_right_options_and_no_other_is_correct():
    marked = mark_response(CHOICE, {}, {"chosen": ["b", "a"]})

    assert (marked.verdict, marked.score) == (Verdict.CORRECT, Decimal(1))
    assert [finding.text.en for finding in marked.findings] == ["yes", "yes"]


def test_a_wrong_option_names_its_misconception():
    marked = mark_response(CHOICE, {}, {"chosen": ["a", "c"]})

    assert (marked.verdict, marked.score, marked.misconceptions) == (Verdict.INCORRECT, Decimal(0), ("third_is_right",))


def test_a_missing_option_is_told_without_naming_it():
    marked = mark_response(CHOICE, {}, {"chosen": ["a"]})

    assert [(finding.slug, finding.text.en) for finding in marked.findings] == [
        ("choice_missing", "Not all that is right has been chosen."),
        ("choice_partly_right", "yes"),
    ]
    assert marked.findings[1].title.en == "first"
    assert "second" not in str(marked.to_json())


def test_of_a_mixed_choice_the_wrong_the_missing_and_the_right_are_told_in_turn():
    marked = mark_response(CHOICE, {}, {"chosen": ["a", "c"]})

    assert [finding.slug for finding in marked.findings] == ["third_is_right", "choice_missing", "choice_partly_right"]
    assert "second" not in str(marked.to_json())


def test_all_right_and_one_wrong_lacks_nothing():
    marked = mark_response(CHOICE, {}, {"chosen": ["a", "b", "c"]})

    assert [finding.slug for finding in marked.findings] == [
        "third_is_right",
        "choice_partly_right",
        "choice_partly_right",
    ]


def test_a_single_wrong_choice_is_not_told_that_something_is_missing():
    marked = mark_response(replace(CHOICE, multiple=False), {}, {"chosen": ["c"]})

    assert [finding.slug for finding in marked.findings] == ["third_is_right"]


@pytest.mark.parametrize("response", [{}, {"chosen": []}, {"chosen": "a"}, {"chosen": ["z"]}, {"chosen": [1]}])
def test_a_choice_that_is_none_is_refused(response):
    with pytest.raises(ResponseError):
        mark_response(CHOICE, {}, response)


def test_of_a_single_choice_only_one_can_be_chosen():
    with pytest.raises(ResponseError, match="Only one"):
        mark_response(replace(CHOICE, multiple=False), {}, {"chosen": ["a", "b"]})


def test_a_wrong_option_without_a_misconception_still_has_its_feedback():
    marked = mark_response(replace(CHOICE, misconceptions={}), {}, {"chosen": ["c"]})

    assert [(found.slug, found.text.en, found.is_misconception) for found in marked.findings] == [
        ("choice_wrong", "no", False),
        ("choice_none_right", "Nothing that you chose is right.", False),
    ]


def test_options_are_shuffled_by_the_seed_and_shown_without_what_is_right():
    orders = {tuple(draw_variant(CHOICE, seed)["order"]) for seed in range(40)}

    assert len(orders) == 6
    variant = draw_variant(CHOICE, 3)
    assert draw_variant(CHOICE, 3) == variant
    assert [option.key for option in present(CHOICE, variant).options] == variant["order"]


@pytest.mark.parametrize("text", ["", " \n\t", "\u200b", "\u3000 ", "\ufeff\u200d", "\x00"])
def test_a_text_that_shows_nothing_is_no_answer(text):
    with pytest.raises(ResponseError):
        check_free_text(TEXT, {"text": text})
    with pytest.raises(ResponseError):
        check_code({"code": text})


def test_a_text_has_a_longest_length_and_code_too():
    check_free_text(TEXT, {"text": "字" * 4_000})
    with pytest.raises(ResponseError, match="4001"):
        check_free_text(TEXT, {"text": "字" * 4_001})
    check_code({"code": "#" * MAX_CODE_BYTES})
    with pytest.raises(ResponseError, match="65 KiB"):
        check_code({"code": "#" * (MAX_CODE_BYTES + 1)})


@pytest.mark.parametrize("response", [{}, {"text": 1, "code": 1}, {"text": None, "code": ["x"]}])
def test_a_response_of_the_wrong_form_is_refused(response):
    with pytest.raises(ResponseError):
        check_free_text(TEXT, response)
    with pytest.raises(ResponseError):
        check_code(response)


def test_blanks_around_an_answer_make_no_new_answer():
    assert essence(TEXT, {"text": "a b"}) == essence(TEXT, {"text": " a b\n"})
    assert essence(TEXT, {"text": "a b"}) != essence(TEXT, {"text": "a  b"})
    assert essence(CODE, {"code": "x = 1\n"}) == essence(CODE, {"code": "x = 1"})
    assert essence(CODE, {"code": "  x = 1"}) != essence(CODE, {"code": "x = 1"})
    assert essence(CHOICE, {"chosen": ["a", 1]}) != essence(CHOICE, {"chosen": ["a", 2]})
    assert essence(CHOICE, {"fields": {"q": [[" 1"]]}}) == essence(CHOICE, {"fields": {"q": [["1 "]]}})


def test_a_text_is_chosen_by_language_and_filled_without_touching_tex():
    text = Text("要 {asked}，\\frac{1}{2}", "asked {asked}, \\frac{1}{2}").fill(asked="x W")

    assert text.in_language("zh-hans") == "要 x W，\\frac{1}{2}"
    assert text.in_language("en-GB") == "asked x W, \\frac{1}{2}"
    assert Text.from_json(text.to_json()) == text


@pytest.mark.parametrize("toml", [samples.CODE, samples.FREE_TEXT])
def test_what_needs_a_sandbox_or_a_person_is_not_marked_in_the_request(toml: str):
    item = samples.item(toml)

    with pytest.raises(TypeError, match=f"a {item.kind} item is not marked in the request"):
        mark_response(item, {"seed": 1, "values": {}}, {"code": "x", "text": "x"})
