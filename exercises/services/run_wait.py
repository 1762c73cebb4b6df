"""Let a request wait a moment for the report of a run."""

from __future__ import annotations

from exercises.models import Run
from exercises.services.wake_wait import wake_wait


def run_wait(*, run: Run, seconds: float | None = None) -> Run:
    """The run as it stands when it is settled or the time is over, whichever comes first."""
    if run.settled_at is None:
        wake_wait(ticket=run.ticket, seconds=seconds)
        run.refresh_from_db(fields=["report", "failure", "settled_at"])
    return run
