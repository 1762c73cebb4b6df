from __future__ import annotations

import pytest

from exercises.services.storable import DEEPEST, storable_json, storable_text
from grader.marking.response import ResponseError


def test_text_keeps_everything_a_database_takes():
    text = "查询 q = x W_Q\n\t\x1b[31m\x85 \U0001f642 ‑"
    assert storable_text(text) == text


def test_zero_bytes_and_halves_of_characters_are_shown():
    assert storable_text("a\0b\ud800c\udfff") == "a␀b�c�"


def test_json_is_cleaned_all_the_way_down():
    value = {"fie\0lds": [["1", "\0"], (float("nan"), float("-inf"), 1.5)], "n": None, "ok": True, "i": 3}
    assert storable_json(value) == {"fie␀lds": [["1", "␀"], ["nan", "-inf", 1.5]], "n": None, "ok": True, "i": 3}


def test_endless_nesting_is_refused_and_not_climbed():
    value: object = "x"
    for _ in range(DEEPEST):
        value = [value]
    assert storable_json(value) == value
    with pytest.raises(ResponseError):
        storable_json([value])
