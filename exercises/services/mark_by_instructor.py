"""A person's mark: final, and above the automatic one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone

from exercises.enums import Act, GradingProgress, MarkedBy
from exercises.models import Mark, MarkDraft, Submission, User
from exercises.queries.definitions import attempt_content
from exercises.queries.misconceptions import misconceptions_known
from exercises.services.audit_record import note
from exercises.services.mark_record import mark_stand
from exercises.services.storable import storable_text
from grader.marking.mark import verdict_for
from grader.marking.text import Text

LONGEST_COMMENT = 4_000
SCORE_STEP = Decimal("0.001")
MARKABLE = (GradingProgress.PENDING_MANUAL, GradingProgress.FULLY_GRADED, GradingProgress.NOT_READY)

OUT_OF_RANGE = Text("分数须在 0 与 {max} 之间。", "The score must lie between 0 and {max}.")
TOO_FINE = Text("分数最多保留三位小数。", "A score has at most three decimals.")
COMMENT_TOO_LONG = Text("评语最多 {max} 个字符。", "A comment has at most {max} characters.")
NOT_READY = Text(
    "这份提交还没有评完，暂时不能打分。", "This submission is still being graded and cannot be marked yet."
)
REPLACED = Text("学生已提交了更新的答案，请评阅新的那份。", "The student has sent a newer answer since: mark that one.")
MARKED_MEANWHILE = Text(
    "{name} 刚刚评了这份答案：看过那个评分之后再决定。",
    "{name} has just marked this answer: look at that mark before you decide.",
)
MARKED_MEANWHILE_BY_SOMEBODY = Text(
    "这份答案刚刚有了新的评分：看过之后再决定。",
    "This answer has just been given another mark: look at that before you decide.",
)
UNKNOWN_MISCONCEPTION = Text("本课程没有名为“{slug}”的误区。", "This course knows no misconception “{slug}”.")


class MarkRefused(ValueError):  # noqa: N818 -- shown to the instructor as it is
    """A mark that cannot be given; `text` says why in both languages."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.en)
        self.text = text


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an instructor says of an answer; `criteria` are the keys of the rubric's that it meets."""

    score: Decimal
    comment: str = ""
    misconceptions: tuple[str, ...] = ()
    criteria: tuple[str, ...] = ()


def mark_by_instructor(
    *, instructor: User, submission: Submission, score: Decimal, comment: str = "", misconceptions: Iterable[str] = ()
) -> Mark:
    """Give the mark that stands from now on. An earlier one stays as history. Raises MarkRefused."""
    judgement = Judgement(score, comment, tuple(misconceptions))
    return mark_give(instructor=instructor, submission=submission, judgement=judgement, batch=uuid4())


def mark_give(*, instructor: User, submission: Submission, judgement: Judgement, batch: UUID) -> Mark:
    """The same, if the mark that stands is still the one that `submission` was read with. Raises MarkRefused."""
    content = attempt_content(submission.attempt)
    known = misconceptions_known(submission.attempt.item.curriculum)
    titles = {slug: _title(known, slug) for slug in judgement.misconceptions}
    _check_score(judgement.score, content.max_score)
    if len(judgement.comment) > LONGEST_COMMENT:
        raise MarkRefused(COMMENT_TOO_LONG.fill(max=str(LONGEST_COMMENT)))
    with transaction.atomic():
        _take(submission)
        mark = Mark.objects.create(
            submission=submission,
            by=MarkedBy.INSTRUCTOR,
            marker=instructor,
            verdict=verdict_for(judgement.score, content.max_score),
            score=judgement.score,
            max_score=content.max_score,
            feedback={"criteria": list(judgement.criteria)} if judgement.criteria else {},
            comment=storable_text(judgement.comment),
            misconceptions=list(titles),
            replaced_id=submission.standing_mark_id,
            batch=batch,
        )
        mark_stand(submission=submission, mark=mark, titles=titles)
        MarkDraft.objects.filter(submission=submission, instructor=instructor).delete()
        detail = {"score": str(mark.score), "max_score": str(mark.max_score), "batch": str(batch)}
        course = submission.attempt.enrollment.course
        note(actor=instructor, course=course, act=Act.MARK, subject=submission, detail=detail)
    return mark


def _take(submission: Submission) -> None:
    # Compare-and-set: a newer text of the learner's may arrive at the same moment and withdraw this one, and a
    # colleague may be marking it as well.
    markable = Submission.objects.filter(pk=submission.pk, grading_progress__in=MARKABLE)
    as_read = markable.filter(counted=True, standing_mark=submission.standing_mark_id)
    if as_read.update(grading_progress=GradingProgress.FULLY_GRADED, settled_at=timezone.now()):
        return
    raise MarkRefused(_refusal(submission))


def _refusal(submission: Submission) -> Text:
    now = Submission.objects.select_related("standing_mark__marker").get(pk=submission.pk)
    if now.grading_progress not in MARKABLE:
        return NOT_READY
    if not now.counted:
        return REPLACED
    marker = now.standing_mark.marker if now.standing_mark else None
    return MARKED_MEANWHILE.fill(name=str(marker)) if marker else MARKED_MEANWHILE_BY_SOMEBODY


def _check_score(score: Decimal, max_score: Decimal) -> None:
    if not (score.is_finite() and 0 <= score <= max_score):
        raise MarkRefused(OUT_OF_RANGE.fill(max=format(max_score.normalize(), "f")))
    if score != score.quantize(SCORE_STEP):
        raise MarkRefused(TOO_FINE)


def _title(known: Mapping[str, Text], slug: str) -> Text:
    if slug not in known:
        raise MarkRefused(UNKNOWN_MISCONCEPTION.fill(slug=slug))
    return known[slug]
