"""Telling an item in the convention that a learner has chosen.

An item reads both ways once its texts do (`{row: … | column: …}`). Its derivation is written in one convention, the
item's home, and told in the other as its twin; the numbers are the same, laid out the other way. A lab keeps its arrays in
rows; the page turns its tables round.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from grader.bank.table import Table
from grader.derivation.convention import TWIN_OF, twin, twin_name, twin_values
from grader.derivation.graph import Derivation
from grader.derivation.operations import ShapeError
from grader.marking.either import other, reads_both_ways, told_each
from grader.marking.items import Convention, Item, ItemKind, NumericItem, PredictItem, ShapeItem
from grader.marking.variants import VariantJson

# A program is called in one way.
ONE_WAY: Final = frozenset({ItemKind.CODE})
# The words of misconceptions and skills are shared, and say nothing of whether this item reads both ways.
_SHARED: Final = frozenset({"misconceptions", "skills"})


def home(table: Table) -> Convention:
    """The convention in which an item is written. Raises DefinitionError for a word that names none."""
    return read_convention(table) if table.has("convention") else Convention.ROW


def read_convention(table: Table) -> Convention:
    """Rows or columns."""
    convention = table.text("convention")
    if convention not in set(Convention):
        raise table.error("convention", f"{convention!r} is neither row nor column")
    return Convention(convention)


def conventions(table: Table) -> tuple[Convention, ...]:
    """Those that an item can be told in, its home first. Raises DefinitionError."""
    own = home(table)
    if not reads_both_ways({key: value for key, value in table.values.items() if key not in _SHARED}):
        return (own,)
    if table.text("kind") in ONE_WAY:
        raise table.error("prompt", f"a {table.text('kind')} item is told in one convention alone")
    return own, other(own)


def item_words(definition: Mapping[str, Any], convention: Convention) -> Mapping[str, object]:
    """The texts of a definition as they read in a convention."""
    return words_in(Table(definition), convention).values


def item_conventions(definition: Mapping[str, Any]) -> tuple[Convention, ...]:
    """The same of a definition that has been read before."""
    return conventions(Table(definition))


def words_in(table: Table, convention: Convention) -> Table:
    """The definition with every text as it reads in a convention; one that reads one way stays as it is."""
    reads_one_way = len(conventions(table)) == 1
    return table if reads_one_way else Table(told_each(table.values, convention), table.key)


def twin_item(item: Item) -> Item:
    """The item computed and laid out in the other convention. Raises ShapeError where there is no such computation."""
    match item:
        case NumericItem():
            return _twin_numbers(item)
        case PredictItem():
            return replace(item, numeric=_twin_numbers(item.numeric))
        case ShapeItem():
            return replace(
                item,
                derivation=_twin(item.derivation),
                convention=other(item.convention),
                asks=tuple(map(twin_name, item.asks)),
                shown=tuple(map(twin_name, item.shown)),
            )
    return item


def variant_in(item: Item, variant: VariantJson, convention: Convention) -> VariantJson:
    """A variant of an item at home, told in a convention, which is noted in it: the same numbers in both."""
    derivation = _derivation(item)
    if derivation is None or convention is _home_of(item):
        return {**variant, "convention": str(convention)}
    givens = {name: np.array(value, dtype=float) for name, value in variant["values"].items()}
    values = {name: value.tolist() for name, value in twin_values(derivation, givens).items()}
    return {**variant, "values": values, "convention": str(convention)}


def variant_convention(variant: VariantJson) -> Convention | None:
    """The convention that a variant was told in; None for an item that is told in one alone."""
    return Convention(variant["convention"]) if "convention" in variant else None


def _twin_numbers(item: NumericItem) -> NumericItem:
    return replace(item, derivation=_twin(item.derivation), convention=other(item.convention))


def _twin(derivation: Derivation) -> Derivation:
    for step in derivation.steps:
        if step.operation.name not in TWIN_OF:
            raise ShapeError(f"{step.operation.name} works in one convention alone")
    turned = twin(derivation)
    turned.shapes()
    return turned


def _derivation(item: Item) -> Derivation | None:
    """What the numbers of a variant belong to."""
    match item:
        case NumericItem():
            return item.derivation
        case PredictItem():
            return item.numeric.derivation
    return None


def _home_of(item: Item) -> Convention | None:
    return item.numeric.convention if isinstance(item, PredictItem) else getattr(item, "convention", None)
