"""Naming a mistake: which slip of the derivation gives the numbers that the learner gave."""

from __future__ import annotations

from collections.abc import Iterator

from grader.attention.projection import Array
from grader.derivation.graph import Ask, Derivation, Values
from grader.derivation.slips import Slip, outcome
from grader.derivation.tolerance import tolerances
from grader.derivation.typeset import letters
from grader.derivation.variants import slip_classes
from grader.marking.closeness import is_close
from grader.marking.items import Item
from grader.marking.mark import Finding


def matching_slip(derivation: Derivation, givens: Values, known: Values, ask: Ask, typed: Array) -> Slip | None:
    """The slip whose outcome the typed field equals, worked from the exact values or from the learner's own earlier ones."""
    for put_in in (known, {}) if known else ({},):
        for slip, wrong, allowed in _outcomes(derivation, givens, put_in):
            if is_close(typed, ask.pick(wrong[ask.name]), allowed[ask.name]):
                return slip
    return None


def _outcomes(derivation: Derivation, givens: Values, known: Values) -> Iterator[tuple[Slip, Values, Values]]:
    for slip in slip_classes(derivation):
        wrong = outcome(derivation, slip, givens, known=known)
        if wrong is not None:
            yield slip, wrong, tolerances(derivation.with_step(slip.wrong), givens, known=known)


def name_slip(item: Item, derivation: Derivation, slip: Slip, *, field: str) -> Finding:
    """The slip in words: what was computed, and what the question asks for."""
    misconception = item.misconceptions[slip.slug]
    asked = next(step for step in derivation.steps if step.name == slip.wrong.name)
    return Finding(
        slug=slip.slug,
        title=misconception.title,
        text=misconception.explanation.fill(used=letters(slip.wrong), asked=letters(asked)),
        field=field,
        is_misconception=True,
    )
