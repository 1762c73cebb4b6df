"""The site worker's tasks: each takes primitives and calls one service, and each is safe to run twice."""

from __future__ import annotations

from typing import Any, Final

from celery import shared_task
from django.db import InterfaceError, OperationalError

from exercises import dispatch
from exercises.services.digest_send import digests_send
from exercises.services.drafts_forget import drafts_forget
from exercises.services.guest_start import guests_forget
from exercises.services.outcome_record import outcome_record
from exercises.services.predictions_keep import PREDICTED, predictions_bring_up_to_date, predictions_warm
from exercises.services.regrade_step import regrade_record, regrade_step, regrades_forgotten, send_step
from exercises.services.released_tell import released_tell
from exercises.services.run_record import run_record
from exercises.services.snapshot_refresh import LONGEST, snapshot_bring_up_to_date
from exercises.services.snapshot_warm import snapshot_warm
from exercises.services.sweep_stuck import sweep_stuck as sweep_stuck_service

# A database that restarts is back within seconds; the sweeper helps where it is not.
AWAY = (OperationalError, InterfaceError)
# Figures of ten thousand students take longer than anything else.
AT_MOST: Final = int(LONGEST.total_seconds())


@shared_task(name=dispatch.RECORD_OUTCOME, autoretry_for=AWAY, retry_backoff=1, retry_backoff_max=5, max_retries=5)
def record_outcome(outcome: dict[str, Any]) -> None:
    """Store what a sandbox worker found out about one submission."""
    outcome_record(outcome=outcome)


@shared_task(name=dispatch.RECORD_RUN, autoretry_for=AWAY, retry_backoff=1, retry_backoff_max=5, max_retries=5)
def record_run(outcome: dict[str, Any]) -> None:
    """Store what came of one uncounted run."""
    run_record(outcome=outcome)


@shared_task(name=dispatch.RECORD_REGRADE, autoretry_for=AWAY, retry_backoff=1, retry_backoff_max=5, max_retries=5)
def record_regrade(outcome: dict[str, Any]) -> None:
    """Keep what a program would get from a regrade, and go on with it."""
    regrade_id = regrade_record(outcome=outcome)
    if regrade_id is not None:
        step_regrade(regrade_id)


@shared_task(name=dispatch.STEP_REGRADE)
def step_regrade(regrade_id: int) -> None:
    """A short slice of a regrade, and a message for the next one while there is one."""
    if regrade_step(regrade_id=regrade_id):
        send_step(regrade_id)


@shared_task(name=dispatch.FORGET_DRAFTS)
def forget_drafts() -> None:
    """Delete drafts that nobody has touched for long."""
    drafts_forget()


@shared_task(name=dispatch.SEND_DIGESTS)
def send_digests() -> None:
    """Send news by e-mail to whom it is due."""
    digests_send()


@shared_task(name=dispatch.TELL_RELEASED)
def tell_released() -> None:
    """Tell learners of marks that a date has released."""
    released_tell()


@shared_task(name=dispatch.SWEEP_STUCK)
def sweep_stuck() -> None:
    """Send lost jobs again, go on with forgotten regrades, and forget old runs."""
    sweep_stuck_service()
    for regrade_id in regrades_forgotten():
        step_regrade(regrade_id)


@shared_task(name=dispatch.FORGET_GUESTS)
def forget_guests() -> None:
    """Delete guests who have long been away."""
    guests_forget()


@shared_task(name=dispatch.WARM_FIGURES, soft_time_limit=AT_MOST - 10, time_limit=AT_MOST)
def warm_figures() -> None:
    """Work out one set of figures that has grown old, or that nobody has asked for yet."""
    if snapshot_warm() is None:
        predictions_warm()


@shared_task(name=dispatch.REFRESH_FIGURES, soft_time_limit=AT_MOST - 10, time_limit=AT_MOST)
def refresh_figures(course_id: int, name: str) -> None:
    """Work figures of a course out anew; if it is lost, the next look at them asks again."""
    if name == PREDICTED:
        predictions_bring_up_to_date(course_id=course_id)
    else:
        snapshot_bring_up_to_date(course_id=course_id, name=name)
