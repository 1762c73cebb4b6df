from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from uuid import UUID

import pytest
from django.utils import timezone, translation

from exercises.enums import GradingProgress, ItemKind, MarkedBy, Verdict
from exercises.queries.submission_view import Stage, StandingMark, SubmissionView
from exercises.web.result_view import announcement, poll_pause_ms, result_view
from grader.marking.mark import CellState, FieldMark, FieldState, Mark
from grader.marking.run_report import CaseReport, RunReport
from grader.marking.text import Text


def code_mark(*cases: CaseReport) -> Mark:
    run = RunReport(status="returned", stdout="", traceback="", cpu_ms=1, memory_mib=2, cases=cases)
    return Mark(Verdict.INCORRECT, Decimal(0), Decimal(3), run=run)


def submission(
    marking: Mark | None, *, counted: bool = True, verdict: Verdict | None = Verdict.INCORRECT
) -> SubmissionView:
    now = timezone.now()
    standing = StandingMark(MarkedBy.AUTO, verdict, Decimal(0), Decimal(3), "", (), now) if verdict else None
    return SubmissionView(
        id=UUID(int=1),
        course_slug="spring",
        item_slug="program",
        item_title=Text("写", "Write"),
        lesson_slug="first",
        student="Ada",
        kind=ItemKind.CODE,
        raw_response={"code": ""},
        grading_progress=GradingProgress.FULLY_GRADED,
        counted=counted,
        failure="",
        created_at=now,
        settled_at=now,
        standing=standing,
        marking=marking,
    )


def test_mark_that_is_no_try_says_so_instead_of_a_verdict() -> None:
    result = result_view(submission(code_mark(), counted=False), Stage.SETTLED)

    assert (result.sign.key, result.sign.icon) == ("uncounted", "info")


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "Try 2: Not yet correct. 1 of 2 cells are right"), ("zh-hans", "第 2 次：还不对。 2 格对了 1 格")],
)
def test_announcement_is_one_sentence_with_what_counts(language: str, said: str) -> None:
    cells = ((CellState.RIGHT, CellState.WRONG),)
    marking = Mark(Verdict.INCORRECT, Decimal(0), Decimal(3), fields=(FieldMark("q", FieldState.WRONG, cells),))

    with translation.override(language):
        assert announcement(result_view(submission(marking), Stage.SETTLED), tries=2) == said


def test_announcement_without_a_mark_names_the_stage() -> None:
    waiting = result_view(submission(None, verdict=None), Stage.QUEUED)

    with translation.override("en"):
        assert announcement(waiting, tries=1) == "Received. Your code is waiting for its turn."


@pytest.mark.parametrize(("seconds", "slow"), [(9, False), (10, True)])
def test_long_wait_says_what_happens_next(seconds: int, slow: bool) -> None:
    sent = replace(submission(None, verdict=None), created_at=timezone.now() - timedelta(seconds=seconds))

    assert result_view(sent, Stage.RUNNING).is_slow is slow


def test_settled_submission_is_never_slow() -> None:
    old = replace(submission(code_mark()), created_at=timezone.now() - timedelta(days=1))

    assert result_view(old, Stage.SETTLED).is_slow is False


def test_pauses_grow_and_then_stay() -> None:
    assert [poll_pause_ms(looks) for looks in range(6)] == [500, 1000, 2000, 4000, 4000, 4000]
