"""What the site worker does for a regrade, slice by slice.

Every line moves by compare-and-set on its own outcome, and a mark only gives way if it is still the one that the line was
tried with; so a step may run twice, or die anywhere, and the next one goes on where it ended.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from exercises import dispatch
from exercises.enums import GradingProgress, ItemKind, MarkedBy, RegradeAction, RegradeOutcome, RegradeState
from exercises.models import Mark, Regrade, RegradeLine, Submission
from exercises.queries.definitions import item_content
from exercises.services.job_send import hidden_seed
from exercises.services.mark_record import mark_stand
from exercises.services.outcome_record import believable_marking
from exercises.services.storable import storable_json, storable_text
from grader.bank import replay
from grader.marking.mark import Mark as Marking
from grader.marking.text import Text
from grader.marking.verdict import Verdict

# A step is short, so that other work of the site worker waits for no long time.
STEP_SECONDS = 1.0
IN_ONE_STEP = 200
# As many programs as wait in the sandbox's queue for one regrade: pausing then takes hold within seconds.
MOST_IN_FLIGHT = 4
MOST_SENDS = 3
LOST_AFTER = timedelta(minutes=5)
# A running regrade that nobody has stepped for so long has lost its message.
FORGOTTEN_AFTER = timedelta(seconds=15)
TICKET_BYTES = 32

log = logging.getLogger(__name__)


def regrade_step(*, regrade_id: int) -> bool:
    """Do a short slice of the work; True if more can be done at once."""
    Regrade.objects.filter(pk=regrade_id).update(stepped_at=timezone.now())
    regrade = Regrade.objects.select_related("course", "item", "item_version").get(pk=regrade_id)
    if regrade.is_paused:
        return False
    if regrade.state == RegradeState.TRYING:
        return _try_some(regrade)
    return regrade.state == RegradeState.APPLYING and _apply_some(regrade)


def regrades_forgotten() -> list[int]:
    """The running regrades that nobody has stepped lately: their message, or their worker, was lost."""
    running = Regrade.objects.filter(state__in=[RegradeState.TRYING, RegradeState.APPLYING], is_paused=False)
    return list(running.filter(stepped_at__lt=timezone.now() - FORGOTTEN_AFTER).values_list("pk", flat=True))


def regrade_record(*, outcome: Mapping[str, Any]) -> int | None:
    """Keep what a program would get; the id of its regrade, or None if no line waits for the outcome's ticket."""
    ticket = storable_text(str(outcome.get("ticket")))
    lines = RegradeLine.objects.select_related("before", "submission__attempt", "regrade__item_version")
    line = lines.filter(ticket=ticket, outcome=RegradeOutcome.SENT).first()
    if line is None:
        log.info("outcome of a regrade ignored, nothing waits for it: ticket=%s", ticket[:8])
        return None
    marking = believable_marking(outcome, item_content(line.regrade.item_version), about=line.submission)
    is_try = outcome.get("counted") is not False
    _settle(line, RegradeOutcome.SENT, marking if is_try else None)
    return line.regrade_id


def _try_some(regrade: Regrade) -> bool:
    _send_lost_again(regrade)
    end = time.monotonic() + STEP_SECONDS
    waiting = _lines(regrade, RegradeOutcome.WAITING)
    is_code = regrade.item.kind == ItemKind.CODE and regrade.action == RegradeAction.REMARK
    room = MOST_IN_FLIGHT - regrade.lines.filter(outcome=RegradeOutcome.SENT).count() if is_code else IN_ONE_STEP
    has_settled = False
    for line in waiting[: max(room, 0)]:
        if time.monotonic() > end:
            return True
        has_settled |= _try(regrade, line, is_code=is_code)
    open_lines = regrade.lines.filter(outcome__in=[RegradeOutcome.WAITING, RegradeOutcome.SENT])
    if not open_lines.exists():
        move(regrade, RegradeState.TRYING, RegradeState.READY)
        return False
    return has_settled


def _try(regrade: Regrade, line: RegradeLine, *, is_code: bool) -> bool:
    """False if it was left to the sandbox, whose outcome brings the next step."""
    if regrade.action == RegradeAction.AWARD and line.before is not None:
        full = Marking(Verdict.CORRECT, line.before.max_score, line.before.max_score)
        _settle(line, RegradeOutcome.WAITING, full)
    elif line.before is None or line.before.by == MarkedBy.INSTRUCTOR:
        regrade.lines.filter(pk=line.pk, outcome=RegradeOutcome.WAITING).update(outcome=RegradeOutcome.BY_HAND)
    elif is_code:
        _send(regrade, line)
        return False
    else:
        _settle(line, RegradeOutcome.WAITING, _marked_again(regrade, line))
    return True


def _marked_again(regrade: Regrade, line: RegradeLine) -> Marking | None:
    """What the version gives for the numbers that the learner saw; None where it asks for something else."""
    submission = line.submission
    variant = submission.attempt.variant
    try:
        return replay(regrade.item_version.definition, variant, submission.raw_response)
    except (KeyError, ValueError, TypeError, IndexError, ArithmeticError) as error:
        log.info("cannot be regraded: submission=%s reason=%r", submission.public_id, error)
        return None


