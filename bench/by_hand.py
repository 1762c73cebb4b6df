"""The analysis of the items worked out in Python from the rows: what the database's own sums are measured against."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from statistics import fmean, median
from typing import Final

from grader.marking.item_analysis import ItemSums, TotalSums

VARIANTS_SHOWN: Final = 8
LONGEST_PAUSE: Final = 1_800


@dataclass(frozen=True, slots=True)
class Try:
    """One answer that counts, as it was sent; `score` is None while it waits for its mark."""

    student: int
    item: int
    seed: int
    submission: int
    sent_at: datetime
    opened_at: datetime
    score: float | None
    is_right: bool


@dataclass(frozen=True, slots=True)
class Found:
    """What is said of one item. `wrong_by` counts wrong tries by the misconception they show, "" where they show none."""

    sums: ItemSums
    wrong: int
    wrong_by: Counter[str]
    variants: tuple[tuple[int, int, float], ...]
    median_seconds: float | None
    timed: int
    rungs: tuple[int, ...]


def analysis(
    tries: Sequence[Try],
    shown: Iterable[tuple[int, str]],
    hints: Iterable[tuple[int, int, int]],
    maxima: dict[int, float],
) -> tuple[dict[int, Found], TotalSums]:
    """Item -> what its first tries say, and the sums of the totals. The tries stand in the order of sending.

    `shown` are (submission, misconception), `hints` are (student, item, rung).
    """
    slugs: dict[int, list[str]] = defaultdict(list)
    for submission, slug in shown:
        slugs[submission].append(slug)
    marked = _first_tries(tries)
    totals: dict[int, float] = defaultdict(float)
    by_item: dict[int, list[Try]] = defaultdict(list)
    for each in marked:
        totals[each.student] += each.score or 0.0
        by_item[each.item].append(each)
    mean = fmean(totals.values())
    powers = [sum((total - mean) ** power for total in totals.values()) for power in (2, 3, 4)]
    seconds, rungs = _seconds(tries), _rungs(hints)
    found = {
        item: Found(
            sums=_sums(maxima[item], own, totals, mean),
            wrong=sum(not each.is_right for each in own),
            wrong_by=Counter(slug for each in own if not each.is_right for slug in slugs[each.submission] or [""]),
            variants=_variants(own),
            median_seconds=median(seconds[item]) if seconds[item] else None,
            timed=len(seconds[item]),
            rungs=rungs.get(item, ()),
        )
        for item, own in by_item.items()
    }
    return found, TotalSums(len(totals), mean, *powers)


def _first_tries(tries: Iterable[Try]) -> list[Try]:
    first: dict[tuple[int, int], Try] = {}
    for each in tries:
        first.setdefault((each.student, each.item), each)
    return [each for each in first.values() if each.score is not None]


def _sums(most: float, own: Sequence[Try], totals: dict[int, float], mean: float) -> ItemSums:
    xs = [each.score or 0.0 for each in own]
    ys = [totals[each.student] - x for each, x in zip(own, xs, strict=True)]
    n, mx, my, mx0 = len(xs), fmean(xs), fmean(ys), sum(xs) / len(totals)
    return ItemSums(
        max_score=most,
        n=n,
        mean=mx,
        sxx=sum((x - mx) ** 2 for x in xs),
        syy=sum((y - my) ** 2 for y in ys),
        sxy=sum((x - mx) * (y - my) for x, y in zip(xs, ys, strict=True)),
        sxy_most=sum((x - mx) * (y - my) for x, y in zip(sorted(xs), sorted(ys), strict=True)),
        sum_x_total=sum(x * (totals[each.student] - mean) for each, x in zip(own, xs, strict=True)),
        sxx_with_zeros=sum((x - mx0) ** 2 for x in xs) + (len(totals) - n) * mx0**2,
    )


def _variants(own: Iterable[Try]) -> tuple[tuple[int, int, float], ...]:
    """Seed, how many had it, and their mean: those that most had."""
    scores: dict[int, list[float]] = defaultdict(list)
    for each in own:
        scores[each.seed].append(each.score or 0.0)
    ordered = sorted(scores, key=lambda seed: (-len(scores[seed]), seed))
    return tuple((seed, len(scores[seed]), fmean(scores[seed])) for seed in ordered[:VARIANTS_SHOWN])


def _seconds(tries: Iterable[Try]) -> dict[int, list[float]]:
    """Item -> each student's seconds at work: since the answer before, or since the item was opened."""
    of_student: dict[int, list[Try]] = defaultdict(list)
    for each in tries:
        of_student[each.student].append(each)
    spent: dict[tuple[int, int], float] = {}
    for student, own in of_student.items():
        for item, seconds in _spans(own):
            if 0 <= seconds <= LONGEST_PAUSE:
                spent[student, item] = spent.get((student, item), 0.0) + seconds
    found: dict[int, list[float]] = defaultdict(list)
    for (_student, item), seconds in spent.items():
        found[item].append(seconds)
    return found


def _spans(own: Sequence[Try]) -> Iterator[tuple[int, float]]:
    yield own[0].item, (own[0].sent_at - own[0].opened_at).total_seconds()
    for before, each in pairwise(own):
        yield each.item, (each.sent_at - max(before.sent_at, each.opened_at)).total_seconds()


def _rungs(hints: Iterable[tuple[int, int, int]]) -> dict[int, tuple[int, ...]]:
    """Item -> how many students took each rung."""
    students: dict[tuple[int, int], set[int]] = defaultdict(set)
    for student, item, rung in hints:
        students[item, rung].add(student)
    found: dict[int, list[int]] = defaultdict(list)
    for item, rung in sorted(students):
        found[item].append(len(students[item, rung]))
    return {item: tuple(counts) for item, counts in found.items()}
