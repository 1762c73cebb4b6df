"""Slips of what a new token looks at: the cache is kept as it should be, and only a part of it is used.

The arrays that are appended to stand in the derivation, so these slips are found in it and not listed by operation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from grader.attention.projection import Array
from grader.derivation.graph import Derivation, Step

APPENDED = ("append_row", "append_column")
OLD_AND_NEW = 2
# Which argument of the append is all that is looked at.
SIGHTS = (("cache_looks_back_only", 0), ("cache_looks_at_itself", 1))


def partial_sights(derivation: Derivation) -> Iterator[tuple[str, tuple[Step, ...]]]:
    """Each slug with every step that looks at a part of what it should."""
    grown = [step for step in derivation.steps if step.operation.name in APPENDED]
    for slug, place in SIGHTS:
        seen = {step.name: step.arguments[place] for step in grown if len(step.arguments) == OLD_AND_NEW}
        looking = tuple(_looking(step, seen) for step in derivation.steps if seen.keys() & {*step.arguments})
        if looking:
            yield slug, looking


def _looking(step: Step, seen: Mapping[str, str]) -> Step:
    """The step on the parts; a token by itself is a matrix of one row to it."""
    parts = [name in seen for name in step.arguments]

    def forward(*arrays: Array) -> Array:
        lifted = (np.atleast_2d(array) if part else array for array, part in zip(arrays, parts, strict=True))
        return step.operation.forward(*lifted)

    arguments = tuple(seen.get(name, name) for name in step.arguments)
    return replace(step, operation=replace(step.operation, forward=forward), arguments=arguments)
