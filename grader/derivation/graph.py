"""A derivation: named givens, steps over them, and the steps that an item asks for.

Steps are text in the content files, such as "project_rows(X, W_Q)". They are read into this typed graph once, by a
grammar of one call with names; nothing of a content file is ever executed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from grader.attention.projection import Array
from grader.derivation.operations import OPERATION_BY_NAME, Operation, Shape

Values = Mapping[str, Array]

_CALL = re.compile(r"\s*(?P<operation>\w+)\s*\((?P<arguments>[\w\s,]*)\)\s*")


class DerivationError(ValueError):
    """The derivation's text cannot be read, or its shapes do not fit."""


@dataclass(frozen=True, slots=True)
class Given:
    """An array that a variant draws. `draw` lists the numbers that a cell may take."""

    name: str
    shape: Shape
    draw: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the computation: a name for the result of an operation on named arrays."""

    name: str
    operation: Operation
    arguments: tuple[str, ...]

    def run(self, values: Values) -> Array:
        """Apply the operation to the named arrays."""
        return self.operation.forward(*(values[name] for name in self.arguments))


@dataclass(frozen=True, slots=True)
class Ask:
    """A step that the learner is asked for: to so many decimals, and of a matrix perhaps only some rows or columns.

    Rows and columns count from 0; only one of the two is chosen from.
    """

    name: str
    decimals: int
    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()

    @property
    def _place(self) -> tuple[Any, ...]:
        return (..., list(self.columns)) if self.columns else (list(self.rows),)

    def pick(self, value: Array) -> Array:
        """The asked part of the step's value, as a matrix where the value is one."""
        return value[self._place] if self.rows or self.columns else value

    def is_in(self, value: Array) -> bool:
        """Whether the value is large enough to have the asked part: a slip may give another shape."""
        return all(row < value.shape[0] for row in self.rows) and all(
            column < value.shape[-1] for column in self.columns
        )

    def put(self, part: Array, into: Array) -> Array:
        """`into` with the asked part replaced by `part`: how a learner's own numbers are carried on."""
        if not (self.rows or self.columns):
            return part
        whole = into.copy()
        whole[self._place] = part
        return whole


@dataclass(frozen=True, slots=True)
class Derivation:
    """The whole computation of one item. `sizes` gives a number to every letter in the givens' shapes."""

    givens: tuple[Given, ...]
    steps: tuple[Step, ...]
    asks: tuple[Ask, ...]
    sizes: tuple[tuple[str, int], ...]

    def shapes(self) -> dict[str, Shape]:
        """The symbolic shape of every given and every step. Raises ShapeError where a step does not fit."""
        shapes = {given.name: given.shape for given in self.givens}
        for step in self.steps:
            shapes[step.name] = step.operation.shape([shapes[name] for name in step.arguments])
        return shapes

    def size(self, given: Given) -> tuple[int, ...]:
        """The given's shape in numbers."""
        numbers = dict(self.sizes)
        return tuple(numbers[letter] for letter in given.shape)

    def step(self, name: str) -> Step:
        """The step of that name."""
        return next(step for step in self.steps if step.name == name)

    def with_step(self, step: Step) -> Derivation:
        """The same computation with the step of that name done otherwise."""
        return replace(self, steps=tuple(step if old.name == step.name else old for old in self.steps))

    def evaluate(
        self, givens: Values, *, known: Values | None = None, instead: Sequence[Step] = ()
    ) -> dict[str, Array]:
        """Every array of the computation by name. A step whose value is `known` is not run but taken over.

        Steps done otherwise stand `instead` of those of the same names.
        """
        otherwise = {step.name: step for step in instead}
        values = dict(givens)
        for step in self.steps:
            name = step.name
            values[name] = known[name] if known and name in known else otherwise.get(name, step).run(values)
        return values


def parse_step(name: str, text: str, in_scope: Sequence[str]) -> Step:
    """Read "operation(a, b)" as a step. Raises DerivationError for anything else, or for a name out of scope."""
    call = _CALL.fullmatch(text)
    if call is None:
        raise DerivationError(f"{text!r} is not of the form operation(name, name)")
    operation = OPERATION_BY_NAME.get(call["operation"])
    if operation is None:
        known = ", ".join(OPERATION_BY_NAME)
        raise DerivationError(f"{call['operation']} is no operation; known are {known}")
    arguments = tuple(argument.strip() for argument in call["arguments"].split(","))
    for argument in arguments:
        if argument not in in_scope:
            raise DerivationError(f"{argument!r} stands for nothing yet; in scope are {', '.join(in_scope)}")
    return Step(name, operation, arguments)
