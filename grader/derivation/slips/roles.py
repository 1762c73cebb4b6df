"""Slips of role: a step takes another array than the one it should, W_K for W_Q say.

They are enumerated from the shapes, never listed by hand: every array in scope that the operation takes in that place,
and that leaves the shape of the result as it is (but see the last mixture, below).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from grader.derivation.graph import Derivation, Step
from grader.derivation.operations import Shape, ShapeError

# Settings, not vectors: nobody takes them for a query.
SWITCHES = {"mask", "axis", "n_heads"}


def role_swaps(derivation: Derivation) -> Iterator[tuple[str, Step, str]]:
    """Every step with one argument replaced by another array in scope: the slug, the step, which for which."""
    shapes = derivation.shapes()
    used_later = {name for step in derivation.steps for name in step.arguments}
    in_scope = [given.name for given in derivation.givens]
    for step in derivation.steps:
        for place, asked in enumerate(step.arguments):
            for used in in_scope:
                swapped = (*step.arguments[:place], used, *step.arguments[place + 1 :])
                if used != asked and not {used, asked} & SWITCHES and _fits(step, swapped, shapes, used_later):
                    yield _slug(step, asked), replace(step, arguments=swapped), f"{used} for {asked}"
        in_scope.append(step.name)


def _fits(step: Step, arguments: tuple[str, ...], shapes: Mapping[str, Shape], used_later: Collection[str]) -> bool:
    """Whether the operation takes these arrays and gives the shape that the step should have.

    A mixture that ends the computation may have another: whoever hands over keys for values hands over their width.
    """
    try:
        shape = step.operation.shape([shapes[name] for name in arguments])
    except ShapeError:
        return False
    return shape == shapes[step.name] or (
        step.operation.name.startswith(("mix", "attend")) and step.name not in used_later
    )


def _slug(step: Step, asked: str) -> str:
    """What the mistake is called: parameters are told by their letters, and of keys in a scale only the width counts."""
    if step.operation.name.startswith("scale_logits") and asked == step.arguments[1]:
        return "scale_by_other_width"
    if asked.startswith("W"):
        return "wrong_matrix"
    return "wrong_bias" if asked.startswith("b") else "wrong_vector"
