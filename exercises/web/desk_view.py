"""The instructor's tables, laid out with words and icons for every state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from exercises.queries.misconceptions import SeenMisconception
from exercises.queries.progress import ItemColumn, ProgressRow, ProgressTable
from exercises.queries.quick_checks import QuickCheckAnswer
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


@dataclass(frozen=True, slots=True)
class AnswerView:
    """A quick-check answer and the points that can be given."""

    answer: QuickCheckAnswer
    points: tuple[str, ...]
    given: str
    comment: str


@dataclass(frozen=True, slots=True)
class RefusedMark:
    """A mark that could not be given, with the reason and the comment that must not be lost."""

    submission_id: UUID
    student: str
    reason: Text
    comment: str


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


def answer_views(answers: Sequence[QuickCheckAnswer], refused: RefusedMark | None = None) -> tuple[AnswerView, ...]:
    """Answers with whole points from none to all, and with the comment of a mark that was just refused."""
    kept = {refused.submission_id: refused.comment} if refused else {}
    return tuple(
        AnswerView(
            answer=answer,
            points=tuple(str(points) for points in range(int(answer.max_score) + 1)),
            given="" if answer.score is None else format(answer.score.normalize(), "f"),
            comment=kept.get(answer.submission_id, answer.comment),
        )
        for answer in answers
    )


def _line(row: ProgressRow, columns: Sequence[ItemColumn]) -> StudentLine:
    cells = (_cell(standing, column) for standing, column in zip(row.cells, columns, strict=True))
    return StudentLine(row=row, cells=tuple(cells))


def _cell(standing: Standing, column: ItemColumn) -> StandingCell:
    """A try that was judged shows its verdict; all else its state."""
    judged = standing.state in {ItemState.TRIED, ItemState.DONE} and standing.verdict is not None
    sign = VERDICTS[standing.verdict] if judged and standing.verdict else ITEM_STATES[standing.state]
    return StandingCell(standing=standing, sign=sign, max_score=column.max_score)
