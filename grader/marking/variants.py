"""The variant of an item as plain JSON, and what a page or the API may show of it: never an expected answer."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

import numpy as np

from grader.attention.projection import Array
from grader.derivation.typeset import asked_symbol, letters, symbol, tex_array
from grader.derivation.variants import separable_variant
from grader.marking.entry import on_page
from grader.marking.items import (
    ChoiceItem,
    CodeItem,
    Convention,
    Entry,
    Item,
    LabItem,
    Line,
    MatchItem,
    NumericItem,
    Option,
    OrderItem,
    PredictItem,
    ShapeItem,
    Target,
)
from grader.marking.order import is_right_order
from grader.marking.shape import resolve, shape_tex

VariantJson = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ShownArray:
    """A given array: its name in code, its TeX (symbol = numbers), its numbers as nested lists.

    Of a shape item's given the shape is shown instead: TeX (symbol ∈ sizes), and the sizes as a list.
    """

    name: str
    tex: str
    values: Any


@dataclass(frozen=True, slots=True)
class FieldShape:
    """One field to fill in: its TeX symbol, its size on the page, and how many decimals are asked."""

    name: str
    tex: str
    rows: int
    columns: int
    is_vector: bool
    decimals: int


@dataclass(frozen=True, slots=True)
class Presentation:
    """Everything of a variant that a learner may see before answering."""

    givens: tuple[ShownArray, ...] = ()
    fields: tuple[FieldShape, ...] = ()
    options: tuple[Option, ...] = ()
    entries: tuple[Entry, ...] = ()
    targets: tuple[Target, ...] = ()
    lines: tuple[Line, ...] = ()
    convention: str = ""


def draw_variant(item: Item, seed: int) -> dict[str, Any]:
    """The variant of a seed. An item with numbers may move on to a later seed, on which all mistakes can be told apart."""
    if isinstance(item, NumericItem):
        variant = separable_variant(item.derivation, seed)
        return {"seed": variant.seed, "values": {name: value.tolist() for name, value in variant.givens.items()}}
    if isinstance(item, PredictItem):
        return {**draw_variant(item.numeric, seed), "order": _shuffled(item.guesses, seed)}
    if isinstance(item, OrderItem):
        return {"seed": seed, "order": _disordered(item, seed)}
    parts = _in_any_order(item)
    return {"seed": seed, "order": _shuffled(parts, seed)} if parts else {"seed": seed}


def _in_any_order(item: Item) -> Sequence[Option] | Sequence[Entry]:
    """What every variant shows in an order of its own."""
    match item:
        case LabItem():
            return item.guesses
        case ChoiceItem():
            return item.options
        case MatchItem():
            return item.entries
    return ()


def givens_of(variant: VariantJson) -> dict[str, Array]:
    """The numbers of a numeric variant as arrays."""
    return {name: np.array(value, dtype=float) for name, value in variant["values"].items()}


def present(item: Item, variant: VariantJson) -> Presentation:
    """What to show of a variant."""
    match item:
        case NumericItem():
            shown = _present_numeric(item, givens_of(variant))
        case PredictItem():
            numbers = _present_numeric(item.numeric, givens_of(variant))
            shown = replace(numbers, options=_in_order(item.guesses, variant))
        case ShapeItem():
            shown = _present_shape(item)
        case LabItem():
            shown = _present_lab(item, variant)
        case CodeItem():
            shown = Presentation(convention=item.convention)
        case _:
            shown = _present_chosen(item, variant)
    return shown


def _present_chosen(item: Item, variant: VariantJson) -> Presentation:
    match item:
        case ChoiceItem():
            return Presentation(options=_in_order(item.options, variant))
        case MatchItem():
            return Presentation(entries=_in_order(item.entries, variant), targets=item.targets)
        case OrderItem():
            return Presentation(lines=_in_order((*item.lines, *item.distractors), variant))
    return Presentation()


def _present_numeric(item: NumericItem, givens: Mapping[str, Array]) -> Presentation:
    column = item.convention is Convention.COLUMN
    expected = item.derivation.evaluate(givens)
    fields = []
    for ask in item.derivation.asks:
        part = ask.pick(expected[ask.name])
        rows, columns = on_page(part, item.convention).shape
        is_vector = 1 in (rows, columns)
        fields.append(FieldShape(ask.name, asked_symbol(ask), rows, columns, is_vector, ask.decimals))
    shown = tuple(
        ShownArray(name, f"{symbol(name)} = {tex_array(value, column=column)}", value.tolist())
        for name, value in givens.items()
    )
    return Presentation(givens=shown, fields=tuple(fields), convention=item.convention)


def _present_shape(item: ShapeItem) -> Presentation:
    """The shapes of what is given, and a box for each array that is asked; of a step its formula is shown."""
    derivation = item.derivation
    steps = {step.name: f"{symbol(step.name)} = {letters(step)}" for step in derivation.steps}
    givens = tuple(
        ShownArray(given.name, rf"{symbol(given.name)} : \; {shape_tex(sizes)}", list(sizes))
        for given in derivation.givens
        if given.name in item.shown
        for sizes in [resolve(derivation, given.shape)]
    )
    fields = tuple(
        FieldShape(name, steps.get(name, symbol(name)), rows=1, columns=1, is_vector=True, decimals=0)
        for name in item.asks
    )
    return Presentation(givens=givens, fields=fields, convention=item.convention)


def _present_lab(item: LabItem, variant: VariantJson) -> Presentation:
    """What the lab starts from, and a field for each array that may be changed."""
    given = {name: np.array(rows) for name, rows in item.lab.given.items()}
    shown = tuple(
        ShownArray(name, f"{symbol(name)} = {tex_array(value)}", value.tolist()) for name, value in given.items()
    )
    fields = tuple(
        FieldShape(name, symbol(name), rows, columns, is_vector=False, decimals=0)
        for name in item.lab.changeable
        for rows, columns in [given[name].shape]
    )
    return Presentation(shown, fields, _in_order(item.guesses, variant), convention=Convention.ROW)


class _Keyed(Protocol):
    @property
    def key(self) -> str: ...


KeyedT = TypeVar("KeyedT", bound=_Keyed)


def _in_order(parts: Sequence[KeyedT], variant: VariantJson) -> tuple[KeyedT, ...]:
    by_key = {part.key: part for part in parts}
    return tuple(by_key[key] for key in variant["order"])


def _disordered(item: OrderItem, seed: int) -> list[str]:
    """The lines in an order that is not right, lest there be nothing to do."""
    shuffled = _shuffled((*item.lines, *item.distractors), seed)
    return shuffled[::-1] if is_right_order(item, shuffled) else shuffled


def _shuffled(parts: Sequence[_Keyed], seed: int) -> list[str]:
    """The keys in an order that says nothing of the author's, not even to somebody who knows the seed: that may be right."""
    stream = random.Random(seed)  # noqa: S311 -- an order on a page, no secret
    return [key for _, key in sorted((stream.random(), key) for key in sorted(part.key for part in parts))]
