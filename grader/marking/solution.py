"""The worked solution of an item, for a learner who has solved it or has asked to be shown: Markdown, a part a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import singledispatch

import numpy as np

from grader.derivation.convention import twin_name
from grader.derivation.typeset import letters, number, symbol, tex_array, worked_steps
from grader.marking.entry import on_page
from grader.marking.items import (
    ChoiceItem,
    CodeItem,
    Convention,
    Item,
    LabItem,
    Line,
    MatchItem,
    NumericItem,
    OrderItem,
    PredictItem,
    ShapeItem,
)
from grader.marking.shape import resolve, shape_tex
from grader.marking.text import NO_TEXT, Text
from grader.marking.variants import VariantJson, givens_of


def solution(item: Item, variant: VariantJson) -> tuple[Text, ...]:
    """The author's words, if there are any, and what follows from the definition; empty where there is neither."""
    written = () if item.solution == NO_TEXT else (item.solution,)
    return (*written, *_parts(item, variant))


def has_solution(item: Item) -> bool:
    """Whether there is anything to show; it does not depend on the numbers."""
    return item.solution != NO_TEXT or _parts.dispatch(type(item)) is not _parts.dispatch(Item)


def model_fields(item: Item, variant: VariantJson) -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """Of each field that is asked, in the order of the way, the cells that the solution has, as a learner would write them."""
    numeric = item.numeric if isinstance(item, PredictItem) else item
    if not isinstance(numeric, NumericItem):
        return {}
    values = numeric.derivation.evaluate(givens_of(variant))
    shown = {ask.name: on_page(ask.pick(values[ask.name]), numeric.convention) for ask in numeric.derivation.asks}
    return {name: tuple(tuple(map(number, row)) for row in rows.tolist()) for name, rows in shown.items()}


@singledispatch
def _parts(_item: Item, _variant: VariantJson) -> Iterator[Text]:
    """What the definition says of the way to the answer; of a kind that is not registered it says nothing."""
    yield from ()


@_parts.register
def _(item: NumericItem, variant: VariantJson) -> Iterator[Text]:
    column = item.convention is Convention.COLUMN
    yield from map(_formula, worked_steps(item.derivation, givens_of(variant), column=column))


@_parts.register
def _(item: PredictItem, variant: VariantJson) -> Iterator[Text]:
    yield from (option.feedback for option in item.guesses if option.is_right)
    yield from _parts(item.numeric, variant)


@_parts.register
def _(item: LabItem, variant: VariantJson) -> Iterator[Text]:
    yield from (option.feedback for option in item.guesses if option.is_right)
    turned = variant.get("convention") == Convention.COLUMN
    for name, rows in item.reached_by.items():
        array = np.array(rows)
        shown, value = (twin_name(name), array.T) if turned else (name, array)
        yield _formula(f"{symbol(shown)} = {tex_array(value)}")


@_parts.register
def _(item: ShapeItem, _variant: VariantJson) -> Iterator[Text]:
    shapes = item.derivation.shapes()
    steps = {step.name: f"{symbol(step.name)} = {letters(step)}" for step in item.derivation.steps}
    for name in item.asks:
        sizes = shape_tex(resolve(item.derivation, shapes[name]))
        yield _formula(rf"{steps.get(name, symbol(name))} : \; {sizes}")


@_parts.register
def _(item: ChoiceItem, _variant: VariantJson) -> Iterator[Text]:
    for option in item.options:
        if option.is_right:
            yield _joined("**{one}**\n\n{other}", option.text, option.feedback)


@_parts.register
def _(item: MatchItem, _variant: VariantJson) -> Iterator[Text]:
    targets = {target.key: target.text for target in item.targets}
    for entry in item.entries:
        yield _joined("{one} → **{other}**", entry.text, targets[entry.target])


@_parts.register
def _(item: OrderItem, _variant: VariantJson) -> Iterator[Text]:
    yield from (_line(line) for line in item.lines)


@_parts.register
def _(item: CodeItem, _variant: VariantJson) -> Iterator[Text]:
    if item.solution == NO_TEXT:
        for step in item.derivation.steps:
            yield _formula(f"{symbol(step.name)} = {letters(step)}")


def _line(line: Line) -> Text:
    return line.text.map(lambda code: f"```python\n{code}\n```") if line.is_code else line.text


def _formula(tex: str) -> Text:
    return Text(tex, tex).map(lambda formula: f"$$\n{formula}\n$$")


def _joined(pattern: str, one: Text, other: Text) -> Text:
    return Text(
        pattern.format(one=one.zh_hans, other=other.zh_hans),
        pattern.format(one=one.en, other=other.en),
    )
