"""The cells of one row of a matrix, told apart at commas, blanks or tabs.

Digits are never joined across a blank. A sign belongs to the number before it as MATLAB has it: `2 - 1` is one cell and
`2 -1` are two. What stands in quotes or in round brackets is one cell.
"""

from __future__ import annotations

import re
from typing import Final

from grader.marking.notation_error import NotationError, shown

_MOST_NESTED: Final = 20

# Only a row that holds one of these needs more care than its blanks.
_NEEDS_CARE = re.compile(r"[,*/^(√\"'\t]|(?<![eE])\+|-\s")
_BLANKS = re.compile(r"\s+")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_BRACKETED = re.compile(r"\([^()]*\)")
_SEPARATOR = re.compile(r" ?, ?|(?<![*/^+\-√(])(?<!sqrt) (?=[^*/^)+\-]|[+\-][^ ])")
_COMMA_IN_DIGITS = re.compile(r"(?<=\d),(?=\d)", re.ASCII)


def split_row(row: str, number: int) -> list[str]:
    """The cells of a row; `number` is the row's, for the complaint. Raises NotationError."""
    if not _NEEDS_CARE.search(row):
        return row.split()
    row = _BLANKS.sub(" ", row).strip()
    return _split_at(_SEPARATOR, row, number) if row else []


def is_spreadsheet(body: str) -> bool:
    """Whether tabs, and tabs alone, part the cells, so that nothing between two tabs is an empty cell."""
    return "\t" in body and "," not in _QUOTED.sub("", body)


def split_spreadsheet_row(row: str, _number: int) -> list[str]:
    """The cells between the tabs of one line."""
    return [_unquoted(cell.strip()) for cell in row.split("\t")]


def _split_at(separator: re.Pattern[str], row: str, number: int) -> list[str]:
    masked = _masked(row)
    separators = list(separator.finditer(masked))
    if any(found[0] == " " for found in separators):
        _refuse_decimal_comma(masked, number)
    starts = [0, *(found.end() for found in separators)]
    ends = [*(found.start() for found in separators), len(row)]
    return [_unquoted(row[start:end]) for start, end in zip(starts, ends, strict=True)]


def _refuse_decimal_comma(row: str, number: int) -> None:
    """Where blanks part the cells, a comma between digits may be a decimal point: two readings, so neither."""
    comma = _COMMA_IN_DIGITS.search(row)
    if comma:
        column = row.count(" ", 0, comma.start())
        raise NotationError("comma", row=number, column=column, text=shown(row.split(" ")[column]))


def _masked(row: str) -> str:
    """The row with every sign in quotes or round brackets hidden; all the others keep their places."""
    masked = _QUOTED.sub(_hidden, row)
    for _ in range(_MOST_NESTED):
        if "(" not in masked:
            break
        masked = _BRACKETED.sub(_hidden, masked)
    return masked


def _hidden(found: re.Match[str]) -> str:
    return "x" * len(found[0])


def _unquoted(cell: str) -> str:
    is_quoted = len(cell) > 1 and cell[0] == cell[-1] and cell[0] in "\"'"
    return cell[1:-1].strip() if is_quoted else cell
