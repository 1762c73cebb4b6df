"""What a lab's goals ask for, whether numbers reach them, and what there is to say of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.attention.one_head import one_head
from grader.attention.projection import Array
from grader.derivation.graph import Values
from grader.marking.items import Goal, GoalKind, Lab, Rows
from grader.marking.phrases import phrase
from grader.marking.text import Text

# What stands on a page as 0.600 is not yet above 0.6.
_DECIMALS = 3


def as_arrays(rows: Mapping[str, Rows]) -> dict[str, Array]:
    """Nested tuples as matrices."""
    return {name: np.array(value, dtype=float) for name, value in rows.items()}


def run_lab(lab: Lab, changed: Values) -> dict[str, Array]:
    """Every array of the lab with some of what is given changed."""
    given = {**as_arrays(lab.given), **changed}
    return one_head(given, is_scaled=lab.is_scaled, is_causal=lab.is_causal)


def is_reached(lab: Lab, goal: Goal, arrays: Values) -> bool:
    """Whether these arrays do what the goal asks; whom a token looks at most is for the learner to name."""
    seen = Seen.of(lab, goal, arrays)
    match goal.kind:
        case GoalKind.ABOVE:
            reached = seen.weight > goal.bound
        case GoalKind.BELOW:
            reached = seen.weight < goal.bound
        case GoalKind.ONE_WAY:
            reached = seen.there - seen.back >= goal.bound
        case GoalKind.LOOKS_AWAY:
            reached = seen.best > seen.own
        case _:
            raise TypeError("no array says whom a learner names")
    return reached


@dataclass(frozen=True, slots=True)
class Seen:
    """The numbers that a goal speaks of. `rival` is the other token that gets the highest score, `best`."""

    weight: float
    there: float
    back: float
    own: float
    best: float
    rival: int

    @classmethod
    def of(cls, lab: Lab, goal: Goal, arrays: Values) -> Seen:
        """Read them off the maps."""
        row = lab.queries.index(goal.query)
        logits = arrays["logits"]
        others = np.delete(logits[row], goal.query)
        rival = int(others.argmax())
        back = logits[lab.queries.index(goal.key), goal.query] if goal.key in lab.queries else np.nan
        return cls(
            weight=float(arrays["attn_weights"][row, goal.key]),
            there=float(logits[row, goal.key]),
            back=float(back),
            own=float(logits[row, goal.query]),
            best=float(others.max()),
            rival=rival + (rival >= goal.query),
        )


def say_goal(lab: Lab, goal: Goal) -> Text:
    """What is asked, in one sentence."""
    return _say(lab, goal, "asked", to=goal.key)


def say_seen(lab: Lab, goal: Goal, arrays: Values, *, holds: bool) -> Text:
    """How things stand with a goal, with the numbers."""
    seen = Seen.of(lab, goal, arrays)
    to = seen.rival if goal.kind is GoalKind.LOOKS_AWAY else goal.key
    numbers = {
        "number": shown(seen.weight),
        "there": shown(seen.there),
        "back": shown(seen.back),
        "gap": shown(seen.there - seen.back),
        "own": shown(seen.own),
        "best": shown(seen.best),
    }
    return _say(lab, goal, "holds" if holds else "missing", to=to, **numbers)


def shown(value: float) -> str:
    """A number with three decimals at most, and no negative zero."""
    text = np.format_float_positional(value, precision=_DECIMALS, trim="-", unique=True)
    return "0" if text == "-0" else text.replace("-", "−")


def longest(X: Array) -> NDArray[np.intp]:
    """The places of the tokens that no other is longer than: X (S, d)."""
    lengths = np.linalg.norm(X, axis=-1)
    return np.flatnonzero(np.isclose(lengths, lengths.max(), rtol=1e-12, atol=0))


def put_in(text: Text, **words: Text) -> Text:
    """Put words of both languages in the place of `{name}`."""
    chinese = {name: each.zh_hans for name, each in words.items()}
    english = {name: each.en for name, each in words.items()}
    return Text(text.fill(**chinese).zh_hans, text.fill(**english).en)


def quoted(token: Text) -> Text:
    """A token in the middle of a sentence."""
    return token.map("“{}”".format)


def _say(lab: Lab, goal: Goal, how: str, *, to: int, **numbers: str) -> Text:
    text = phrase(f"lab.{goal.kind}_{how}", bound=shown(goal.bound), **numbers)
    looked_at = phrase("lab.itself") if to == goal.query else quoted(lab.tokens[to])
    return put_in(text, **{"from": quoted(lab.tokens[goal.query]), "to": looked_at})
