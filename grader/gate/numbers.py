"""Numbers worked out by hand: which mistakes can be told apart, on how many seeds, and which cannot at all.

A seed is accepted if the right answer and all classes of slips lie well apart on it. On accepted seeds, slips that still
agree are one computation under several names, and a slip that agrees with the right answer would be marked correct.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from grader.attention.projection import Array
from grader.derivation.graph import Derivation, Values
from grader.derivation.slips import Slip, outcome, slips_of
from grader.derivation.tolerance import tolerances
from grader.derivation.variants import can_be_entered, draw, is_separable, leaping_slip, other_layouts, slip_classes
from grader.gate.report import Fault, Findings, SlipClass, describe

SEEDS = 200
SMALLEST_SHARE = 0.05
COMPARED = 20

# What a computation gives for the asked cells on one seed after the other; None where it gives no answer of that shape.
Answers = tuple[Array | None, ...]


@dataclass(frozen=True, slots=True)
class Separation:
    """The accepted variants of a derivation, and its slips: in classes, as good as right, or impossible to make."""

    variants: tuple[Values, ...]
    share: float
    slips: int
    classes: tuple[SlipClass, ...]
    unseen: tuple[Slip, ...]
    impossible: tuple[Slip, ...]


@lru_cache(maxsize=256)
def separation(derivation: Derivation) -> Separation:
    """Try `SEEDS` seeds, and compare all slips on the accepted ones."""
    drawn = [draw(derivation, seed) for seed in range(SEEDS)]
    accepted = tuple(givens for givens in drawn if is_separable(derivation, givens))
    compared = (accepted or tuple(drawn))[:COMPARED]
    exact = [derivation.evaluate(givens) for givens in compared]
    right = tuple(_asked(derivation, values) for values in exact)
    groups: list[tuple[Answers, list[Slip]]] = [(right, [])]
    impossible = []
    for slip in slips_of(derivation):
        answers = _answers(derivation, slip, compared, exact)
        if all(answer is None for answer in answers):
            impossible.append(slip)
            continue
        alike = next((slips for other, slips in groups if _agree(answers, other)), None)
        if alike is None:
            groups.append((answers, [slip]))
        else:
            alike.append(slip)
    (_, unseen), *classes = groups
    return Separation(
        variants=accepted,
        share=len(accepted) / SEEDS,
        slips=len(slips_of(derivation)),
        classes=tuple(SlipClass(tuple(slips)) for _, slips in classes),
        unseen=tuple(unseen),
        impossible=tuple(impossible),
    )


def check_separation(derivation: Derivation) -> Findings:
    """Refuse draws that seldom tell the mistakes apart, and mistakes that would be marked correct."""
    found = separation(derivation)
    faults = [
        Fault(("ask",), f"{describe(slip)} would be marked correct: on no seed does it change what is asked; {remedy}")
        for slip in found.unseen
        if (remedy := _remedy(derivation, slip))
    ]
    if found.share < SMALLEST_SHARE:
        faults.append(Fault(("given",), _too_few(derivation, found)))
    return Findings(tuple(faults), tuple(_notes(derivation, found)))


def _notes(derivation: Derivation, found: Separation) -> Iterator[str]:
    for several in found.classes:
        if len(several.slugs) > 1:
            yield f"{several} are one computation; it is called {several.slugs[0]}"
    for slip in found.unseen:
        if not _remedy(derivation, slip):
            yield f"{describe(slip)} is no mistake here: it gives the right numbers"
    for slip in found.impossible:
        yield f"{describe(slip)} cannot be made with these sizes and numbers"


def _remedy(derivation: Derivation, slip: Slip) -> str:
    """How an author can make the slip show; empty where it changes not even its own step."""
    name = slip.wrong.name
    for givens in (draw(derivation, seed) for seed in range(COMPARED)):
        wrong = outcome(derivation, slip, givens)
        if wrong is not None and not np.allclose(wrong[name], derivation.evaluate(givens)[name]):
            is_asked = any(ask.name == name for ask in derivation.asks)
            return f"ask for other cells of {name}" if is_asked else f"ask for {name} as well"
    return ""


def _too_few(derivation: Derivation, found: Separation) -> str:
    reasons = Counter(_too_close(derivation, draw(derivation, seed)) for seed in range(COMPARED))
    reason = reasons.most_common(1)[0][0]
    return (
        f"{found.share:.1%} of {SEEDS} seeds tell the mistakes apart, and {SMALLEST_SHARE:.0%} must; {reason}; "
        "let cells be drawn from more numbers, or ask for more cells"
    )


def _too_close(derivation: Derivation, givens: Values) -> str:
    """Which slip is about to leap on this seed, or which two outcomes lie closest."""
    right = derivation.evaluate(givens)
    tolerated = tolerances(derivation, givens, values=right)
    leaping = leaping_slip(derivation, givens, right, tolerated)
    if leaping is not None:
        return f"mostly {describe(leaping)} hangs on a tie, or on a number close to 0"
    one, other = _closest(derivation, givens, right, _asked(derivation, tolerated, picked=True))
    return f"closest are mostly {one} and {other}"


def _closest(derivation: Derivation, givens: Values, right: Values, allowed: Array) -> tuple[str, str]:
    """Which two of the right answer, its other layout and the classes lie closest on this seed, in tolerances."""
    points = [("the right answer", _asked(derivation, right) / allowed)]
    points += [("its transpose", _asked(derivation, turned) / allowed) for turned in other_layouts(derivation, right)]
    for slip in slip_classes(derivation):
        wrong = outcome(derivation, slip, givens)
        if wrong is not None:
            points.append((describe(slip), _asked(derivation, wrong) / allowed))
    pairs = [(one, other) for place, one in enumerate(points) for other in points[place + 1 :]]
    one, other = min(pairs, key=lambda pair: float(np.abs(pair[0][1] - pair[1][1]).max()))
    return one[0], other[0]


def _answers(derivation: Derivation, slip: Slip, compared: Sequence[Values], exact: Sequence[Values]) -> Answers:
    outcomes = (outcome(derivation, slip, givens) for givens in compared)
    return tuple(
        None if wrong is None or not can_be_entered(derivation, wrong, right) else _asked(derivation, wrong)
        for wrong, right in zip(outcomes, exact, strict=True)
    )


def _agree(one: Answers, other: Answers) -> bool:
    return all(
        np.allclose(mine, theirs, rtol=1e-9, atol=1e-9) if mine is not None and theirs is not None else mine is theirs
        for mine, theirs in zip(one, other, strict=True)
    )


def _asked(derivation: Derivation, values: Values, *, picked: bool = False) -> Array:
    """All asked cells in a row; `picked` values are the asked parts already."""
    parts = (values[ask.name] if picked else ask.pick(values[ask.name]) for ask in derivation.asks)
    return np.concatenate([part.reshape(-1) for part in parts])
