"""Take what a learner sent: store it once, mark it or queue it."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from exercises.enums import GradingProgress
from exercises.models import Attempt, Submission
from exercises.queries.definitions import attempt_content
from exercises.queries.terms import Terms
from exercises.services.code_text import readable_code
from exercises.services.guess_keep import guess_keep, with_guess
from exercises.services.job_limit import refuse_third
from exercises.services.job_send import job_send
from exercises.services.learner_lock import lock_learner
from exercises.services.mark_record import mark_record_auto
from exercises.services.storable import storable_json
from exercises.services.terms_check import check_open, terms_of
from grader.bank import digest
from grader.marking.items import CodeItem, FreeTextItem
from grader.marking.items import Item as ItemContent
from grader.marking.judge import mark_response, with_credit
from grader.marking.mark import Mark as Marking
from grader.marking.policy import standing
from grader.marking.response import RawResponse, check_code, check_free_text, essence

TICKET_BYTES = 32


class NoTriesLeft(Exception):  # noqa: N818 -- nothing went wrong: the item's policy allows no more
    """The learner has had as many tries at the item as its policy, or the assignment, allows."""


@dataclass(frozen=True, slots=True)
class Submitted:
    """The submission that answers the request, and what held when it was taken.

    A repeat is the earlier one, and does not count again.
    """

    submission: Submission
    is_repeat: bool
    terms: Terms


@dataclass(frozen=True, slots=True)
class _Judged:
    """How far grading gets within the request."""

    progress: GradingProgress
    marking: Marking | None = None


@dataclass(frozen=True, slots=True)
class _Try:
    """A counted try; one that waits for its mark has no score yet."""

    id: int
    attempt_id: int
    response_digest: str
    score: Decimal | None


def submission_create(*, attempt: Attempt, raw_response: RawResponse) -> Submitted:
    """Numbers and choices are marked at once, a text waits for the instructor, code goes to a sandbox worker.

    The first guess of an attempt takes the place of any later one.

    Raises ResponseError, and stores nothing, for what cannot be understood; NotOpenYet and NotOpenAnyMore by the
    assignment's dates; NoTriesLeft for one try too many; TooManyPending for a third program.
    """
    # The moment that counts is when the answer came in, however long marking or another request of the learner's takes.
    came_in_at = timezone.now()
    terms = terms_of(attempt)
    check_open(enrollment=attempt.enrollment, terms=terms, now=came_in_at)
    content = attempt_content(attempt)
    response = storable_json(with_guess(attempt, _readable(content, raw_response)))
    # Marking is pure and may take a while: it stays outside the transaction, which holds a lock.
    judged = _judge(content, attempt, response)
    with transaction.atomic():
        lock_learner(user_id=attempt.enrollment.user_id)
        tries = _tries(attempt)
        earlier = _earlier(tries, attempt, digest(essence(content, response)))
        if isinstance(content, FreeTextItem):
            _withdraw_waiting(attempt, keep=earlier)
            tries = _tries(attempt)
        if earlier is not None:
            return Submitted(earlier, is_repeat=True, terms=terms)
        scores = [each.score or Decimal(0) for each in tries]
        if not standing(terms.policy(content.policy), scores).may_try:
            raise NoTriesLeft
        if judged.progress is GradingProgress.PENDING:
            refuse_third(user_id=attempt.enrollment.user_id)
        if judged.marking is not None:
            judged = replace(judged, marking=with_credit(content, judged.marking, scores))
        stored = _store(content, attempt, response, judged, came_in_at)
        return Submitted(stored, is_repeat=False, terms=terms)


def _readable(content: ItemContent, raw_response: RawResponse) -> RawResponse:
    code = raw_response.get("code")
    if isinstance(content, CodeItem) and isinstance(code, str):
        return {**raw_response, "code": readable_code(code)}
    return raw_response


def _judge(content: ItemContent, attempt: Attempt, response: dict[str, Any]) -> _Judged:
    if isinstance(content, CodeItem):
        check_code(response)
        return _Judged(GradingProgress.PENDING)
    if isinstance(content, FreeTextItem):
        check_free_text(content, response)
        return _Judged(GradingProgress.PENDING_MANUAL)
    return _Judged(GradingProgress.FULLY_GRADED, mark_response(content, attempt.variant, response))


def _tries(attempt: Attempt) -> list[_Try]:
    """Each counted try at the item, with whatever numbers, the oldest first."""
    counted = Submission.objects.filter(
        attempt__enrollment_id=attempt.enrollment_id, attempt__item_id=attempt.item_id, counted=True
    )
    rows = counted.order_by("created_at", "pk").values_list(
        "pk", "attempt_id", "response_digest", "standing_mark__score"
    )
    return [_Try(*row) for row in rows]


def _earlier(tries: Iterable[_Try], attempt: Attempt, response_digest: str) -> Submission | None:
    """What says the same and counts already."""
    same = [each for each in tries if each.attempt_id == attempt.pk and each.response_digest == response_digest]
    if not same:
        return None
    found = Submission.objects.select_related("standing_mark").get(pk=same[0].id)
    found.attempt = attempt
    return found


def _withdraw_waiting(attempt: Attempt, *, keep: Submission | None) -> None:
    # A newer text takes the place of one that nobody has marked yet; one that is marked keeps its mark.
    waiting = Submission.objects.filter(attempt=attempt, grading_progress=GradingProgress.PENDING_MANUAL, counted=True)
    waiting.exclude(pk__in=[keep.pk] if keep else []).update(counted=False)


def _store(
    content: ItemContent, attempt: Attempt, response: dict[str, Any], judged: _Judged, came_in_at: datetime
) -> Submission:
    is_job = judged.progress is GradingProgress.PENDING
    guess_keep(attempt=attempt, raw_response=response)
    submission = Submission.objects.create(
        attempt=attempt,
        kind=str(content.kind),
        raw_response=response,
        response_digest=digest(essence(content, response)),
        grading_progress=judged.progress,
        counted=not Attempt.objects.filter(pk=attempt.pk, shown_at__isnull=False).exists(),
        ticket=secrets.token_hex(TICKET_BYTES) if is_job else None,
        created_at=came_in_at,
        settled_at=came_in_at if judged.marking else None,
    )
    if judged.marking is not None:
        mark_record_auto(submission=submission, marking=judged.marking)
    if is_job:
        # Robust: the row is stored by then, so a broker that is away must not turn into an error page.
        transaction.on_commit(partial(job_send, submission=submission), robust=True)
    return submission
