from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from grader.marking.either import eithers, in_convention, reads_both_ways, told, told_each
from grader.marking.items import Convention

ROW, COLUMN = Convention


def both(text: str) -> tuple[str, str]:
    return in_convention(text, ROW), in_convention(text, COLUMN)


def test_each_side_is_read_in_its_convention() -> None:
    assert both("$q = {row: x W_Q | column: W_q x}$.") == ("$q = x W_Q$.", "$q = W_q x$.")


def test_braces_of_tex_and_bars_within_them_stay() -> None:
    text = r"{row: \begin{bmatrix} 1 & 2 \end{bmatrix} {a|b} | column: \frac{1}{2} \{ \} }"

    assert both(text) == (r"\begin{bmatrix} 1 & 2 \end{bmatrix} {a|b}", r"\frac{1}{2} \{ \}")


def test_a_side_may_be_empty_or_of_several_lines() -> None:
    assert both("a{row: | column: , turned}b") == ("ab", "a, turnedb")
    assert both("{row: one\n\ntwo | column: three}") == ("one\n\ntwo", "three")


def test_what_is_not_closed_or_has_one_side_stays_as_it_was_written() -> None:
    for text in ("{row: x", "{row: x}", "{row: x | column: y", "{column: x | row: y}", r"\text{row: a}"):
        assert (both(text), reads_both_ways(text)) == ((text, text), False)


def test_one_within_another_is_not_read() -> None:
    assert both("{row: a {row: b | column: c} | column: d}")[1] == "d"


def test_texts_within_json_are_read_where_they_stand() -> None:
    value = {"a": ["{row: 1 | column: 2}", 3], "b": {"c": "{row: x | column: y}"}, "d": None}

    assert told_each(value, COLUMN) == {"a": ["2", 3], "b": {"c": "y"}, "d": None}
    assert (reads_both_ways(value), reads_both_ways({"a": ["x", 3]})) == (True, False)


@given(st.text(alphabet="{}|:rowclumn \\x", max_size=40))
def test_any_text_can_be_read_and_places_do_not_overlap(text: str) -> None:
    places = list(eithers(text))

    assert all(before.end <= after.start for before, after in pairwise(places))
    assert in_convention("no " + "form", ROW) == "no form"


def test_a_matrix_that_stands_alone_is_named_as_its_convention_names_it() -> None:
    text = "{row: a | column: b} of $W_Q$, $W_{K}$ and $W_q x$"

    assert told("of $W_Q$, $W_{K}$\n\n$W_v$ again", COLUMN) == "of $W_q$, $W_k$\n\n$W_v$ again"
    assert told("of $W_q$", ROW) == "of $W_Q$"
    assert told(text, COLUMN) == "b of $W_Q$, $W_{K}$ and $W_q x$"
    assert told("${row: x W_Q | column: W_q x}$ beside $W_K$", COLUMN) == "$W_q x$ beside $W_k$"


def test_a_block_that_names_both_kinds_compares_them() -> None:
    text = r"rows: $W_Q$, columns: $W_q$, $W_q = W_Q^\top$"

    assert (told(text, ROW), told(text, COLUMN)) == (text, text)
