"""A person's mark: final, and above the automatic one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal

from django.db import transaction
from django.utils import timezone

from exercises.enums import GradingProgress, MarkedBy
from exercises.models import Mark, Submission, User
from exercises.queries.definitions import attempt_content
from exercises.queries.misconceptions import misconceptions_known
from exercises.services.mark_record import mark_stand
from exercises.services.storable import storable_text
from grader.marking.mark import verdict_for
from grader.marking.text import Text

LONGEST_COMMENT = 4_000
SCORE_STEP = Decimal("0.001")

OUT_OF_RANGE = Text("分数须在 0 与 {max} 之间。", "The score must lie between 0 and {max}.")
TOO_FINE = Text("分数最多保留三位小数。", "A score has at most three decimals.")
COMMENT_TOO_LONG = Text("评语最多 {max} 个字符。", "A comment has at most {max} characters.")
NOT_READY = Text(
    "这份提交还没有评完，暂时不能打分。", "This submission is still being graded and cannot be marked yet."
)
REPLACED = Text("学生已提交了更新的答案，请评阅新的那份。", "The student has sent a newer answer since: mark that one.")
UNKNOWN_MISCONCEPTION = Text("本课程没有名为“{slug}”的误区。", "This course knows no misconception “{slug}”.")


class MarkRefused(ValueError):  # noqa: N818 -- shown to the instructor as it is
    """A mark that cannot be given; `text` says why in both languages."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.en)
        self.text = text


def mark_by_instructor(
    *, instructor: User, submission: Submission, score: Decimal, comment: str = "", misconceptions: Iterable[str] = ()
) -> Mark:
    """Give the mark that stands from now on. An earlier one stays as history."""
    content = attempt_content(submission.attempt)
    known = misconceptions_known(submission.attempt.item.curriculum)
    titles = {slug: _title(known, slug) for slug in misconceptions}
    _check_score(score, content.max_score)
    if len(comment) > LONGEST_COMMENT:
        raise MarkRefused(COMMENT_TOO_LONG.fill(max=str(LONGEST_COMMENT)))
    with transaction.atomic():
        _take(submission)
        mark = Mark.objects.create(
            submission=submission,
            by=MarkedBy.INSTRUCTOR,
            marker=instructor,
            verdict=verdict_for(score, content.max_score),
            score=score,
            max_score=content.max_score,
            comment=storable_text(comment),
            misconceptions=list(titles),
        )
        mark_stand(submission=submission, mark=mark, titles=titles)
    return mark


def _take(submission: Submission) -> None:
    # Compare-and-set: a newer text of the learner's may arrive at the same moment and withdraw this one.
    markable = Submission.objects.filter(
        pk=submission.pk, grading_progress__in=[GradingProgress.PENDING_MANUAL, GradingProgress.FULLY_GRADED]
    )
    if markable.filter(counted=True).update(grading_progress=GradingProgress.FULLY_GRADED, settled_at=timezone.now()):
        return
    raise MarkRefused(REPLACED if markable.exists() else NOT_READY)


def _check_score(score: Decimal, max_score: Decimal) -> None:
    if not (score.is_finite() and 0 <= score <= max_score):
        raise MarkRefused(OUT_OF_RANGE.fill(max=format(max_score.normalize(), "f")))
    if score != score.quantize(SCORE_STEP):
        raise MarkRefused(TOO_FINE)


def _title(known: Mapping[str, Text], slug: str) -> Text:
    if slug not in known:
        raise MarkRefused(UNKNOWN_MISCONCEPTION.fill(slug=slug))
    return known[slug]
