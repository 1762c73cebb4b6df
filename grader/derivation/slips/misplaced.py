"""Slips of a scale in a place where it does not belong: where nobody asked for one, or after softmax."""

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
DIVIDED: Mapping[str, Callable[[Array], int]] = {
    "scale_logits": WIDTH["dot_logits"],
    "scale_logits_columns": WIDTH["dot_logits_columns"],
}
SOFTMAX = "softmax"
ROOT = r" / \sqrt{{d}}"


def unasked_scales(derivation: Derivation) -> Iterator[tuple[str, Step]]:
    """Every step of logits that is not followed by a scale, with one."""
    scaled = {step.arguments[0] for step in derivation.steps if step.operation.name.startswith("scale_logits")}
    for step in derivation.steps:
        if step.operation.name in WIDTH and step.name not in scaled:
            yield "scale_unasked", _scaled(step)


def late_scales(derivation: Derivation) -> Iterator[tuple[str, tuple[Step, Step]]]:
    """Every scale that is taken of the weights and not of the logits: both steps, each as it is then done.

    Who is asked for the scaled logits writes them down, and does not come to it later.
    """
    asked = {ask.name for ask in derivation.asks}
    for scale in (step for step in derivation.steps if step.name not in asked):
        for weigh in derivation.steps:
            if scale.operation.name in DIVIDED and weigh.arguments[0] == scale.name and SOFTMAX in weigh.operation.name:
                yield "scale_after_softmax", (_unscaled(scale), _scaled_late(weigh, scale))


def _unscaled(scale: Step) -> Step:
    return replace(scale, operation=replace(scale.operation, forward=lambda logits, _: logits, letters="{0}"))


def _scaled_late(weigh: Step, scale: Step) -> Step:
    """Softmax of the bare logits, divided by the root; the keys come in as one more argument."""
    operation, width = weigh.operation, DIVIDED[scale.operation.name]

    def forward(*arrays: Array) -> Array:
        *usual, K = arrays
        weights: Array = operation.forward(*usual) / math.sqrt(width(K))
        return weights

    late = replace(
        operation,
        forward=forward,
        letters=operation.letters + ROOT,
        letters_with_all=operation.letters_with_all and operation.letters_with_all + ROOT,
    )
    return replace(weigh, operation=late, arguments=(*weigh.arguments, scale.arguments[1]))


def _scaled(step: Step) -> Step:
    operation = step.operation

    def forward(Q: Array, K: Array) -> Array:
        scaled: Array = operation.forward(Q, K) / math.sqrt(WIDTH[operation.name](K))
        return scaled

    return replace(step, operation=replace(operation, forward=forward, letters=operation.letters + ROOT))
