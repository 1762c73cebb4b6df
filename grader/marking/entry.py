"""Reading the fields of a numeric item: cells or pasted text in, arrays in the asked shape out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from grader.attention.projection import Array
from grader.derivation.convention import tables
from grader.derivation.graph import Ask, Values
from grader.derivation.tolerance import HAIR, half_unit
from grader.marking.closeness import is_close
from grader.marking.items import Convention, NumericItem
from grader.marking.matrix_text import refuse_misshapen, split_matrix
from grader.marking.notation import NotationError, Typed, parse_number
from grader.marking.phrases import phrase
from grader.marking.response import Problem, RawResponse, ResponseError, refuse

# A whole number of more bits has no floating-point number near it.
_MOST_BITS: Final = 1024


@dataclass(frozen=True, slots=True)
class Answer:
    """One understood field: its numbers in the shape of the ask, and how many decimals each was typed with."""

    ask: Ask
    numbers: Array
    decimals: tuple[int | None, ...]


def on_page(value: NDArray[Any], convention: Convention) -> NDArray[Any]:
    """The value as the page lays it out: a vector is a row, or in the column convention a column."""
    rows = np.atleast_2d(value)
    return rows.T if value.ndim == 1 and convention is Convention.COLUMN else rows


def read_answers(item: NumericItem, givens: Values, raw_response: RawResponse) -> dict[str, Answer]:
    """The filled-in fields by name; a field left wholly blank is absent. Raises ResponseError."""
    fields = raw_response.get("fields")
    if not isinstance(fields, Mapping):
        raise refuse("form", expected='{"fields": {"…": [["…"]]}}')
    asks = {ask.name: ask for ask in item.derivation.asks}
    unknown = [name for name in fields if name not in asks]
    if unknown:
        raise refuse("unknown_field", field=str(unknown[0])[:40])
    expected = item.derivation.evaluate(givens)
    answers: dict[str, Answer] = {}
    problems: list[Problem] = []
    for name, cells in fields.items():
        try:
            answer = _read_field(item, asks[name], cells, asks[name].pick(expected[name]))
        except ResponseError as error:
            problems += error.problems
        else:
            answers.update({name: answer} if answer else {})
    if problems:
        raise ResponseError(problems)
    if not answers:
        raise refuse("nothing")
    return answers


def _read_field(item: NumericItem, ask: Ask, cells: object, expected: Array) -> Answer | None:
    try:
        rows = _typed_rows(cells, is_number=expected.size == 1) if isinstance(cells, str) else _rows(cells)
    except NotationError as error:
        raise ResponseError([Problem(error.text, ask.name, error.row, error.column)]) from None
    if not any(cell.strip() for row in rows for cell in row):
        return None
    typed = _read_cells(ask, rows)
    numbers = np.array([[cell.value for cell in row] for row in typed])
    decimals = tuple(cell.decimals for row in typed for cell in row)
    _refuse_other_layout(item, ask, numbers, on_page(expected, item.convention))
    return Answer(ask, numbers.reshape(expected.shape), decimals)


def _typed_rows(text: str, *, is_number: bool) -> list[list[str]]:
    """One text as rows of cells. Where a single number is asked for, `0,5` and `2 - 1` are one. Raises NotationError."""
    if not text.strip() or (is_number and _is_number(text)):
        return [[text]]
    return split_matrix(text)


def _is_number(text: str) -> bool:
    try:
        parse_number(text)
    except NotationError:
        return False
    return True


def _rows(cells: object) -> list[list[str]]:
    """Cells as rows of text; a flat list is one row. Raises NotationError."""
    if not isinstance(cells, list) or not cells or cells[0] == []:
        raise NotationError("not_text")
    rows = cells if all(isinstance(row, list) for row in cells) else [cells]
    refuse_misshapen(rows)
    return [[_cell_text(cell, row, column) for column, cell in enumerate(cells)] for row, cells in enumerate(rows)]


def _cell_text(cell: object, row: int, column: int) -> str:
    """A number of JSON is read as it would be written."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        raise NotationError("not_text", row=row, column=column)
    if isinstance(cell, int) and cell.bit_length() > _MOST_BITS:
        raise NotationError("too_large", row=row, column=column)
    return repr(cell)


def _read_cells(ask: Ask, rows: Sequence[Sequence[str]]) -> list[list[Typed]]:
    typed: list[list[Typed]] = []
    problems = []
    for row, cells in enumerate(rows):
        typed.append([])
        for column, cell in enumerate(cells):
            try:
                typed[-1].append(parse_number(cell))
            except NotationError as error:
                problems.append(Problem(error.text, ask.name, row, column))
    if problems:
        raise ResponseError(problems)
    return typed


def _refuse_other_layout(item: NumericItem, ask: Ask, numbers: Array, expected: Array) -> None:
    """A wrong shape is not counted; right numbers in the other convention are named, and not counted either.

    A table of queries by keys lies the same way in both conventions: its transpose is another answer.
    """
    allowed = half_unit(ask) + HAIR
    is_square_table = ask.name in tables(item.derivation) and numbers.shape == expected.shape
    if not is_square_table and is_close(numbers.T, expected, allowed) and not is_close(numbers, expected, allowed):
        raise ResponseError([Problem(item.misconceptions["laid_out_other_convention"].explanation, ask.name)])
    if numbers.shape != expected.shape:
        shapes = {"found": _by(numbers.shape), "expected": _by(expected.shape)}
        raise ResponseError([Problem(phrase("notation.shape", **shapes), ask.name)])


def _by(shape: tuple[int, ...]) -> str:
    return " × ".join(str(size) for size in shape)
