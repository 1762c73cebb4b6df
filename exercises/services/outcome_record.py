"""Store what a sandbox worker found out."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from exercises.enums import GradingProgress
from exercises.models import Submission
from exercises.queries.definitions import attempt_content
from exercises.services.believable import is_believable
from exercises.services.mark_record import mark_record_auto
from exercises.services.storable import storable_json, storable_text
from exercises.services.wake_wait import wake_up
from grader.marking.items import Item as ItemContent
from grader.marking.mark import Mark as Marking
from grader.marking.response import ResponseError

log = logging.getLogger(__name__)

MALFORMED = "malformed_outcome"
LOST = "lost"
LONGEST_FAILURE = 64


def outcome_record(*, outcome: Mapping[str, Any]) -> bool:
    """Settle the pending submission that holds the outcome's ticket; False if there is none, or not any more.

    The outcome comes from a process that ran hostile code: it is read with suspicion, and what makes no sense ends as
    our failure, never as the learner's mistake.
    """
    ticket = storable_text(str(outcome.get("ticket")))
    pending = Submission.objects.select_related("attempt__item_version")
    submission = pending.filter(ticket=ticket, grading_progress=GradingProgress.PENDING).first()
    if submission is None:
        log.info("outcome ignored, nothing waits for it: ticket=%s", ticket[:8])
        return False
    marking = believable_marking(outcome, attempt_content(submission.attempt), about=submission)
    if marking is None:
        failure = outcome.get("failure")
        return submission_fail(submission=submission, failure=failure if isinstance(failure, str) else MALFORMED)
    with transaction.atomic():
        if not _settle(submission, GradingProgress.FULLY_GRADED, counted=outcome.get("counted") is not False):
            return False
        mark_record_auto(submission=submission, marking=marking)
    wake_up(ticket=submission.job_ticket)
    return True


def submission_fail(*, submission: Submission, failure: str) -> bool:
    """End a pending submission as our failure: it is no try, and the same code may be sent again."""
    code = storable_text(failure)[:LONGEST_FAILURE]
    is_settled = _settle(submission, GradingProgress.FAILED, counted=False, failure=code)
    if is_settled:
        log.error("submission failed by our fault: submission=%s failure=%s", submission.public_id, code)
        wake_up(ticket=submission.job_ticket)
    return is_settled


def _settle(submission: Submission, progress: GradingProgress, *, counted: bool, failure: str = "") -> bool:
    waiting = Submission.objects.filter(
        pk=submission.pk, ticket=submission.ticket, grading_progress=GradingProgress.PENDING
    )
    return bool(waiting.update(grading_progress=progress, counted=counted, failure=failure, settled_at=timezone.now()))


def believable_marking(outcome: Mapping[str, Any], content: ItemContent, *, about: Submission) -> Marking | None:
    """The mark that an outcome brings, if it is one that this content can give."""
    if outcome.get("mark") is None:
        return None
    try:
        marking = Marking.from_json(storable_json(outcome["mark"]))
        is_possible = _fits(marking, content)
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError, ResponseError):
        log.exception("outcome makes no sense: submission=%s", about.public_id)
        return None
    return marking if is_possible else None


def _fits(marking: Marking, content: ItemContent) -> bool:
    is_in_bounds = 0 <= marking.score <= marking.max_score == content.max_score
    is_shown_whole = marking.run is None or is_believable(marking.run)
    return is_in_bounds and is_shown_whole and set(marking.misconceptions) <= set(content.misconceptions)
