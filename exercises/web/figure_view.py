"""The figures of a class laid out: words and icons for every state and flag, and what a request chooses to see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

from exercises.queries.item_analysis import CourseAnalysis, ItemAnalysis
from exercises.queries.item_tries import WhichTry
from exercises.queries.predictions import Predictions
from exercises.queries.progress import ItemColumn, ProgressChoice, ProgressOrder, ProgressRow, ProgressTable
from exercises.queries.standings import ItemState, Standing
from exercises.queries.unexplained import Unexplained
from exercises.web.heat_markup import heat_markup
from exercises.web.words import ITEM_STATES, VERDICTS, Sign, Words
from grader.cohort.prediction import ItemPrediction
from grader.marking.item_analysis import Flag


@dataclass(frozen=True, slots=True)
class FlagWords:
    """A flag in a word, and what there is to do about it."""

    name: Words
    advice: Words


TRIES: Final[Mapping[WhichTry, Words]] = {
    WhichTry.FIRST: _("First tries"),
    WhichTry.BEST: _("Best tries"),
    WhichTry.LAST: _("Last tries"),
}
ORDERS: Final[Mapping[ProgressOrder, Words]] = {
    ProgressOrder.NAME: _("By name"),
    ProgressOrder.POINTS: _("Most points first"),
    ProgressOrder.STUCK: _("Most stuck first"),
    ProgressOrder.LATEST: _("Latest answer first"),
    ProgressOrder.QUIET: _("Longest silent first"),
}
# What the cells of the map can show, from the best to what has not begun.
SIGNS: Final[Sequence[Sign]] = (
    *VERDICTS.values(),
    *(ITEM_STATES[state] for state in (ItemState.DONE, ItemState.WAITING, ItemState.SHOWN)),
    *(ITEM_STATES[state] for state in (ItemState.TRIED, ItemState.TROUBLE, ItemState.OPEN)),
)
FLAGS: Final[Mapping[Flag, FlagWords]] = {
    Flag.HARD: FlagWords(
        _("Very hard"),
        _(
            "Few get it right at the first try. See what the wrong answers show: if it is one misconception, the lesson"
            " can meet it before; if it is many, the question may ask for too much at once."
        ),
    ),
    Flag.EASY: FlagWords(
        _("Very easy"),
        _("Nearly everybody gets it right at once. It may stay as a warm-up; it tells nobody apart."),
    ),
    Flag.BACKWARDS: FlagWords(
        _("Works backwards"),
        _(
            "Those who do well elsewhere do worse here. The expected answer may be wrong, or the words may mislead those"
            " who know more: read it as they would."
        ),
    ),
    Flag.WEAK: FlagWords(
        _("Tells little apart"),
        _(
            "It hardly matters here how well somebody does elsewhere. Guessing or a stumbling block that has nothing to"
            " do with the subject are the usual causes."
        ),
    ),
    Flag.UNEXPLAINED: FlagWords(
        _("Mistakes without a name"),
        _(
            "Most wrong answers show no known misconception. Look at the unexplained answers: one of them may want a name."
        ),
    ),
    Flag.UNEVEN: FlagWords(
        _("Uneven numbers"),
        _("Some of its numbers are much easier than others. Draw them from a narrower list, or accept the difference."),
    ),
}


@dataclass(frozen=True, slots=True)
class StudentLine:
    """One student's line, with the markup of its cells."""

    row: ProgressRow
    cells: SafeString


@dataclass(frozen=True, slots=True)
class ProgressView:
    """The table, and the figures above it, of the students that are shown."""

    columns: tuple[ItemColumn, ...]
    lines: tuple[StudentLine, ...]
    max_score: Decimal
    started: int
    waiting: int


def progress_view(table: ProgressTable) -> ProgressView:
    """Students × items with words and icons."""
    return ProgressView(
        columns=table.columns,
        lines=tuple(_line(row, table.columns) for row in table.rows),
        max_score=table.max_score,
        started=sum(row.attempted > 0 for row in table.rows),
        waiting=sum(row.waiting for row in table.rows),
    )


