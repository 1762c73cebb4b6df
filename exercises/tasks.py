"""The site worker's tasks: each takes primitives and calls one service, and each is safe to run twice."""

from __future__ import annotations

from typing import Any

from celery import shared_task
from django.db import InterfaceError, OperationalError

from exercises import dispatch
from exercises.services.guest_start import guests_forget
from exercises.services.outcome_record import outcome_record
from exercises.services.run_record import run_record
from exercises.services.sweep_stuck import sweep_stuck as sweep_stuck_service

# A database that restarts is back within seconds; the sweeper helps where it is not.
AWAY = (OperationalError, InterfaceError)


@shared_task(name=dispatch.RECORD_OUTCOME, autoretry_for=AWAY, retry_backoff=1, retry_backoff_max=5, max_retries=5)
def record_outcome(outcome: dict[str, Any]) -> None:
    """Store what a sandbox worker found out about one submission."""
    outcome_record(outcome=outcome)


@shared_task(name=dispatch.RECORD_RUN, autoretry_for=AWAY, retry_backoff=1, retry_backoff_max=5, max_retries=5)
def record_run(outcome: dict[str, Any]) -> None:
    """Store what came of one uncounted run."""
    run_record(outcome=outcome)


@shared_task(name=dispatch.SWEEP_STUCK)
def sweep_stuck() -> None:
    """Send lost jobs again, and forget old runs."""
    sweep_stuck_service()


@shared_task(name=dispatch.FORGET_GUESTS)
def forget_guests() -> None:
    """Delete guests who have long been away."""
    guests_forget()
