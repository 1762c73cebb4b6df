"""The figures of an item worked out in Python from the rows: what the database's own sums are measured against."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Any


def analysis(rows: Iterable[Sequence[Any]]) -> dict[int, tuple[float, float, float]]:
    """Item -> mean, discrimination and efficiency of the first tries. The rows stand in the order of sending."""
    first: dict[tuple[int, int], float] = {}
    for student, item, _seed, _pk, _sent, score, _verdict in rows:
        if score is not None:
            first.setdefault((student, item), float(score))
    totals: dict[int, float] = defaultdict(float)
    by_item: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for (student, item), x in first.items():
        totals[student] += x
        by_item[item].append((student, x))
    return {item: _figures([(x, totals[student] - x) for student, x in pairs]) for item, pairs in by_item.items()}


def _figures(pairs: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    n = len(pairs)
    mx, my = sum(x for x, _ in pairs) / n, sum(y for _, y in pairs) / n
    sxx, syy = sum((x - mx) ** 2 for x, _ in pairs), sum((y - my) ** 2 for _, y in pairs)
    sxy = sum((x - mx) * (y - my) for x, y in pairs)
    best = zip(sorted(x for x, _ in pairs), sorted(y for _, y in pairs), strict=True)
    most = sum((x - mx) * (y - my) for x, y in best)
    return mx, 100 * sxy / sqrt(sxx * syy), 100 * sxy / most
