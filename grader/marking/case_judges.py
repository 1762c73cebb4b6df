"""Results that are right by a property, not by being one value: any pair (i, j) with s_ij ≠ s_ji, say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from grader.attention.projection import Array
from grader.derivation.typeset import number
from grader.marking.phrases import phrase
from grader.marking.text import NO_TEXT, Text

# Logits that differ by less would be a matter of rounding.
DIFFERENT = 1e-6


@dataclass(frozen=True, slots=True)
class Judged:
    """Whether a result has the property, and what was looked at to see it."""

    is_right: bool
    because: Text = NO_TEXT


@dataclass(frozen=True, slots=True)
class Judge:
    """`returns` draws the form of the result, as the sandbox does; `is_telling` refuses numbers on which guessing pays."""

    returns: str
    parts: tuple[str, ...]
    judge: Callable[[Array, Sequence[Array]], Judged]
    is_telling: Callable[[Array], bool]


def asymmetric_pair(logits: Array, result: Sequence[Array]) -> Judged:
    """Two tokens i and j, counting from 0, that look at each other differently."""
    if not all(part.shape == () and part.dtype.kind == "i" for part in result):
        return Judged(is_right=False, because=phrase("code.pair_kind"))
    i, j = (int(part) for part in result)
    S = len(logits)
    if not (0 <= i < S and 0 <= j < S):
        return Judged(is_right=False, because=phrase("code.pair_range", i=str(i), j=str(j), last=str(S - 1)))
    there, back = float(logits[i, j]), float(logits[j, i])
    details = {"i": str(i), "j": str(j), "there": number(there), "back": number(back)}
    if abs(there - back) <= DIFFERENT * max(1.0, abs(there)):
        return Judged(is_right=False, because=phrase("code.pair_equal", **details))
    return Judged(is_right=True, because=phrase("code.pair_unequal", **details))


def has_equal_and_unequal_pairs(logits: Array) -> bool:
    """Some pair is unequal, and neither the first two nor most pairs are: a fixed answer gets nowhere."""
    unequal = np.abs(logits - logits.T) > DIFFERENT
    pairs = unequal[np.triu_indices(len(logits), k=1)]
    return bool(pairs.any() and not unequal[0, 1] and pairs.mean() <= 1 / 2)


JUDGES: Mapping[str, Judge] = {
    "asymmetric_pair": Judge("(..)", ("i", "j"), asymmetric_pair, has_equal_and_unequal_pairs),
}
