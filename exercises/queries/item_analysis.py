"""What the marks of a class say about each item, and about the items as a set. The sums are worked out by the database.

Only students are counted, and of each student one try at each item: the first, unless another is asked for. A try that
nobody has marked yet is in no figure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self

from exercises.enums import ItemKind
from exercises.models import Course, Item, MisconceptionSighting
from exercises.queries.item_tries import WhichTry, figures_of_tries, hints_taken, times_on_task
from grader.marking.item_analysis import (
    FEW,
    Flag,
    ItemFigures,
    ItemSums,
    TotalFigures,
    TotalSums,
    flags,
    item_figures,
    total_figures,
)
from grader.marking.text import Text


@dataclass(frozen=True, slots=True)
class VariantFigures:
    """One set of numbers, for those who had it."""

    seed: int
    n: int
    facility: float

    @property
    def is_too_few(self) -> bool:
        """Whether it rests on hardly anybody."""
        return self.n < FEW


@dataclass(frozen=True, slots=True)
class Shown:
    """How many of the wrong tries show a misconception."""

    slug: str
    title: Text
    count: int


@dataclass(frozen=True, slots=True)
class ItemAnalysis:
    """One item. `unexplained` of its `wrong` tries show no misconception; `hinted` students took a hint, by rungs."""

    slug: str
    lesson_slug: str
    title: Text
    kind: ItemKind
    figures: ItemFigures
    wrong: int
    unexplained: int
    shown: tuple[Shown, ...]
    variants: tuple[VariantFigures, ...]
    variants_known: int
    median_seconds: float | None
    timed: int
    hinted: int
    rungs: tuple[int, ...]
    flags: tuple[Flag, ...]


@dataclass(frozen=True, slots=True)
class CourseAnalysis:
    """Every item, and the items as one set."""

    which: WhichTry
    items: tuple[ItemAnalysis, ...]
    total: TotalFigures


def course_analysis(course: Course, which: WhichTry = WhichTry.FIRST) -> CourseAnalysis:
    """At most five queries, however large the class."""
    parts = _Parts.of(course, which)
    items = list(_items(course))
    sums = [_sums(item, parts.sums.get(item.pk)) for item in items]
    return CourseAnalysis(
        which=which,
        items=tuple(_item(item, one, parts) for item, one in zip(items, item_figures(sums, parts.total), strict=True)),
        total=total_figures(sums, parts.total),
    )


@dataclass(frozen=True, slots=True)
class _Parts:
    """What the database says of the tries; all but `total` by the id of the item."""

    sums: dict[int, list[Any]]
    total: TotalSums
    wrong: dict[int, int]
    shown: dict[int, list[Shown]]
    unexplained: dict[int, int]
    variants: dict[int, list[tuple[Any, ...]]]
    times: dict[int, tuple[float, int]]
    hints: dict[int, list[int]]

    @classmethod
    def of(cls, course: Course, which: WhichTry) -> Self:
        told: dict[str, list[tuple[Any, ...]]] = {name: [] for name in ("item", "set", "wrong", "shown", "variant")}
        for part, *row in figures_of_tries(course, which):
            told[part].append(tuple(row))
        named = [newest for _, slug, newest, *_ in told["shown"] if slug]
        titles = dict(MisconceptionSighting.objects.filter(pk__in=named).values_list("pk", "title"))
        shown: dict[int, list[Shown]] = {}
        for item, slug, newest, count, *_ in sorted(told["shown"], key=lambda row: (-row[3], row[1])):
            if slug:
                shown.setdefault(item, []).append(Shown(slug, Text.from_json(titles[newest]), count))
        variants: dict[int, list[tuple[Any, ...]]] = {}
        for item, _, seed, n, mean, known, *_ in sorted(told["variant"], key=lambda row: (-row[3], row[2])):
            variants.setdefault(item, []).append((seed, n, mean, known))
        rungs: dict[int, list[int]] = {}
        for item, _rung, count in hints_taken(course):
            rungs.setdefault(item, []).append(count)
        [(_, _, _, *total)] = told["set"]
        return cls(
            sums={item: sums for item, _, _, *sums in told["item"]},
            total=TotalSums(*(value or 0 for value in total[:5])),
            wrong={item: count for item, _, _, count, *_ in told["wrong"]},
            shown=shown,
            unexplained={item: count for item, slug, _, count, *_ in told["shown"] if not slug},
            variants=variants,
            times={item: (median, count) for item, median, count in times_on_task(course)},
            hints=rungs,
        )


def _items(course: Course) -> Iterable[Item]:
    items = Item.objects.filter(curriculum=course.curriculum_id, is_active=True)
    return items.select_related("lesson").order_by("lesson__position", "position")


def _sums(item: Item, row: Sequence[Any] | None) -> ItemSums:
    return ItemSums(float(item.max_score), *(row or (0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)))


def _item(item: Item, figures: ItemFigures, parts: _Parts) -> ItemAnalysis:
    rows = parts.variants.get(item.pk, [])
    top = float(item.max_score)
    variants = tuple(VariantFigures(seed, n, mean / top) for seed, n, mean, _ in rows)
    median, timed = parts.times.get(item.pk, (None, 0))
    rungs = tuple(parts.hints.get(item.pk, ()))
    wrong, unexplained = parts.wrong.get(item.pk, 0), parts.unexplained.get(item.pk, 0)
    is_read_by_people = item.kind == ItemKind.FREE_TEXT
    enough = [each.facility for each in variants if each.n >= FEW]
    return ItemAnalysis(
        slug=item.slug,
        lesson_slug=item.lesson.slug,
        title=Text.from_json(item.title),
        kind=ItemKind(item.kind),
        figures=figures,
        wrong=wrong,
        unexplained=unexplained,
        shown=tuple(parts.shown.get(item.pk, ())),
        variants=variants,
        variants_known=int(rows[0][3]) if rows else 0,
        median_seconds=median,
        timed=timed,
        hinted=max(rungs, default=0),
        rungs=rungs,
        flags=tuple(flags(figures, wrong=wrong, unexplained=0 if is_read_by_people else unexplained, variants=enough)),
    )
