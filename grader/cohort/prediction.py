"""What a cohort predicts of each item: how many get it right, how well it tells learners apart, what it cannot tell apart.

Only first tries count, as in the analysis of real ones, and by the same definitions.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from grader.attention.projection import Array
from grader.cohort.learner import learners, sit
from grader.cohort.repertoire import Repertoire
from grader.marking.items import FreeTextItem
from grader.marking.text import Text

LEARNERS = 500
SEED = 1


@dataclass(frozen=True, slots=True)
class Confusion:
    """A misconception whose answer does not get its own name: `named` is what it gets instead, none if it passes."""

    held: Text
    named: tuple[Text, ...]
    is_right: bool


@dataclass(frozen=True, slots=True)
class ItemPrediction:
    """`facility` is a share; `discrimination` is 100 × the correlation with the rest of the course, None if either is flat."""

    slug: str
    facility: float
    discrimination: float | None
    confusions: tuple[Confusion, ...]


def predict(
    repertoires: Sequence[Repertoire], *, count: int = LEARNERS, seed: int = SEED
) -> tuple[ItemPrediction, ...]:
    """Let a cohort sit every item once, in the order of the course. The same arguments give the same figures."""
    stream = random.Random(seed)  # noqa: S311 -- a simulation
    ideas = list(dict.fromkeys(idea for each in repertoires for idea in each.ideas))
    marks = np.array(
        [
            [float(sit(learner, each, stream)[0].answer.score) for each in repertoires]
            for learner in learners(count, ideas, stream)
        ]
    )  # (learners, items)
    totals = marks.sum(axis=1)
    return tuple(
        ItemPrediction(
            slug=each.item.slug,
            facility=float(x.mean() / float(each.item.max_score)),
            discrimination=_correlation(x, totals - x),
            confusions=tuple(confusions(each)),
        )
        for each, x in zip(repertoires, marks.T, strict=True)
    )


def _correlation(x: Array, y: Array) -> float | None:
    if not x.std() or not y.std():
        return None
    return float(100 * np.corrcoef(x, y)[0, 1])


def confusions(repertoire: Repertoire) -> Iterator[Confusion]:
    """The misconceptions that marking does not call by their own name on some variant. A person reads free text."""
    if isinstance(repertoire.item, FreeTextItem):
        return
    known = repertoire.item.misconceptions

    def title(slug: str) -> Text:
        return known[slug].title if slug in known else Text(slug, slug)

    for idea in repertoire.ideas:
        for each in repertoire.variants:
            mark = each.answers[idea].mark if idea in each.answers else None
            if mark is not None and idea not in mark.misconceptions:
                named = tuple(title(slug) for slug in mark.misconceptions)
                yield Confusion(title(idea), named, is_right=mark.score == mark.max_score)
                break
