"""The form of a slip that replaces an operation's forward function by a wrong one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from grader.attention.projection import Array


@dataclass(frozen=True, slots=True)
class WrongForward:
    """What a learner computes instead of `operation`, on as many arguments as `takes` allows.

    `letters`, `letters_with_all` and `leaps_in` are as those of an operation. What is done `everywhere` is done at all
    steps of the operation at once: nobody keeps keys in one way and values in another.
    """

    slug: str
    operation: str
    takes: tuple[int, ...]
    forward: Callable[..., Array]
    letters: str
    letters_with_all: str = ""
    everywhere: bool = False
    leaps_in: int | None = None
