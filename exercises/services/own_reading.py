"""What a learner says about an answer in their own words: a mark of their own, and the wish for another look."""

from __future__ import annotations

from collections.abc import Collection
from typing import cast

from django.db import transaction
from django.utils import timezone

from exercises.models import SecondLook, SelfMark, Submission
from exercises.queries.definitions import attempt_content
from exercises.queries.self_assessment import self_assessment
from exercises.services.learner_lock import lock_learner
from exercises.services.storable import storable_text
from exercises.services.terms_check import terms_of
from grader.marking.items import FreeTextItem

LONGEST_REASON = 1_000


class TooLateToSay(Exception):  # noqa: N818 -- nothing went wrong: the page was older than what has happened
    """The instructor has marked it meanwhile, or has been asked already, or there is nothing to ask about."""


class NoReason(ValueError):  # noqa: N818 -- shown to the learner
    """A second look needs a reason, of at most `LONGEST_REASON` characters."""


def self_mark_set(*, submission: Submission, criteria: Collection[str]) -> SelfMark:
    """Keep which criteria the learner finds met; a later reading takes the place of an earlier one. Raises TooLateToSay."""
    with transaction.atomic():
        lock_learner(user_id=submission.attempt.enrollment.user_id)
        submission.refresh_from_db(fields=["standing_mark", "counted"])
        if not _is_told(submission) or not self_assessment(submission).may_mark:
            raise TooLateToSay
        rubric = cast("FreeTextItem", attempt_content(submission.attempt)).rubric
        met = [criterion.key for criterion in rubric.criteria if criterion.key in criteria]
        own, _is_new = SelfMark.objects.update_or_create(submission=submission, defaults={"criteria": met})
    return own


def second_look_ask(*, submission: Submission, reason: str) -> SecondLook:
    """Ask for another look at the instructor's mark, once for each mark. Raises NoReason or TooLateToSay."""
    said = storable_text(reason).strip()
    if not said or len(said) > LONGEST_REASON:
        raise NoReason
    with transaction.atomic():
        lock_learner(user_id=submission.attempt.enrollment.user_id)
        submission.refresh_from_db(fields=["standing_mark", "counted"])
        mark = submission.standing_mark
        if mark is None or not _is_told(submission) or not self_assessment(submission).may_ask:
            raise TooLateToSay
        return SecondLook.objects.create(mark=mark, reason=said)


def _is_told(submission: Submission) -> bool:
    """Whether marks are released. Before that, a refusal would tell that there is one."""
    return terms_of(submission.attempt).shows_feedback(timezone.now())
