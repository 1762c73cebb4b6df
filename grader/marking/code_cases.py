"""The cases on which a learner's function is called: the visible ones fixed, the hidden ones drawn anew each time."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from grader.attention.projection import Array
from grader.derivation.graph import Derivation, Values
from grader.derivation.slips import Slip, outcome, slips_of
from grader.derivation.variants import draw, separable_variant
from grader.marking.items import CodeCase, CodeItem
from grader.marking.mark import CaseReport, CaseState

SHOWN_CELLS = 200

SlipKey = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class DrawnCase:
    """One call with its numbers. `expected` never enters the sandbox."""

    number: int
    visible: bool
    derivation: Derivation
    givens: Values
    expected: Array

    def arguments(self, parameters: tuple[str, ...]) -> tuple[Array | None, ...]:
        """What the function is called with, in the order of its parameters; None where the case leaves one out."""
        return tuple(self.givens.get(name) for name in parameters)

    def wrong(self, slip: Slip) -> Array | None:
        """What the slip gives here; None where it raises or is not finite."""
        values = outcome(self.derivation, slip, self.givens)
        return None if values is None else values[self.derivation.asks[0].name]

    def slips(self) -> dict[SlipKey, Slip]:
        """The slips that these arguments allow, by what tells them apart."""
        return {slip.key: slip for slip in slips_of(self.derivation)}


def draw_cases(item: CodeItem, seed: int) -> tuple[DrawnCase, ...]:
    """Every case of the item, the visible ones first; hidden ones depend on the seed."""
    stream = random.Random(seed)  # noqa: S311 -- which numbers, no secret: they are new for every submission
    in_order = sorted(item.cases, key=lambda case: not case.visible)
    return tuple(_draw(case, number, int(stream.random() * 2**32)) for number, case in enumerate(in_order, start=1))


def visible_cases(item: CodeItem) -> tuple[DrawnCase, ...]:
    """The cases that the page shows before anything is submitted."""
    return tuple(case for case in draw_cases(item, seed=0) if case.visible)


def _draw(case: CodeCase, number: int, seed: int) -> DrawnCase:
    derivation = case.derivation
    givens = draw(derivation, case.seed) if case.visible else separable_variant(derivation, seed).givens
    expected = derivation.evaluate(givens)[derivation.asks[0].name]
    return DrawnCase(number, case.visible, derivation, givens, expected)


def report(case: DrawnCase, state: CaseState, got: str) -> CaseReport:
    """What is told of a case: everything of a visible one, of a hidden one only how it ended."""
    if not case.visible:
        return CaseReport(case.number, visible=False, state=state)
    given = "\n".join(f"{name} = {show(value)}" for name, value in case.givens.items())
    return CaseReport(case.number, visible=True, state=state, given=given, expected=show(case.expected), got=got)


def show(value: Array) -> str:
    """An array as NumPy writes it, preceded by its shape: half of all mistakes are in the shape."""
    numbers = np.array2string(
        value + 0.0 if value.dtype.kind == "f" else value,  # + 0.0 turns −0 into 0
        precision=4,
        suppress_small=True,
        separator=", ",
        threshold=SHOWN_CELLS,
    )
    shape = "(" + ", ".join(str(size) for size in value.shape) + ("," if value.ndim == 1 else "") + ")"
    return f"{shape}\n{numbers}"
