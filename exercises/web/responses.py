"""The fields of an item's form as the raw response that the services take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import QueryDict

from exercises.models import Attempt
from exercises.queries.definitions import attempt_content
from grader.marking.items import (
    ChoiceItem,
    CodeItem,
    LabItem,
    Line,
    MatchItem,
    NumericItem,
    OrderItem,
    PredictItem,
    ShapeItem,
)
from grader.marking.lab import names_asked
from grader.marking.variants import FieldShape, present

# No seed has more digits: they are drawn below 2 to the 53rd, and move on by little.
LONGEST_SEED = 16


def cell_name(field: str, row: int, column: int) -> str:
    """The form name of one cell of a field, such as q-0-1."""
    return f"{field}-{row}-{column}"


def shape_name(field: str) -> str:
    """The form name of a shape, such as shape-Q."""
    return f"shape-{field}"


def pair_name(entry: str) -> str:
    """The form name of what an entry is matched with."""
    return f"pair-{entry}"


def place_name(line: str) -> str:
    """The form name of the place of a line."""
    return f"place-{line}"


def read_seed(form: QueryDict) -> int | None:
    """The seed that an address or a form names; None for what cannot be one."""
    seed = form.get("seed", "")
    return int(seed) if seed.isascii() and seed.isdecimal() and len(seed) <= LONGEST_SEED else None


def read_pairs(form: QueryDict) -> list[tuple[str, str]]:
    """Every field with its text, as a draft keeps them."""
    return [(name, _text(text)) for name, texts in form.lists() for text in texts]


def read_response(attempt: Attempt, form: QueryDict) -> dict[str, Any]:  # noqa: C901, PLR0912 -- one branch a kind
    """What was entered, as it was entered."""
    content = attempt_content(attempt)
    shown = present(content, attempt.variant)
    response: dict[str, Any]
    match content:
        case NumericItem():
            response = {"fields": _read_fields(shown.fields, form)}
        case PredictItem():
            response = {"guess": form.get("guess", ""), "fields": _read_fields(shown.fields, form)}
        case LabItem():
            response = _read_lab(content, shown.fields, form)
        case ShapeItem():
            response = {"fields": {field.name: form.get(shape_name(field.name), "") for field in shown.fields}}
        case ChoiceItem():
            response = {"chosen": form.getlist("chosen")}
        case MatchItem():
            response = {"pairs": {entry.key: form.get(pair_name(entry.key), "") for entry in shown.entries}}
        case OrderItem():
            response = {"order": _read_order(shown.lines, form)}
        case CodeItem():
            response = {"code": _read_text(form, "code")}
        case _:
            response = {"text": _read_text(form, "text")}
    return response


def _read_fields(fields: Sequence[FieldShape], form: QueryDict) -> dict[str, list[list[str]]]:
    return {field.name: _read_cells(field, form) for field in fields}


def _read_lab(item: LabItem, fields: Sequence[FieldShape], form: QueryDict) -> dict[str, Any]:
    """A lab that is not open yet sends its guess alone."""
    sent = [field for field in fields if cell_name(field.name, 0, 0) in form]
    named = {name: form.get(name, "") for name in names_asked(item)}
    return {"guess": form.get("guess", ""), "fields": _read_fields(sent, form), **({"named": named} if named else {})}


def _read_order(lines: Sequence[Line], form: QueryDict) -> list[str | list[str]]:
    """The lines by their places; several lines of one place stand together in a list, which marking refuses."""
    placed: dict[int, list[str]] = {}
    for line in lines:
        place = form.get(place_name(line.key), "")
        if place.isascii() and place.isdecimal():
            placed.setdefault(int(place[:4]), []).append(line.key)
    return [keys if len(keys) > 1 else keys[0] for _, keys in sorted(placed.items())]


def _read_cells(field: FieldShape, form: QueryDict) -> list[list[str]]:
    return [
        [form.get(cell_name(field.name, row, column), "") for column in range(field.columns)]
        for row in range(field.rows)
    ]


def _read_text(form: QueryDict, name: str) -> str:
    return _text(form.get(name, ""))


def _text(sent: str) -> str:
    # Browsers send every line end as CR LF, whatever was typed.
    return sent.replace("\r\n", "\n")
