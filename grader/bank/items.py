"""A definition, as plain JSON, read into a typed item.

The same definition comes from a content file, from a row of the database and from a job on the queue; it is whole in
itself, so that an old version can be marked long after the files have changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from grader.bank.chosen_items import read_choice, read_match, read_order
from grader.bank.code_items import read_code
from grader.bank.common import COMMON, common
from grader.bank.derived_items import read_numeric, read_predict, read_shape
from grader.bank.lab_items import read_lab
from grader.bank.table import Table
from grader.bank.telling import home, twin_item, words_in
from grader.derivation.operations import ShapeError
from grader.marking.items import Convention, Criterion, FreeTextItem, Item, ItemKind, Rubric


def parse_item(definition: Mapping[str, Any], convention: Convention | None = None) -> Item:
    """Read a definition as it is told in a convention, without one in its own. Raises DefinitionError."""
    return read_item(Table(definition), convention)


def read_item(table: Table, convention: Convention | None = None) -> Item:
    """Read a definition that may be part of a larger table."""
    own = home(table)
    item = _read(words_in(table, convention or own))
    if convention in {None, own}:
        return item
    try:
        return twin_item(item)
    except ShapeError as error:
        raise table.error("steps", f"this cannot be told in the other convention: {error}") from None


def _read(table: Table) -> Item:
    kind = table.text("kind")
    if kind not in set(ItemKind):
        raise table.error("kind", f"{kind!r} is no kind of item; known are {', '.join(ItemKind)}")
    return READERS[ItemKind(kind)](table)


def read_free_text(table: Table) -> FreeTextItem:
    """A question that a person marks by a rubric; tries and penalties are nothing to a person."""
    table.only(*(key for key in COMMON if key != "policy"), "criterion")
    criteria = []
    for criterion in table.tables("criterion"):
        criterion.only("key", "text")
        criteria.append(Criterion(criterion.text("key"), criterion.both_languages("text")))
    if not criteria:
        raise table.error("criterion", "a rubric of at least one criterion is needed")
    return FreeTextItem(**common(table), rubric=Rubric(tuple(criteria)))


READERS: Mapping[ItemKind, Callable[[Table], Item]] = {
    ItemKind.NUMERIC: read_numeric,
    ItemKind.CHOICE: read_choice,
    ItemKind.CODE: read_code,
    ItemKind.FREE_TEXT: read_free_text,
    ItemKind.SHAPE: read_shape,
    ItemKind.MATCH: read_match,
    ItemKind.ORDER: read_order,
    ItemKind.PREDICT: read_predict,
    ItemKind.LAB: read_lab,
}
