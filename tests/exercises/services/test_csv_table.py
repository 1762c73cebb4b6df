from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.services.csv_table import MOST_BYTES, TableRefused, as_meant, harmless, read_table, write_table

# A spreadsheet has no zero bytes and no halves of characters.
cells = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)
dangerous = st.tuples(st.sampled_from(["=", "+", "-", "@", "\t", "\r", "＝", "'=", "''@", "a;=", ";'-"]), cells).map(
    "".join
)
rows = st.lists(st.lists(cells | dangerous, min_size=2, max_size=5), min_size=1, max_size=6)


def kept(table: list[list[str]]) -> list[list[str]]:
    return [row for row in table if any(cell.strip() for cell in row)]


@given(rows)
def test_what_is_written_is_what_is_read(table):
    written = write_table([["number", "name"], *table])
    assert [row for _, row in read_table(written)] == [["number", "name"], *kept(table)]


@given(cells | dangerous)
def test_no_cell_that_is_written_begins_a_formula_and_each_is_meant_as_it_was(cell):
    assert not harmless(cell).startswith(("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"))
    assert as_meant(harmless(cell)) == cell


@pytest.mark.parametrize("cell", ['=HYPERLINK("http://x")', "+1", "-2+3|cmd", "@SUM(1)", "＝1"])
def test_a_formula_is_shown_and_not_run(cell):
    assert harmless(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["Ada;=1+1", "Ada\t@SUM(1)", "a;b;＝1", ";;-1", "Ada;'=1"])
def test_no_formula_begins_where_another_delimiter_would_cut_the_cell(cell):
    """Spreadsheets of some countries cut at semicolons, and a cell without commas stands there without quotes."""
    shown = harmless(cell)
    assert not any(part.startswith(("=", "+", "-", "@", "＝")) for part in re.split("[;\t]", shown))
    assert as_meant(shown) == cell


def test_an_apostrophe_of_a_name_stays():
    assert [row for _, row in read_table(b"a,'t Hooft\r\n")] == [["a", "'t Hooft"]]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_every_encoding_that_spreadsheets_write_is_read(encoding):
    assert read_table("学号,姓名\r\n2027001,艾达\r\n".encode(encoding)) == [
        (1, ["学号", "姓名"]),
        (2, ["2027001", "艾达"]),
    ]


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_the_delimiter_is_told_by_the_first_line(sign):
    assert [row for _, row in read_table(f"a{sign}b\n1{sign}2".encode())] == [["a", "b"], ["1", "2"]]


def test_lines_are_counted_as_an_editor_counts_them():
    assert read_table(b'a,b\n\n"x\ny",1\n2,3\n') == [(1, ["a", "b"]), (4, ["x\ny", "1"]), (5, ["2", "3"])]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n ,\n",
        b"a,b\0",
        b"\x81\x20\xff",
        b'a,"b\nc',
        b"x" * (MOST_BYTES + 1),
        b"," * 600,
        b"a" * 140_000,
        b"1,2\n" * 20_001,
    ],
)
def test_what_is_no_table_is_refused_with_a_reason(content):
    with pytest.raises(TableRefused) as refusal:
        read_table(content)
    assert refusal.value.text.zh_hans
