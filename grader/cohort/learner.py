"""A simulated learner: how able, what misconceptions held, and how a sitting at one item goes."""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from grader.cohort.answers import CARELESS, RIGHT
from grader.cohort.repertoire import MarkedAnswer, MarkedVariant, Repertoire
from grader.marking.hints import rungs

MOST_TRIES = 5
# Of a hundred learners, so many hold any given misconception when the course begins.
PREVALENCE = 0.08
# Who holds a misconception makes it this often where it can show.
SHOWS = 0.85
# What a try with its feedback, and each hint, does to a misconception that was shown.
CURED_BY_FEEDBACK = 0.35
CURED_BY_HINT = 0.3
TAKES_HINT = 0.45
GOES_ON = 0.85
# How much harder one item of a course is than another, in the unit of ability.
SPREAD_OF_DIFFICULTY = 0.8
EASE = 1.2


@dataclass(slots=True)
class Learner:
    """`ability` is normal around 0; what is held shrinks as the learner is cured."""

    number: int
    ability: float
    holds: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Try:
    """One answer on one variant, the idea behind it, and the hints that were taken just before it, by their rungs."""

    variant: MarkedVariant
    idea: str
    answer: MarkedAnswer
    hints: tuple[int, ...] = ()


def learners(count: int, misconceptions: Sequence[str], stream: random.Random, *, first: int = 1) -> Iterator[Learner]:
    """So many learners, numbered from `first`; who is able holds fewer misconceptions."""
    for number in range(first, first + count):
        ability = stream.gauss(0.0, 1.0)
        share = PREVALENCE * math.exp(-ability / 2)
        yield Learner(number, ability, {slug for slug in misconceptions if stream.random() < share})


def difficulty(item_slug: str) -> float:
    """How hard an item is: the same in every run, and spread around 0 over a course."""
    return random.Random(item_slug).gauss(0.0, SPREAD_OF_DIFFICULTY)  # noqa: S311 -- a simulation


def sit(learner: Learner, repertoire: Repertoire, stream: random.Random) -> tuple[Try, ...]:
    """Answer until it is right, until the tries are used up, or until the learner gives up. May cure the learner.

    Who would answer the same once more asks for other numbers: the same answer sent again is no try.
    """
    variant = stream.choice(repertoire.variants)
    allowed = min(repertoire.item.policy.tries or MOST_TRIES, MOST_TRIES)
    tries: list[Try] = []
    taken = 0
    while len(tries) < allowed:
        hints = tuple(range(taken + 1, taken + 2)) if tries and _wants_hint(taken, repertoire, stream) else ()
        taken += len(hints)
        if tries:
            _learn(learner, tries[-1].idea, len(hints), stream)
        idea = _idea(learner, repertoire.item.slug, variant.answers, len(tries), stream)
        if any(each.idea == idea and each.variant is variant for each in tries):
            variant = _another(variant, repertoire, idea, stream)
        tries.append(Try(variant, idea, variant.answers[idea], hints))
        is_read_later = tries[-1].answer.mark is None
        if idea == RIGHT or is_read_later or stream.random() > GOES_ON:
            break
    return tuple(tries)


def _another(variant: MarkedVariant, repertoire: Repertoire, idea: str, stream: random.Random) -> MarkedVariant:
    """Other numbers on which the same idea can be answered, if there are any."""
    others = [each for each in repertoire.variants if each is not variant and idea in each.answers]
    return stream.choice(others) if others else variant


def _wants_hint(taken: int, repertoire: Repertoire, stream: random.Random) -> bool:
    return taken < rungs(repertoire.item) and stream.random() < TAKES_HINT


def _learn(learner: Learner, idea: str, hints: int, stream: random.Random) -> None:
    if stream.random() < CURED_BY_FEEDBACK + CURED_BY_HINT * hints:
        learner.holds.discard(idea)


def _idea(learner: Learner, item_slug: str, known: Collection[str], tries: int, stream: random.Random) -> str:
    held = [idea for idea in known if idea in learner.holds]
    if held and stream.random() < SHOWS:
        return stream.choice(held)
    chance = 1 / (1 + math.exp(-(learner.ability + EASE + 0.5 * tries - difficulty(item_slug))))
    if stream.random() < chance:
        return RIGHT
    return CARELESS if CARELESS in known else stream.choice([idea for idea in known if idea != RIGHT] or [RIGHT])
