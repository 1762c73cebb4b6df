"""The words and the icon for each closed set that pages show; colour never stands alone."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from exercises.enums import ItemKind, QuestionState, Verdict
from exercises.queries.news import NewsKind
from exercises.queries.standings import ItemState
from exercises.queries.submission_view import Stage
from grader.marking.mark import CellState, FieldState
from grader.marking.response import MAX_CODE_BYTES

Words = str | Promise


@dataclass(frozen=True, slots=True)
class Sign:
    """A state as it is shown: a word, the icon before it, and the class that colours both."""

    key: str
    word: Words
    icon: str


ITEM_STATES: Final[Mapping[ItemState, Sign]] = {
    ItemState.OPEN: Sign("open", _("Not started"), "open"),
    ItemState.TROUBLE: Sign("trouble", _("Technical problem"), "alert"),
    ItemState.TRIED: Sign("tried", _("Tried"), "part"),
    ItemState.SHOWN: Sign("shown", _("Shown"), "info"),
    ItemState.WAITING: Sign("waiting", _("Waiting"), "clock"),
    ItemState.DONE: Sign("done", _("Done"), "check"),
}
VERDICTS: Final[Mapping[Verdict, Sign]] = {
    Verdict.CORRECT: Sign("correct", _("Correct"), "check"),
    Verdict.PARTIALLY_CORRECT: Sign("partially_correct", _("Partly correct"), "part"),
    Verdict.INCORRECT: Sign("incorrect", _("Not yet correct"), "cross"),
}
QUESTION_STATES: Final[Mapping[QuestionState, Sign]] = {
    QuestionState.OPEN: Sign("waiting", _("Waits for an answer"), "clock"),
    QuestionState.ANSWERED: Sign("done", _("Answered"), "check"),
    QuestionState.CLOSED: Sign("open", _("Closed"), "open"),
}
NEWS: Final[Mapping[NewsKind, Sign]] = {
    NewsKind.MARKED: Sign("done", _("A mark came"), "pen"),
    NewsKind.MARKED_AGAIN: Sign("done", _("Marked again"), "again"),
    NewsKind.LOOKED_AGAIN: Sign("done", _("Your instructor has looked again"), "again"),
    NewsKind.ANSWERED: Sign("done", _("An answer came"), "check"),
    NewsKind.ASKED: Sign("waiting", _("Somebody asks"), "clock"),
}
# A mark that is no try: the program could not be read, or lacks the function.
UNCOUNTED: Final = Sign("uncounted", _("Not counted as a try"), "info")
CELLS: Final[Mapping[CellState, Sign]] = {
    CellState.RIGHT: Sign("right", _("right"), "check"),
    CellState.WRONG: Sign("wrong", _("wrong"), "cross"),
    CellState.ROUNDED_EARLY: Sign("rounded_early", _("rounded too early"), "about"),
    CellState.BLANK: Sign("blank", _("left empty"), "open"),
}
FIELDS: Final[Mapping[FieldState, Sign]] = {
    FieldState.RIGHT: Sign("right", _("right"), "check"),
    FieldState.FOLLOWS: Sign("follows", _("right, given your earlier result"), "follows"),
    FieldState.WRONG: Sign("wrong", _("wrong"), "cross"),
    FieldState.BLANK: Sign("blank", _("left empty"), "open"),
}
KINDS: Final[Mapping[ItemKind, Words]] = {
    ItemKind.NUMERIC: _("Work it out by hand"),
    ItemKind.CHOICE: _("Choose"),
    ItemKind.CODE: _("Write code"),
    ItemKind.FREE_TEXT: _("Quick check, in your own words"),
    ItemKind.SHAPE: _("Name the shapes"),
    ItemKind.MATCH: _("Match"),
    ItemKind.ORDER: _("Put in order"),
    ItemKind.PREDICT: _("Guess, then work it out"),
    ItemKind.LAB: _("Lab: guess, then find out"),
}
STAGES: Final[Mapping[Stage, Words]] = {
    Stage.DELAYED: _(
        "Received and stored. The grading service is delayed; your code is graded as soon as it is back,"
        " without your doing anything."
    ),
    Stage.QUEUED: _("Received. Your code is waiting for its turn."),
    Stage.RUNNING: _("Your code is running."),
    Stage.MARKING: _("Your code has run. What it returned is being marked."),
    Stage.WITH_INSTRUCTOR: _("Sent. Your instructor will read it; the mark and any comment appear here."),
    Stage.REPLACED: _("A newer answer of yours has taken the place of this one."),
    Stage.SENT_BACK: _("Your instructor has sent this back. Read why, and send another answer: it is read afresh."),
    Stage.WITHHELD: _("Sent and kept. What came of it is shown once the marks of this assignment are released."),
    Stage.SETTLED: _("Graded."),
    Stage.FAILED: _(
        "Something went wrong on our side, so this was not graded and does not count as a try. Your code is kept:"
        " send it again in a moment."
    ),
}


@dataclass(frozen=True, slots=True)
class RunLimits:
    """What one run of a learner's code may use, as the page says it; a test compares it with the sandbox's own."""

    python: str
    cpu_seconds: int
    memory_mib: int
    code_kib: int


RUN_LIMITS: Final = RunLimits(
    python=".".join(platform.python_version_tuple()[:2]), cpu_seconds=2, memory_mib=512, code_kib=MAX_CODE_BYTES // 1024
)
# The name of a field or an array begins with the letter of its role.
ROLES: Final[Mapping[str, str]] = {"q": "q", "Q": "q", "k": "k", "K": "k", "v": "v", "V": "v"}
