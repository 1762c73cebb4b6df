"""Slips of doing more than was asked: a scale where scores are taken as they are."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from grader.attention.projection import Array
from grader.derivation.graph import Derivation, Step

# Which size of the keys a scale would take, by operation.
WIDTH: Mapping[str, Callable[[Array], int]] = {
    "dot_logits": lambda K: int(K.shape[-1]),
    "dot_logits_columns": lambda K: int(K.shape[-2]),
}


def unasked_scales(derivation: Derivation) -> Iterator[tuple[str, Step]]:
    """Every step of logits that is not followed by a scale, with one."""
    scaled = {step.arguments[0] for step in derivation.steps if step.operation.name.startswith("scale_logits")}
    for step in derivation.steps:
        if step.operation.name in WIDTH and step.name not in scaled:
            yield "scale_unasked", _scaled(step)


def _scaled(step: Step) -> Step:
    operation = step.operation

    def forward(Q: Array, K: Array) -> Array:
        scaled: Array = operation.forward(Q, K) / math.sqrt(WIDTH[operation.name](K))
        return scaled

    return replace(step, operation=replace(operation, forward=forward, letters=operation.letters + r" / \sqrt{{d}}"))
