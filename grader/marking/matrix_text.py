"""A whole matrix written as text, split into cells: nested lists, rows on lines, print-outs, spreadsheets, LaTeX.

Rows are told apart by brackets where each has its own, else by `;` and line ends; the cells of a row are told apart in
`grader.marking.cells`. Only the taking apart happens here; what the text of a cell means is for `parse_number` to say.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from grader.marking.cells import is_spreadsheet, split_row, split_spreadsheet_row
from grader.marking.notation_error import NotationError, outside
from grader.marking.printed import bare
from grader.marking.signs import plain
from grader.marking.tex_matrix import is_tex, tex_rows

MAX_TEXT: Final = 16_000
MAX_SIDE: Final = 64

_BRACKET = re.compile(r"[\[\]]")
_ROW_END = re.compile(r"[;\n]")
_COMMA_AT_LINE_END = re.compile(r",[ \t]*\n")
_LONE_PAIR = re.compile(r"\s*[+-]?\d+,\d+\s*", re.ASCII)
_BRACES_AS_BRACKETS = str.maketrans("{}", "[]")


def split_matrix(text: str) -> list[list[str]]:
    """The cells of a matrix as text, row by row; a single row is one row. Raises NotationError."""
    if len(text) > MAX_TEXT:
        raise NotationError("text_too_long", limit=str(MAX_TEXT))
    body = bare(plain(text).replace("、", ", "))
    rows = tex_rows(body) if is_tex(body) else _rows(body.translate(_BRACES_AS_BRACKETS))
    if not any(cell for row in rows for cell in row):
        raise NotationError("empty")
    refuse_misshapen(rows)
    return rows


def refuse_misshapen(rows: Sequence[Sequence[object]]) -> None:
    """Raises NotationError where rows differ in length, or where there are too many rows or columns."""
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            found, expected = str(len(row)), str(len(rows[0]))
            raise NotationError("ragged", row=number, number=str(number + 1), found=found, expected=expected)
    if max(len(rows), len(rows[0])) > MAX_SIDE:
        raise NotationError("too_many", limit=str(MAX_SIDE))


def _rows(body: str) -> list[list[str]]:
    brackets = "".join(_BRACKET.findall(body))
    if not brackets:
        return _lines(body)
    parts = _BRACKET.split(body)
    if brackets == "[]":
        return _one_list(*parts)
    count = len(brackets) // 2
    if brackets == "[]" * count:
        return _list_of_rows(["", *parts, ""])
    if brackets == "[" + "[]" * (count - 1) + "]":
        return _list_of_rows(parts)
    _refuse_unbalanced(body)
    raise NotationError("levels")


def _lines(body: str) -> list[list[str]]:
    """Rows without brackets: typed lines, MATLAB's semicolons, or what a spreadsheet copies."""
    if _LONE_PAIR.fullmatch(body):
        raise NotationError("comma", text=body.strip())
    split = split_spreadsheet_row if is_spreadsheet(body) else split_row
    return [split(line, number) for number, line in enumerate(_filled(_ROW_END.split(body)))]


def _one_list(before: str, inside: str, after: str) -> list[list[str]]:
    """One pair of brackets: `[1 2; 3 4]`, or a list whose commas may carry it on to the next line."""
    _refuse_outside([before, after])
    rows = _filled(_ROW_END.split(_COMMA_AT_LINE_END.sub(", ", inside)))
    return [split_row(row.rstrip().removesuffix(","), number) for number, row in enumerate(rows)]


def _list_of_rows(parts: Sequence[str]) -> list[list[str]]:
    """A pair of brackets for each row; the parts between the brackets are rows and what stands beside them in turn."""
    _refuse_outside([*parts[:2], parts[-1]])
    for number, between in enumerate(parts[3:-1:2]):
        if between.strip() not in ("", ",", ";"):
            raise outside(between, row=number)
    return [split_row(row.rstrip().removesuffix(","), number) for number, row in enumerate(parts[2:-1:2])]


def _filled(rows: Sequence[str]) -> list[str]:
    return [row for row in rows if row.strip()]


def _refuse_outside(texts: Sequence[str]) -> None:
    for text in texts:
        if text.strip():
            raise outside(text)


def _refuse_unbalanced(body: str) -> None:
    opened: list[int] = []
    for bracket in _BRACKET.finditer(body):
        if bracket[0] == "[":
            opened.append(bracket.start())
        elif opened:
            opened.pop()
        else:
            raise NotationError("bracket", place=str(bracket.start() + 1))
    if opened:
        raise NotationError("bracket", place=str(opened[-1] + 1))
