"""The variant of an item as plain JSON, and what a page or the API may show of it: never an expected answer."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.attention.projection import Array
from grader.derivation.typeset import asked_symbol, symbol, tex_array, worked_steps
from grader.derivation.variants import separable_variant
from grader.marking.entry import on_page
from grader.marking.items import ChoiceItem, CodeItem, Convention, Item, NumericItem, Option

VariantJson = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ShownArray:
    """A given array: its name in code, its TeX (symbol = numbers), its numbers as nested lists."""

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
    convention: str = ""


def draw_variant(item: Item, seed: int) -> dict[str, Any]:
    """The variant of a seed. A numeric item may move on to a later seed, on which all mistakes can be told apart."""
    if isinstance(item, NumericItem):
        variant = separable_variant(item.derivation, seed)
        return {"seed": variant.seed, "values": {name: value.tolist() for name, value in variant.givens.items()}}
    if isinstance(item, ChoiceItem):
        return {"seed": seed, "order": _shuffled([option.key for option in item.options], seed)}
    return {"seed": seed}


def givens_of(variant: VariantJson) -> dict[str, Array]:
    """The numbers of a numeric variant as arrays."""
    return {name: np.array(value, dtype=float) for name, value in variant["values"].items()}


def present(item: Item, variant: VariantJson) -> Presentation:
    """What to show of a variant."""
    if isinstance(item, NumericItem):
        return _present_numeric(item, givens_of(variant))
    if isinstance(item, ChoiceItem):
        by_key = {option.key: option for option in item.options}
        return Presentation(options=tuple(by_key[key] for key in variant["order"]))
    if isinstance(item, CodeItem):
        return Presentation(convention=item.convention)
    return Presentation()


def worked_solution(item: Item, variant: VariantJson) -> tuple[str, ...]:
    """The derivation with this variant's numbers put in, a line of TeX a step; empty for other kinds of item."""
    if not isinstance(item, NumericItem):
        return ()
    column = item.convention is Convention.COLUMN
    return tuple(worked_steps(item.derivation, givens_of(variant), column=column))


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


def _shuffled(keys: list[str], seed: int) -> list[str]:
    stream = random.Random(seed)  # noqa: S311 -- the order of options, no secret
    return [key for _, key in sorted((stream.random(), key) for key in keys)]
