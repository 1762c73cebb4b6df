"""The instructor's tables, laid out with words and icons for every state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from exercises.queries.misconceptions import SeenMisconception
from exercises.queries.progress import ItemColumn, ProgressRow, ProgressTable
from exercises.queries.standings import ItemState, Standing
from exercises.web.words import ITEM_STATES, VERDICTS, Sign
from grader.marking.text import Text


@dataclass(frozen=True, slots=True)
class StandingCell:
    """What one student has done with one item."""

    standing: Standing
    sign: Sign
    max_score: Decimal


@dataclass(frozen=True, slots=True)
class StudentLine:
    """One student's line."""

    row: ProgressRow
    cells: tuple[StandingCell, ...]


@dataclass(frozen=True, slots=True)
class ProgressView:
    """The table, and the three figures above it."""

    columns: tuple[ItemColumn, ...]
    lines: tuple[StudentLine, ...]
    max_score: Decimal
    started: int
    waiting: int


@dataclass(frozen=True, slots=True)
class SeenView:
    """A misconception with the titles of the items that show it."""

    seen: SeenMisconception
    items: tuple[Text, ...]


def progress_view(table: ProgressTable) -> ProgressView:
    """Students × items with words and icons."""
    return ProgressView(
        columns=table.columns,
        lines=tuple(_line(row, table.columns) for row in table.rows),
        max_score=table.max_score,
        started=sum(row.attempted > 0 for row in table.rows),
        waiting=sum(row.waiting for row in table.rows),
    )


def seen_views(seen: Sequence[SeenMisconception], columns: Sequence[ItemColumn]) -> tuple[SeenView, ...]:
    """Misconceptions, most frequent first, with items named as the pages name them."""
    titles = {column.slug: column.title for column in columns}
    return tuple(SeenView(each, tuple(titles[slug] for slug in each.items if slug in titles)) for each in seen)


def _line(row: ProgressRow, columns: Sequence[ItemColumn]) -> StudentLine:
    cells = (_cell(standing, column) for standing, column in zip(row.cells, columns, strict=True))
    return StudentLine(row=row, cells=tuple(cells))


def _cell(standing: Standing, column: ItemColumn) -> StandingCell:
    """A try that was judged shows its verdict; all else its state."""
    judged = standing.state in {ItemState.TRIED, ItemState.DONE} and standing.verdict is not None
    sign = VERDICTS[standing.verdict] if judged and standing.verdict else ITEM_STATES[standing.state]
    return StandingCell(standing=standing, sign=sign, max_score=column.max_score)