def _send(regrade: Regrade, line: RegradeLine) -> None:
    """Let a program run once more, on the hidden cases that it ran on."""
    now, ticket = timezone.now(), line.ticket or secrets.token_hex(TICKET_BYTES)
    mine = regrade.lines.filter(pk=line.pk, outcome=line.outcome, sends=line.sends)
    if not mine.update(outcome=RegradeOutcome.SENT, ticket=ticket, sends=F("sends") + 1, sent_at=now):
        return
    job = dispatch.GradeCodeJob(
        ticket=ticket,
        definition=regrade.item_version.definition,
        seed=hidden_seed(line.submission),
        code=line.submission.raw_response["code"],
    )
    try:
        dispatch.send_regrade_code(job, sent_at=now)
    except dispatch.BrokerAway as error:
        regrade.lines.filter(pk=line.pk, sent_at=now).update(outcome=RegradeOutcome.WAITING, sends=line.sends)
        log.warning("broker away, regrade waits: regrade=%s reason=%s", regrade.public_id, error)


def _send_lost_again(regrade: Regrade) -> None:
    for line in _lines(regrade, RegradeOutcome.SENT).filter(sent_at__lt=timezone.now() - LOST_AFTER):
        if line.sends < MOST_SENDS:
            _send(regrade, line)
        else:
            _settle(line, RegradeOutcome.SENT, None)


def _settle(line: RegradeLine, was: RegradeOutcome, marking: Marking | None) -> None:
    open_line = RegradeLine.objects.filter(pk=line.pk, outcome=was)
    if marking is None or line.before is None:
        open_line.update(outcome=RegradeOutcome.IMPOSSIBLE)
        return
    outcome = RegradeOutcome.SAME if _says_the_same(line, marking, line.before) else RegradeOutcome.CHANGES
    open_line.update(outcome=outcome, marking=storable_json(marking.to_json()))


def _says_the_same(line: RegradeLine, marking: Marking, before: Mark) -> bool:
    if (marking.score, marking.max_score, marking.verdict) != (before.score, before.max_score, before.verdict):
        return False
    return line.regrade.action == RegradeAction.AWARD or list(marking.misconceptions) == before.misconceptions


def _apply_some(regrade: Regrade) -> bool:
    end = time.monotonic() + STEP_SECONDS
    for line in _lines(regrade, RegradeOutcome.CHANGES)[:IN_ONE_STEP]:
        if time.monotonic() > end:
            return True
        _apply(regrade, line)
    if regrade.lines.filter(outcome=RegradeOutcome.CHANGES).exists():
        return True
    move(regrade, RegradeState.APPLYING, RegradeState.DONE)
    return False


def _apply(regrade: Regrade, line: RegradeLine) -> None:
    marking = Marking.from_json(line.marking)
    with transaction.atomic():
        as_tried = Submission.objects.filter(
            pk=line.submission_id,
            counted=True,
            grading_progress=GradingProgress.FULLY_GRADED,
            standing_mark=line.before_id,
        )
        # Locks the row until the mark stands: an instructor who marks at this moment waits, and then finds it changed.
        is_mine = bool(as_tried.update(grading_progress=GradingProgress.FULLY_GRADED))
        outcome = RegradeOutcome.APPLIED if is_mine else RegradeOutcome.PASSED_OVER
        if regrade.lines.filter(pk=line.pk, outcome=RegradeOutcome.CHANGES).update(outcome=outcome) and is_mine:
            _write(regrade, line, marking)


def _write(regrade: Regrade, line: RegradeLine, marking: Marking) -> None:
    is_award = regrade.action == RegradeAction.AWARD
    named = list(line.before.misconceptions) if is_award and line.before else list(marking.misconceptions)
    mark = Mark.objects.create(
        submission=line.submission,
        by=MarkedBy.INSTRUCTOR if is_award else MarkedBy.REGRADE,
        marker_id=regrade.by_id,
        verdict=marking.verdict,
        score=marking.score,
        max_score=marking.max_score,
        feedback={} if is_award else marking.to_json(),
        misconceptions=named,
        comment=regrade.reason,
        replaced_id=line.before_id,
        batch=regrade.public_id,
    )
    titles = {found.slug: found.title for found in marking.findings if found.is_misconception}
    if is_award:
        # All points for everybody say nothing about what was understood.
        titles = {each.slug: Text.from_json(each.title) for each in line.submission.sightings.all()}
    mark_stand(submission=line.submission, mark=mark, titles=titles)


def _lines(regrade: Regrade, outcome: RegradeOutcome) -> QuerySet[RegradeLine]:
    lines = regrade.lines.filter(outcome=outcome).order_by("pk")
    related = ("submission__attempt__enrollment__course", "submission__attempt__item")
    return lines.select_related("before", "regrade", *related)


def move(regrade: Regrade, was: RegradeState, becomes: RegradeState) -> bool:
    """Go from one state to the next; False if it is in another one by now."""
    return bool(Regrade.objects.filter(pk=regrade.pk, state=was).update(state=becomes, stepped_at=timezone.now()))


def send_step(regrade_id: int) -> None:
    """Ask for the next step; where the broker is away, the sweeper goes on with it."""
    try:
        dispatch.send_regrade_step(regrade_id)
    except dispatch.BrokerAway as error:
        log.warning("broker away, a regrade waits for the sweeper: regrade=%s reason=%s", regrade_id, error)
