"""Programs that are nearly the same sequence of tokens, put side by side. Shown, never judged.

Names, numbers and texts are left out of the comparison, and so are comments and the layout: what remains is how a program
is built. What the item's own starter gives is taken away, for everybody has that. Short programs are alike by nature, so
those of few tokens are not compared at all.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

ALIKE = 0.8
RUN = 5
FEWEST_RUNS = 12
MOST_COMPARED = 1_000
MOST_PAIRS = 100
LONGEST_COMPARED = 20_000
PLACES = 8_192

_TOKEN = re.compile(
    r"""(?P<comment>\#[^\n]*)
    |(?P<text>[rbfuRBFU]{0,2}(?:'''(?:[^\\]|\\.)*?'''|\"\"\"(?:[^\\]|\\.)*?\"\"\"|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"))
    |(?P<name>[^\W\d]\w*)
    |(?P<number>\d[\w.]*|\.\d[\w.]*)
    |(?P<sign>\*\*|//|->|==|!=|<=|>=|[^\w\s])""",
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two programs by their places, and which share of their runs of tokens they have in common."""

    one: int
    other: int
    likeness: float


def similar_programs(
    programs: Sequence[str], starters: Sequence[str] = (), *, least: float = ALIKE
) -> tuple[Pair, ...]:
    """The pairs that are alike, the most alike first, at most `MOST_PAIRS`; of `MOST_COMPARED` programs."""
    given = {run for starter in starters for run in _runs(starter)}
    found = [set(_runs(program)) - given for program in programs[:MOST_COMPARED]]
    table = np.zeros((len(found), PLACES), dtype=np.float32)
    for row, runs in enumerate(found):
        if len(runs) >= FEWEST_RUNS:
            table[row, [_place(run) for run in runs]] = 1
    shared = table @ table.T
    sizes = np.diag(shared)
    likeness = shared / np.maximum(sizes[:, None] + sizes[None, :] - shared, 1)  # shared of all that either has
    pairs = [
        Pair(int(one), int(other), float(likeness[one, other]))
        for one, other in np.argwhere(np.triu(likeness >= least, k=1))
    ]
    return tuple(sorted(pairs, key=lambda pair: (-pair.likeness, pair.one, pair.other))[:MOST_PAIRS])


def tokens(program: str) -> Iterator[str]:
    """The program as a sequence of kinds: words of Python and signs as they are, the rest by its kind alone."""
    for match in _TOKEN.finditer(program[:LONGEST_COMPARED]):
        kind, word = str(match.lastgroup), match.group()
        if kind == "sign" or (kind == "name" and keyword.iskeyword(word)):
            yield word
        elif kind != "comment":
            yield kind


@lru_cache(maxsize=100_000)
def _place(run: tuple[str, ...]) -> int:
    """A place for a run, the same in every process."""
    place = 0
    for token in run:
        for byte in token.encode():
            place = (place * 131 + byte) % 2_147_483_647
    return place % PLACES


def _runs(program: str) -> Iterator[tuple[str, ...]]:
    sequence = list(tokens(program))
    return (tuple(sequence[start : start + RUN]) for start in range(len(sequence) - RUN + 1))
