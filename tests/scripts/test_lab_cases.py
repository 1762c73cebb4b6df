"""The cases of labs are what the core says today."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scripts import lab_cases

CASES: list[dict[str, Any]] = json.loads(lab_cases.TARGET.read_text(encoding="utf-8"))


def test_the_file_holds_what_the_core_computes():
    # Another processor may add in another order: the last digits are its own.
    assert lab_cases.cases() == close(CASES)


def test_every_kind_of_lab_has_cases():
    given = {tuple(sorted(set(case["given"]) - {"factor"})) for case in CASES}
    assert {("X",), ("K", "Q", "V"), ("V", "logits"), ("W_K", "W_Q", "W_V", "X")} <= given
    assert {(case["scaled"], case["causal"]) for case in CASES} == {
        (a, b) for a in (False, True) for b in (False, True)
    }


def close(value: object) -> object:
    """Numbers that compare within a millionth of a millionth."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return pytest.approx(value, rel=1e-9, abs=1e-9)
    if isinstance(value, list):
        return [close(each) for each in value]
    assert isinstance(value, dict)
    return {key: close(each) for key, each in value.items()}
