from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.marking.program_likeness import MOST_PAIRS, Pair, similar_programs, tokens

PROGRAM = """
def project(x, W, b=None):
    # by rows
    out = x @ W
    if b is not None:
        out = out + b
    return out
"""
RENAMED = """
def project(tokens, matrix, bias=None):

    q = tokens @ matrix  # mine!
    if bias is not None: q = q + bias
    return q
"""
OTHER = """
def project(x, W, b=None):
    rows = []
    for row in x:
        rows.append([sum(r * w for r, w in zip(row, column)) for column in W.T])
    return np.array(rows) + (0 if b is None else b)
"""


def test_names_comments_and_layout_make_no_difference() -> None:
    assert similar_programs([PROGRAM, OTHER, RENAMED]) == (Pair(0, 2, 1.0),)


def test_what_the_starter_gives_is_nobodys() -> None:
    assert similar_programs([PROGRAM, RENAMED], [PROGRAM]) == ()


def test_a_program_of_few_tokens_is_alike_to_none() -> None:
    assert similar_programs(["def f(x):\n    return x\n"] * 2) == ()


@pytest.mark.parametrize(
    ("program", "kinds"),
    [
        ("x1 = 1.5e3 # no", ["name", "=", "number"]),
        ("if x: 'a' \"b\" '''c\nd'''", ["if", "name", ":", "text", "text", "text"]),
        ("a @ b ** c -> d", ["name", "@", "name", "**", "name", "->", "name"]),
        ("甲 = 乙", ["name", "=", "name"]),
        ("'unfinished", ["'", "name"]),
    ],
)
def test_a_program_is_read_as_kinds_of_tokens(program: str, kinds: list[str]) -> None:
    assert list(tokens(program)) == kinds


@given(st.lists(st.text(max_size=200), max_size=6))
def test_any_text_is_compared(programs: list[str]) -> None:
    assert all(0 <= pair.one < pair.other < len(programs) for pair in similar_programs(programs))


def test_a_large_class_is_compared_within_seconds_of_computing() -> None:
    stream = random.Random(5)
    programs = [stream.choice([PROGRAM, RENAMED, OTHER]) * 4 for _ in range(1_000)]

    begun = time.process_time()
    pairs = similar_programs(programs)

    assert (len(pairs), time.process_time() - begun < 60) == (MOST_PAIRS, True)
