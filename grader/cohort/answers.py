"""What learners answer to one variant of an item: the right answer, what each misconception gives, and careless slips.

The answers of an item with numbers come out of its derivation, as real ones would: a misconception is a slip put into it.
A program is one of the reference programs; what it returns is what the derivation returns with the slip in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from grader.attention.projection import Array
from grader.derivation.graph import Ask, Values
from grader.derivation.slips import outcome, slips_of
from grader.marking.entry import on_page
from grader.marking.items import (
    ChoiceItem,
    FreeTextItem,
    GoalKind,
    Item,
    LabItem,
    MatchItem,
    NumericItem,
    OrderItem,
    PredictItem,
    Rows,
    ShapeItem,
)
from grader.marking.lab import goal_name
from grader.marking.lab_goals import run_lab
from grader.marking.response import RawResponse
from grader.marking.text import LANGUAGES
from grader.marking.variants import VariantJson, givens_of

RIGHT = ""
CARELESS = "careless"


@dataclass(frozen=True, slots=True)
class Answer:
    """What is sent, and the idea behind it: a misconception's slug, RIGHT or CARELESS."""

    idea: str
    response: RawResponse


def answers(item: Item, variant: VariantJson) -> tuple[Answer, ...]:
    """One answer for each idea, the right one first. Code is answered by programs, and so by none here."""
    found: dict[str, Answer] = {}
    for answer in _answers(item, variant):
        found.setdefault(answer.idea, answer)
    return tuple(found.values())


def _answers(item: Item, variant: VariantJson) -> Iterator[Answer]:
    match item:
        case NumericItem():
            return _numbers(item, givens_of(variant))
        case PredictItem():
            return _predictions(item, variant)
        case LabItem():
            return _experiments(item, variant)
        case FreeTextItem():
            return _texts(item, variant["seed"])
    return _picks(item)


def _picks(item: Item) -> Iterator[Answer]:
    match item:
        case ChoiceItem():
            return _choices(item)
        case ShapeItem():
            return _shapes(item)
        case MatchItem():
            return _matches(item)
        case OrderItem():
            return _orders(item)
    return iter(())


def _predictions(item: PredictItem, variant: VariantJson) -> Iterator[Answer]:
    guess = variant["order"][0]
    for answer in _numbers(item.numeric, givens_of(variant)):
        yield Answer(answer.idea, {**answer.response, "guess": guess})


def _numbers(item: NumericItem, givens: Values) -> Iterator[Answer]:
    derivation = item.derivation
    right = derivation.evaluate(givens)
    yield Answer(RIGHT, _typed(item, right))
    for slip in slips_of(derivation):
        wrong = outcome(derivation, slip, givens)
        if wrong is not None and _fills(item, wrong, right):
            yield Answer(slip.slug, _typed(item, wrong))
    yield Answer(CARELESS, _typed(item, {name: value + _one_off(value) for name, value in right.items()}))


def _fills(item: NumericItem, wrong: Values, right: Values) -> bool:
    """Whether the boxes of the page hold what the slip gives: its shape may be another."""
    return all(ask.is_in(wrong[ask.name]) and wrong[ask.name].shape == right[ask.name].shape for ask in _asks(item))


def _one_off(value: Array) -> Array:
    """A fault in the last cell that no named mistake makes."""
    off = np.zeros_like(value)
    off.flat[-1:] = 17.5
    return off


def _typed(item: NumericItem, values: Values) -> RawResponse:
    return {"fields": {ask.name: _cells(item, ask, ask.pick(values[ask.name])) for ask in _asks(item)}}


def _cells(item: NumericItem, ask: Ask, value: Array) -> list[list[str]]:
    return [[f"{number:.{ask.decimals}f}" for number in row] for row in on_page(value, item.convention)]


def _asks(item: NumericItem) -> tuple[Ask, ...]:
    return item.derivation.asks


def _choices(item: ChoiceItem) -> Iterator[Answer]:
    right = [option.key for option in item.options if option.is_right]
    yield Answer(RIGHT, {"chosen": right})
    for option in item.options:
        if not option.is_right:
            chosen = [*right, option.key] if item.multiple else [option.key]
            yield Answer(option.misconception or CARELESS, {"chosen": chosen})


def _shapes(item: ShapeItem) -> Iterator[Answer]:
    shapes = {name: [str(size) for size in sizes] for name, sizes in item.derivation.shapes().items()}
    yield Answer(RIGHT, _named(item, shapes))
    yield Answer("shape_transposed", _named(item, {name: sizes[::-1] for name, sizes in shapes.items()}))
    first = item.asks[0]
    other = next((sizes for sizes in shapes.values() if sizes not in (shapes[first], shapes[first][::-1])), ["7"])
    yield Answer("shape_of_other_array", _named(item, {**shapes, first: other}))
    yield Answer(CARELESS, _named(item, {**shapes, first: [*shapes[first], "7"]}))


def _named(item: ShapeItem, shapes: Mapping[str, list[str]]) -> RawResponse:
    return {"fields": {name: f"[{', '.join(shapes[name])}]" for name in item.asks}}


def _matches(item: MatchItem) -> Iterator[Answer]:
    right = {entry.key: entry.target for entry in item.entries}
    yield Answer(RIGHT, {"pairs": right})
    for entry in item.entries:
        for wrong in entry.wrong:
            yield Answer(wrong.misconception or CARELESS, {"pairs": {**right, entry.key: wrong.target}})
    first = item.entries[0]
    other = next(target.key for target in item.targets if target.key != first.target)
    yield Answer(CARELESS, {"pairs": {**right, first.key: other}})


def _orders(item: OrderItem) -> Iterator[Answer]:
    right = [line.key for line in item.lines]
    yield Answer(RIGHT, {"order": right})
    for line in item.lines:
        if line.misconception:
            yield Answer(line.misconception, {"order": [line.key, *(key for key in right if key != line.key)]})
    for line in item.distractors:
        yield Answer(line.misconception or CARELESS, {"order": [*right, line.key]})
    yield Answer(CARELESS, {"order": right[:-1]})


def _experiments(item: LabItem, variant: VariantJson) -> Iterator[Answer]:
    guess = variant["order"][0]
    yield Answer(RIGHT, _experiment(item, guess, {**item.lab.given, **item.reached_by}))
    yield Answer(CARELESS, _experiment(item, guess, item.lab.given))


def _experiment(item: LabItem, guess: str, arrays: Mapping[str, Rows]) -> RawResponse:
    changed = {name: np.array(arrays[name], dtype=float) for name in item.lab.changeable}
    weights = run_lab(item.lab, changed)["attn_weights"]
    named = {
        goal_name(place): str(int(weights[item.lab.queries.index(goal.query)].argmax()) + 1)
        for place, goal in enumerate(item.goals)
        if goal.kind is GoalKind.LOOKS_MOST
    }
    fields = {name: [[f"{number:g}" for number in row] for row in array] for name, array in changed.items()}
    return {"guess": guess, "fields": fields, "named": named}


def _texts(item: FreeTextItem, seed: int) -> Iterator[Answer]:
    language = LANGUAGES[seed % len(LANGUAGES)]
    # Whoever answers in words types no marks of formulas.
    met = [criterion.text.in_language(language).replace("$", "") for criterion in item.rubric.criteria]
    yield Answer(RIGHT, {"text": " ".join(met)})
    for slug, misconception in item.misconceptions.items():
        yield Answer(slug, {"text": misconception.title.in_language(language)})
    yield Answer(CARELESS, {"text": met[0]})
