"""What a learner's response looks like for each kind of item, and where in it something was not understood."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request

from exercises.api import words
from exercises.api.body import object_of
from exercises.api.problems import Fault, Refusal, pointer
from exercises.enums import ItemKind
from grader.marking.matrix_text import split_matrix
from grader.marking.notation import NotationError, parse_number
from grader.marking.response import Problem, ResponseError
from grader.marking.text import Text

# The key of each kind's response that problems have their places in; a prediction and a lab have a guess besides.
KEYS = {
    ItemKind.NUMERIC: "fields",
    ItemKind.CHOICE: "chosen",
    ItemKind.CODE: "code",
    ItemKind.FREE_TEXT: "text",
    ItemKind.SHAPE: "fields",
    ItemKind.MATCH: "pairs",
    ItemKind.ORDER: "order",
    ItemKind.PREDICT: "fields",
    ItemKind.LAB: "fields",
}
BESIDES = {ItemKind.PREDICT: ("guess",), ItemKind.LAB: ("guess", "named")}
OF_CELLS = {ItemKind.NUMERIC, ItemKind.PREDICT, ItemKind.LAB}


def read_response(request: Request, kind: ItemKind) -> dict[str, Any]:
    """The body as a response to an item of this kind. Raises Refusal where it is not even that."""
    return object_of(request, required=KEYS[kind], known=BESIDES.get(kind, ()))


def not_understood(error: ResponseError, kind: ItemKind, response: dict[str, Any]) -> Refusal:
    """The refusal that tells what was not understood, each with its place in the body."""
    return Refusal(400, [_fault(problem, kind, response) for problem in error.problems])


def _fault(problem: Problem, kind: ItemKind, response: dict[str, Any]) -> Fault:
    if not problem.field:
        return Fault("not_understood", problem.text, pointer() if kind in BESIDES else pointer(KEYS[kind]))
    if kind is ItemKind.LAB and problem.field not in response[KEYS[kind]]:
        return Fault("not_understood", problem.text, pointer("named", problem.field))
    field = pointer(KEYS[kind], problem.field)
    cells = response[KEYS[kind]].get(problem.field)
    if kind not in OF_CELLS or not _is_about_cell(problem, cells):
        return Fault("not_understood", problem.text, field)
    if isinstance(cells, str):
        return Fault("not_understood", _with_place(problem), field)
    rows = [problem.row] if isinstance(cells[0], list) else []
    return Fault("not_understood", problem.text, field + pointer(*rows, problem.column))


def _is_about_cell(problem: Problem, cells: object) -> bool:
    """Whether the text at the problem's place is itself no number; otherwise the whole field is meant."""
    cell = _cell(problem, cells)
    if not isinstance(cell, str):
        return False
    try:
        parse_number(cell)
    except NotationError:
        return True
    return False


def _cell(problem: Problem, cells: Any) -> object:  # noqa: ANN401 -- JSON as it was sent
    try:
        rows = split_matrix(cells) if isinstance(cells, str) else cells
        row = rows[problem.row] if isinstance(rows[0], list) else rows
        return row[problem.column]
    except (NotationError, IndexError, KeyError, TypeError):
        return None


def _with_place(problem: Problem) -> Text:
    place = words.PLACE_IN_PASTE.fill(row=str(problem.row + 1), column=str(problem.column + 1))
    return Text(place.zh_hans + problem.text.zh_hans, place.en + problem.text.en)