@dataclass(frozen=True, slots=True)
class PredictedLine:
    """An item as the class shows it, and as it was predicted; None where simulated learners cannot answer it."""

    item: ItemAnalysis
    prediction: ItemPrediction | None


def predicted_lines(predictions: Predictions, observed: CourseAnalysis) -> tuple[PredictedLine, ...]:
    """Every item of the course in its order."""
    known = {each.slug: each for each in predictions.items}
    return tuple(PredictedLine(item, known.get(item.slug)) for item in observed.items)


def read_choice(query: Mapping[str, str]) -> ProgressChoice:
    """What a request asks to see; what makes no sense is as if it were not there."""
    order, page = query.get("order", ""), query.get("page", "")
    return ProgressChoice(
        order=ProgressOrder(order) if order in set(ProgressOrder) else ProgressOrder.NAME,
        label=query.get("label", ""),
        page=int(page[:6]) if page.isascii() and page.isdecimal() else 1,
    )


def read_which(query: Mapping[str, str]) -> WhichTry:
    """The tries that a request asks for; the first where it names none."""
    which = query.get("tries", "")
    return WhichTry(which) if which in set(WhichTry) else WhichTry.FIRST


def answer_words(raw_response: Mapping[str, object]) -> str:
    """An answer as it was typed, in one line; a program or a text is shown by itself."""
    told = (_words(value) for name, value in raw_response.items() if name not in {"code", "text"})
    return "; ".join(filter(None, told))


def draft_toml(group: Unexplained) -> str:
    """A misconception in the form of `content/misconceptions.toml`, with what is known of it as comments."""
    title = group.likeness.text
    lines = [
        f"# {group.answers} answers of {group.students} students to {group.item_slug}, lesson {group.lesson_slug}:",
        *_comment(f"{title.zh_hans} / {title.en}"),
        "# The latest of them, as it was sent, and the numbers it was given for:",
        *_comment(str(dict(group.example))),
        *_comment(str(dict(group.variant))),
        "# Give it a slug of its own, say in both languages what was done and what was asked for, and put it into",
        "# misconceptions.toml. A choice, a pair or a line names it by that slug; for numbers and code, write the wrong",
        "# computation beside the others in grader/derivation/slips.",
        "",
        f"[unexplained_{group.key}]",
        'title = { zh-hans = "", en = "" }',
        'explanation = { zh-hans = "你算出的是 ${used}$；题目要的是 ${asked}$。", '
        'en = "You worked out ${used}$; the question asks for ${asked}$." }',
        'hint = { zh-hans = "", en = "" }',
    ]
    return "\n".join(lines) + "\n"


def _comment(words: str) -> Sequence[str]:
    """Lines that TOML reads over, whatever a learner typed."""
    return [f"#   {line}" for line in "".join(c if c.isprintable() or c == "\n" else "␀" for c in words).split("\n")]


def _line(row: ProgressRow, columns: Sequence[ItemColumn]) -> StudentLine:
    cells = zip(row.cells, columns, strict=True)
    return StudentLine(row, mark_safe("".join(_cell(standing, column) for standing, column in cells)))  # noqa: S308 -- of safe ones


def _cell(standing: Standing, column: ItemColumn) -> SafeString:
    """A try that was judged shows its verdict; all else its state."""
    judged = standing.state in {ItemState.TRIED, ItemState.DONE} and standing.verdict is not None
    sign = VERDICTS[standing.verdict] if judged and standing.verdict else ITEM_STATES[standing.state]
    return heat_markup(standing, sign, column.max_score)


def _words(value: object) -> str:
    if isinstance(value, Mapping):
        return "; ".join(f"{name} = {_words(inner)}" for name, inner in value.items())
    if isinstance(value, list):
        return f"[{', '.join(map(_words, value))}]"
    return str(value)
