"""The ladder of hints of an item: what its author wrote, and for numbers what the derivation can say by itself.

No rung holds the answer before the last. The last of an item with numbers works out the first cell of the step at hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from grader.attention.projection import Array
from grader.derivation.graph import Ask, Derivation
from grader.derivation.typeset import worked_by_step
from grader.derivation.variants import draw
from grader.marking.items import Convention, Item, NumericItem, PredictItem
from grader.marking.mark import FieldState, Mark
from grader.marking.phrases import phrase
from grader.marking.text import Text
from grader.marking.variants import VariantJson, givens_of

MAX_RUNGS = 4
# What the derivation adds below the author's rungs, from the top.
DERIVED = ("other_numbers", "this_step")
_DRAWS = 30
_GOOD = {FieldState.RIGHT, FieldState.FOLLOWS}


def rungs(item: Item) -> int:
    """How many hints there are."""
    return len(item.hints) + len(_derived(item))


def hint(item: Item, variant: VariantJson, rung: int, step: str) -> Text:
    """The Markdown of a rung, counting from 1. Of `step` a derived rung speaks; the author's own do not look at it.

    Raises IndexError for a rung that the item does not have.
    """
    if rung <= len(item.hints):
        return item.hints[rung - 1]
    numeric = _numeric(item)
    if numeric is None:
        raise IndexError(rung)
    kind = _derived(item)[rung - 1 - len(item.hints)]
    givens = givens_of(variant)
    if kind == "other_numbers":
        lines = _lines(numeric, _other_numbers(numeric.derivation, givens, variant["seed"], step), step)
    else:
        lines = _lines(numeric, givens, step)[1::2]
    formulas = "".join(f"\n\n$$\n{line}\n$$" for line in lines)
    return phrase(f"hint.{kind}").map(lambda words: words + formulas)


def step_at_hand(item: Item, marking: Mark | None) -> str:
    """The first asked step that the latest answer has not right; empty for an item without numbers."""
    numeric = _numeric(item)
    if numeric is None:
        return ""
    asked = [ask.name for ask in numeric.derivation.asks]
    good = {field.name for field in marking.fields if field.state in _GOOD} if marking else set()
    return next((name for name in asked if name not in good), asked[0])


def _numeric(item: Item) -> NumericItem | None:
    if isinstance(item, PredictItem):
        return item.numeric
    return item if isinstance(item, NumericItem) else None


def _derived(item: Item) -> tuple[str, ...]:
    """The author may take the place of the derivation from the third rung on."""
    return () if _numeric(item) is None else DERIVED[max(0, len(item.hints) - (MAX_RUNGS - len(DERIVED))) :]


def _lines(item: NumericItem, givens: Mapping[str, Array], step: str) -> list[str]:
    """Lines of TeX for the step, and for each that leads to it and is not asked for: the whole, and one cell."""
    derivation = item.derivation
    by_step = worked_by_step(derivation, givens, column=item.convention is Convention.COLUMN)
    wanted = set(_unasked_before(derivation, step)) | {step}
    chosen = zip(derivation.steps, by_step, strict=True)
    return [line for each, lines in chosen if each.name in wanted for line in lines]


def _unasked_before(derivation: Derivation, name: str) -> Iterator[str]:
    steps = {step.name for step in derivation.steps}
    asked = {ask.name for ask in derivation.asks}
    for argument in derivation.step(name).arguments:
        if argument in steps and argument not in asked:
            yield argument
            yield from _unasked_before(derivation, argument)


def _other_numbers(derivation: Derivation, givens: Mapping[str, Array], seed: int, step: str) -> dict[str, Array]:
    """The givens of the later seed on which the step has the fewest numbers in common with what is asked for here."""
    ask = next(ask for ask in derivation.asks if ask.name == step)
    here = _asked(derivation, givens, ask)
    drawn = [dict(draw(derivation, later)) for later in range(seed + 1, seed + 1 + _DRAWS)]
    return min(drawn, key=lambda other: int(np.sum(_asked(derivation, other, ask) == here)))


def _asked(derivation: Derivation, givens: Mapping[str, Array], ask: Ask) -> Array:
    return np.round(ask.pick(derivation.evaluate(givens)[ask.name]), ask.decimals)
