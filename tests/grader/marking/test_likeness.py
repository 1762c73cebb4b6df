from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.marking.likeness import MOST_COMPARED, Part, Side, alike_groups, differences

LONG = [
    "一个向量身兼三职，查询、键和值无法分开学习，所以注意力只能看相似度。",
    "Query asks what a token looks for; key says what it offers, and the value is what is mixed.",
    "因为 W_K 和 W_Q 相同，所以得分对称，来回一样。",
]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("一个向量身兼三职。", "一个向量要身兼三职"),
        ("键说明这个词能提供什么", "键说明：这个词能提供什么！"),
        ("The query says what it looks for.", "the QUERY says  what it looks for"),
        ("Ｑ 与 Ｋ 相同，得分对称", "Q与K相同，得分对称。"),
        ("", "……"),
    ],
)
def test_texts_that_differ_in_small_things_are_alike(one: str, other: str) -> None:
    assert alike_groups([one, other]) == ((0, 1),)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("一个向量身兼三职。", "它在找别的词。"),
        ("The scores are symmetric.", "A value is what is mixed."),
        ("查询在找", "The query looks"),
        ("", "查"),
    ],
)
def test_texts_that_say_other_things_are_not(one: str, other: str) -> None:
    assert alike_groups([one, other]) == ((0,), (1,))


def test_the_text_with_most_neighbours_leads_and_groups_keep_the_order() -> None:
    texts = ["自成一格的回答", "abcdefgh ijklm", "abcdefgh", "abcdefgh nopqr"]

    assert alike_groups(texts) == ((0,), (2, 1, 3))


@given(st.lists(st.text(max_size=40), max_size=12))
def test_every_text_is_in_one_group(texts: list[str]) -> None:
    groups = alike_groups(texts)

    assert sorted(place for group in groups for place in group) == list(range(len(texts)))
    assert list(map(min, groups)) == sorted(map(min, groups))


def test_equal_texts_are_together_whatever_they_are() -> None:
    assert alike_groups(["!", "值", "!", "值"]) == ((0, 2), (1, 3))


def test_a_large_class_is_grouped_within_seconds_of_computing() -> None:
    stream = random.Random(8)
    texts = [typed_anew(stream, stream.choice(LONG)) for _ in range(MOST_COMPARED)]
    texts += ["".join(stream.choices("天地玄黄宇宙洪荒 abcdef", k=4_000)) for _ in range(100)]

    begun = time.process_time()
    groups = alike_groups(texts)

    assert time.process_time() - begun < 60
    assert sorted(map(len, groups))[-3:] == sorted(sum(same(text, long) for text in texts) for long in LONG)


def typed_anew(stream: random.Random, text: str) -> str:
    place = stream.randrange(len(text) - 1)
    return text[:place] + stream.choice("，。的") + text[place:]


def same(text: str, long: str) -> bool:
    return text[0] == long[0] or text[1:3] == long[:2] or text[-4:-1] == long[-4:-1]


def test_differences_show_what_is_new_and_what_is_lacking_and_give_both_texts_back() -> None:
    lead, text = "一个向量身兼三职，分不开。", "一个向量要身兼两职。"
    parts = differences(lead, text)

    assert "".join(part.text for part in parts if part.side is not Side.THEIRS) == text
    assert "".join(part.text for part in parts if part.side is not Side.OURS) == lead
    assert [part.text for part in parts if part.side is Side.OURS] == ["要", "两"]
    assert [part.text for part in parts if part.side is Side.THEIRS] == ["三", "，分不开"]


def test_a_word_of_letters_is_new_as_a_whole() -> None:
    assert differences("The query looks.", "The queries look.") == (
        Part("The ", Side.BOTH),
        Part("query", Side.THEIRS),
        Part("queries", Side.OURS),
        Part(" ", Side.BOTH),
        Part("looks", Side.THEIRS),
        Part("look", Side.OURS),
        Part(".", Side.BOTH),
    )


def test_differences_of_texts_too_long_to_compare_are_the_whole_text() -> None:
    text, lead = "值" * 4_000, "键" * 4_000

    assert (differences(lead, text), differences(text, text)) == (
        (Part(text, Side.OURS),),
        (Part(text, Side.BOTH),),
    )
