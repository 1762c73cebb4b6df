"""The twin of a derivation: the same computation in the other convention. A derivation is written once, in one of them.

A token that was a row becomes a column, and a matrix W that stood on the right becomes its transpose on the left, W_Q
becoming W_q. A table of queries by keys (logits, attention weights) is the same in both, and so is a vector.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from grader.attention.projection import Array
from grader.derivation.graph import Ask, Derivation, Given, Step, Values
from grader.derivation.operations import OPERATION_BY_NAME, Operation

# Each operation of the row convention: its twin, and how many of its first arguments change places in it.
TWINS = {
    "project_rows": ("project_columns", 2),
    "dot_logits": ("dot_logits_columns", 0),
    "scale_logits": ("scale_logits_columns", 0),
    "mix": ("mix_columns", 2),
    "softmax": ("softmax", 0),
    "causal_softmax": ("causal_softmax", 0),
    "masked_softmax": ("masked_softmax", 0),
    "append_row": ("append_column", 0),
}
TWIN_OF = {**TWINS, **{twin: (name, exchanged) for name, (twin, exchanged) in TWINS.items()}}

# Where a table of queries by keys goes in and comes out: the place of the argument, and whether the result is one.
TABLE_ARGUMENT = {
    "scale_logits": 0,
    "scale_logits_columns": 0,
    "softmax": 0,
    "causal_softmax": 0,
    "masked_softmax": 0,
    "mix": 0,
    "mix_columns": 1,
}
MAKES_TABLE = {
    "dot_logits",
    "dot_logits_columns",
    "scale_logits",
    "scale_logits_columns",
    "softmax",
    "causal_softmax",
    "masked_softmax",
}
# What only programs are asked for stands in the row convention alone.
WITHOUT_TWIN = {"attend_by_heads"}


def twin(derivation: Derivation) -> Derivation:
    """The same computation in the other convention; the twin of a twin is the original."""
    names = {name: twin_name(name) for name in derivation.shapes()}
    same = tables(derivation)
    return Derivation(
        givens=tuple(_twin_given(given, names, is_table=given.name in same) for given in derivation.givens),
        steps=tuple(_twin_step(step, names) for step in derivation.steps),
        asks=tuple(_twin_ask(ask, is_table=ask.name in same) for ask in derivation.asks),
        sizes=derivation.sizes,
    )


def twin_values(derivation: Derivation, values: Values) -> dict[str, Array]:
    """Arrays of the derivation, as its twin has them."""
    same = tables(derivation)
    return {
        twin_name(name): value if name in same or value.ndim == 1 else value.swapaxes(-1, -2)
        for name, value in values.items()
    }


def is_same_either_way(derivation: Derivation) -> bool:
    """Whether the twin takes and gives the very same arrays, since every step works on tables alone."""
    return all(TWIN_OF.get(step.operation.name, ("", 0))[0] == step.operation.name for step in derivation.steps)


def twin_name(name: str) -> str:
    """W_Q and W_q are each other's twins; every other name is the same in both conventions."""
    return name.swapcase().replace("w_", "W_") if name.startswith("W_") else name


def tables(derivation: Derivation) -> set[str]:
    """The names of all arrays that are a table of queries by keys, and so lie the same way in both conventions."""
    found = {step.name for step in derivation.steps if step.operation.name in MAKES_TABLE}
    for step in derivation.steps:
        place = TABLE_ARGUMENT.get(step.operation.name)
        if place is not None:
            found.add(step.arguments[place])
    return found


def _twin_given(given: Given, names: Mapping[str, str], *, is_table: bool) -> Given:
    turned = given.shape if is_table or len(given.shape) == 1 else (*given.shape[:-2], given.shape[-1], given.shape[-2])
    return replace(given, name=names[given.name], shape=turned)


def _twin_step(step: Step, names: Mapping[str, str]) -> Step:
    name, exchanged = TWIN_OF[step.operation.name]
    operation: Operation = OPERATION_BY_NAME[name]
    first, rest = step.arguments[:exchanged], step.arguments[exchanged:]
    return Step(step.name, operation, tuple(names[argument] for argument in (*reversed(first), *rest)))


def _twin_ask(ask: Ask, *, is_table: bool) -> Ask:
    return ask if is_table else replace(ask, rows=ask.columns, columns=ask.rows)
