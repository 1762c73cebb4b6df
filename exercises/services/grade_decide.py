"""What an instructor decides about one student's assignment: more time, other points, or that it does not count."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Final

from django.db import transaction

from exercises.enums import Act
from exercises.models import Assignment, Enrollment, Exemption, Extension, Label, Override
from exercises.queries.assignments import set_work, work_called
from exercises.services.assignment_set import SettingRefused, assignment_row
from exercises.services.audit_record import note
from exercises.services.storable import storable_text
from grader.marking.text import Text

LONGEST_REASON: Final = 200
SCORE_STEP: Final = Decimal("0.001")

REASON_MISSING: Final = Text("请写明理由（最多 200 字）。", "Give a reason, of at most 200 characters.")
NO_DUE: Final = Text("这份作业没有截止时间，无需延期。", "This assignment has no due date to extend.")
NOT_LATER: Final = Text("延期须晚于原截止时间。", "More time means a later date than the due date.")
POINTS_WRONG: Final = Text(
    "分数须在 0 与 {max} 之间，最多三位小数。",
    "The points must lie between 0 and {max}, with at most three decimals.",
)


@transaction.atomic
def extension_grant(
    *, instructor: Enrollment, slug: str, to: Enrollment | Label, due_at: datetime, reason: str
) -> Extension:
    """Give a student, or all who bear a label, until then; a second one takes the place of the first.

    Raises SettingRefused.
    """
    row = assignment_row(instructor.course, slug)
    if row.due_at is None:
        raise SettingRefused(NO_DUE)
    if due_at <= row.due_at:
        raise SettingRefused(NOT_LATER)
    given = {"due_at": due_at, "reason": _reason(reason), "granted_by": instructor.user}
    student, label = (to, None) if isinstance(to, Enrollment) else (None, to)
    extension, _is_new = Extension.objects.update_or_create(
        assignment=row, enrollment=student, label=label, defaults=given
    )
    _note(instructor, Act.GRANT_EXTENSION, row, {"to": str(to), "due_at": due_at.isoformat(), "reason": reason})
    return extension


@transaction.atomic
def extension_drop(*, instructor: Enrollment, extension: Extension) -> None:
    """Take more time back; what was sent in it is weighed anew."""
    to, row = str(extension.enrollment or extension.label), extension.assignment
    extension.delete()
    _note(instructor, Act.DROP_EXTENSION, row, {"to": to})


@transaction.atomic
def grade_override(
    *, instructor: Enrollment, slug: str, student: Enrollment, score: Decimal | None, reason: str
) -> Override:
    """Put these points in the place of the computed ones; None gives the place back. Raises SettingRefused."""
    row = assignment_row(instructor.course, slug)
    work = work_called(set_work(instructor.course), slug)
    most = work.max_score if work else Decimal(0)
    if score is not None and not is_score(score, most):
        raise SettingRefused(POINTS_WRONG.fill(max=format(most.normalize(), "f")))
    given = Override.objects.create(
        assignment=row, enrollment=student, score=score, reason=_reason(reason), given_by=instructor.user
    )
    told = {"student": student.user.username, "score": None if score is None else str(score), "reason": reason}
    _note(instructor, Act.OVERRIDE_GRADE, row, told)
    return given


@transaction.atomic
def exemption_set(*, instructor: Enrollment, slug: str, student: Enrollment, is_exempt: bool, reason: str) -> None:
    """Let the assignment not count for a student, or count again. Raises SettingRefused."""
    row = assignment_row(instructor.course, slug)
    why = _reason(reason)
    if is_exempt:
        given = {"reason": why, "granted_by": instructor.user}
        Exemption.objects.update_or_create(assignment=row, enrollment=student, defaults=given)
    else:
        Exemption.objects.filter(assignment=row, enrollment=student).delete()
    act = Act.GRANT_EXEMPTION if is_exempt else Act.DROP_EXEMPTION
    _note(instructor, act, row, {"student": student.user.username, "reason": why})


def is_score(score: Decimal, most: Decimal) -> bool:
    """Whether it can stand as the points of an assignment worth that much."""
    return score.is_finite() and 0 <= score <= most and score == score.quantize(SCORE_STEP)


def _reason(reason: str) -> str:
    text = storable_text(reason).strip()
    if not 0 < len(text) <= LONGEST_REASON:
        raise SettingRefused(REASON_MISSING)
    return text


def _note(instructor: Enrollment, act: Act, row: Assignment, detail: dict[str, str | None]) -> None:
    note(
        actor=instructor.user, course=instructor.course, act=act, subject=row, detail={"assignment": row.slug, **detail}
    )
