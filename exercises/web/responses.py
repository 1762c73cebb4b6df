"""The fields of an item's form as the raw response that the services take."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict

from exercises.queries.lesson_page import ItemOnPage
from grader.marking.items import ChoiceItem, CodeItem, NumericItem
from grader.marking.variants import FieldShape


def cell_name(field: str, row: int, column: int) -> str:
    """The form name of one cell of a field, such as q-0-1."""
    return f"{field}-{row}-{column}"


def read_response(page: ItemOnPage, form: QueryDict) -> dict[str, Any]:
    """What was entered, as it was entered."""
    content = page.content
    if isinstance(content, NumericItem):
        return {"fields": {field.name: _read_cells(field, form) for field in page.presentation.fields}}
    if isinstance(content, ChoiceItem):
        return {"chosen": form.getlist("chosen")}
    if isinstance(content, CodeItem):
        return {"code": _read_text(form, "code")}
    return {"text": _read_text(form, "text")}


def _read_cells(field: FieldShape, form: QueryDict) -> list[list[str]]:
    return [
        [form.get(cell_name(field.name, row, column), "") for column in range(field.columns)]
        for row in range(field.rows)
    ]


def _read_text(form: QueryDict, name: str) -> str:
    # Browsers send every line end as CR LF, whatever was typed.
    return form.get(name, "").replace("\r\n", "\n")
