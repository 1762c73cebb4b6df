"""What a lab's tables show, said in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from itertools import pairwise
from typing import Any, Final

import numpy as np

from exercises.web.lab_words import READOUTS, SPOKEN
from grader.attention.analysis import asymmetry, prefers_itself
from grader.attention.projection import Array
from grader.marking.items import Lab
from grader.marking.lab_goals import longest

# Scores or weights that differ by less are the same, computed in another order.
SAME: Final = 1e-9


def fixed(value: float) -> str:
    """Two decimals, halves away from zero, a real minus sign and no negative zero: as the script writes it."""
    text = str(Decimal(value).quantize(Decimal("0.01"), ROUND_HALF_UP))
    return text.removeprefix("-") if text == "-0.00" else text.replace("-", "−")


def readouts(lab: Lab, names: Sequence[str], arrays: Mapping[str, Array]) -> Iterator[str]:
    """What the tables show, in sentences: symmetry, preference, length and order, as far as the lab has them."""
    logits = arrays["logits"]
    if len(lab.queries) == len(names):
        yield _say_symmetry(logits, names)
        yield _say_preference(logits, names)
    if "X" in arrays and "Q" not in arrays:
        X = arrays["X"]
        long = longest(X)
        length = fixed(float(np.linalg.norm(X[long[0]])))
        yield _fill("longest", names=_list(names, long), length=length)
    if "factor" in arrays:
        yield _fill("order", order=in_order(arrays["attn_weights"][0], names))


def _say_symmetry(logits: Array, names: Sequence[str]) -> str:
    if asymmetry(logits) < SAME:
        return _fill("symmetric")
    row, column = np.unravel_index(int((logits - logits.T).argmax()), logits.shape)
    return _fill("asymmetric", **{"gap": fixed(asymmetry(logits)), "from": names[int(row)], "to": names[int(column)]})


def _say_preference(logits: Array, names: Sequence[str]) -> str:
    selfish = np.flatnonzero(prefers_itself(logits))
    return _fill("selfish", names=_list(names, selfish)) if selfish.size else _fill("selfless")


def in_order(weights: Array, names: Sequence[str]) -> str:
    """From the largest weight to the smallest; equal ones stand in the order of the tokens, with = between them."""
    order = np.argsort(-weights, kind="stable")
    drops = [""] + [" = " if one - other < SAME else " > " for one, other in pairwise(weights[order])]
    return "".join(drop + names[place] for drop, place in zip(drops, order, strict=True))


def _list(names: Sequence[str], places: Sequence[int] | np.ndarray[Any, Any]) -> str:
    return str(SPOKEN["comma"]).join(names[place] for place in places)


def _fill(key: str, **blanks: str) -> str:
    words = str(READOUTS[key])
    for name, value in blanks.items():
        words = words.replace("{" + name + "}", value)
    return words
