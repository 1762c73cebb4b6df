"""A whole matrix written as text, split into cells: [[1, 2], [3, 4]], [1 2; 3 4], rows on lines, array(…)."""

from __future__ import annotations

import re

from grader.marking.notation import NotationError, plain
from grader.marking.phrases import phrase

MAX_TEXT = 4_000

# What NumPy and PyTorch print or need around the brackets.
_WRAPPER = re.compile(r"(?:(?:np|numpy|torch)\.)?(?:array|tensor)\((?P<inside>.*?)(?:,\s*dtype=[\w.]+)?\)", re.DOTALL)
_NESTED_ROW = re.compile(r"\[([^\[\]]*)\]")
_BETWEEN_CELLS = re.compile(r"\s*,\s*|\s+")


def split_matrix(text: str) -> list[list[str]]:
    """The cells of a matrix as text, row by row; a single row is one row. Raises NotationError."""
    if len(text) > MAX_TEXT:
        raise NotationError(phrase("notation.too_long", limit=str(MAX_TEXT)))
    body = plain(text)
    wrapped = _WRAPPER.fullmatch(body)
    body = wrapped["inside"].strip() if wrapped else body
    if body.count("[") != body.count("]"):
        raise NotationError(phrase("notation.bracket", place="1"))
    rows = [_cells(row) for row in _rows(body)]
    if not rows or not any(rows):
        raise NotationError(phrase("notation.empty"))
    _refuse_ragged(rows)
    return rows


def _rows(body: str) -> list[str]:
    """The text of each row: the inner lists of a nested list, else what ; or line ends part."""
    inside = body[1:-1] if body.startswith("[") and body.endswith("]") else body
    if "[" in inside:
        return _NESTED_ROW.findall(inside)
    return [row for row in re.split(r"[;\r\n]+", inside) if row.strip()]


def _cells(row: str) -> list[str]:
    """Cells part at commas or blanks; digits are never joined across either."""
    stripped = row.strip().strip(",").strip()
    return _BETWEEN_CELLS.split(stripped) if stripped else []


def _refuse_ragged(rows: list[list[str]]) -> None:
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            found, expected = str(len(row)), str(len(rows[0]))
            raise NotationError(
                phrase("notation.ragged", row=str(number + 1), found=found, expected=expected), row=number
            )
