"""Doing a numeric item by hand: read the matrices off the page, multiply, write the result into the cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation

from exercises.management.smoke.page import Node, Surprise

Matrix = list[list[Decimal]]


def givens_of(item: Node) -> dict[str, Matrix]:
    """The given arrays by the name that their label ends with, as read from the formulas on the page."""
    boxes = item.one(css="givens").all(role="group")
    return {box.attributes.get("aria-label", "").split()[-1]: matrix_of(box.one("mtable")) for box in boxes}


def matrix_of(table: Node) -> Matrix:
    """A matrix of MathML in numbers."""
    return [[_number(cell) for cell in row.all("mtd")] for row in table.all("mtr")]


def product(left: Matrix, right: Matrix) -> Matrix:
    """The product of two matrices."""
    columns = list(zip(*right, strict=True))
    return [[sum((a * b for a, b in zip(row, column, strict=True)), Decimal(0)) for column in columns] for row in left]


def in_cells(fields: Mapping[str, Sequence[Sequence[Decimal]]]) -> dict[str, str]:
    """The matrices as the values of a form whose cells are named like q-0-1."""
    return {
        f"{name}-{row}-{column}": f"{number.normalize():f}"
        for name, matrix in fields.items()
        for row, numbers in enumerate(matrix)
        for column, number in enumerate(numbers)
    }


def _number(cell: Node) -> Decimal:
    text = cell.text().replace(" ", "").replace("\N{MINUS SIGN}", "-")
    try:
        return Decimal(text)
    except InvalidOperation:
        raise Surprise(f"a cell of a given matrix should hold a number, and holds {text!r}") from None
