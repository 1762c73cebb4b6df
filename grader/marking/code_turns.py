"""Calls of several sequences in turn, as a model serves several readers: A, B, A, A, B.

Each call is handed what the right computation left after the call before it of the same sequence. So a function that
keeps anything by itself mixes the sequences up, and nothing can be worked out anew: what came before is not given.
"""

from __future__ import annotations

from grader.attention.projection import Array
from grader.derivation.graph import Values
from grader.marking.items import Turn


class Turns:
    """What the last call of each sequence left behind."""

    def __init__(self) -> None:
        self._last: dict[str, Values] = {}

    def handed(self, turn: Turn) -> dict[str, Array]:
        """What this call need not draw: what all sequences share, and what its own has come to."""
        if turn.is_first:
            self._last.clear()
        shared = next(iter(self._last.values()), {})
        mine = self._last.get(turn.sequence, {})
        return {
            **{name: shared[name] for name in turn.keeps if name in shared},
            **{past: mine[kept] for past, kept in turn.carries if kept in mine},
        }

    def played(self, turn: Turn, values: Values) -> None:
        """Note what a call came to."""
        self._last[turn.sequence] = values
