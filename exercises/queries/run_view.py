"""One uncounted run as its author may see it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from django.utils import timezone

from exercises import dispatch
from exercises.models import Run
from exercises.queries.queue_place import RUN_LIFE, programs_before
from grader.marking.run_report import RunReport

# One that was begun at the last moment may still be on its way back.
TIME_TO_RETURN = timedelta(seconds=30)


class RunStage(StrEnum):
    """Where a run is on its way."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class RunView:
    """A run, and its report once it is done; `before` counts the programs that are before one that is queued."""

    id: UUID
    stage: RunStage
    code: str
    call: str
    report: RunReport | None
    failure: str
    created_at: datetime
    settled_at: datetime | None
    before: int = 0

    @property
    def is_waiting(self) -> bool:
        """Whether something is still to come."""
        return self.stage in {RunStage.QUEUED, RunStage.RUNNING}


def run_view(run: Run) -> RunView:
    """Asks the broker whether a worker holds a run that waits."""
    stage = _stage(run)
    return RunView(
        id=run.public_id,
        stage=stage,
        code=run.code,
        call=run.call,
        report=RunReport.from_json(run.report) if run.report else None,
        failure=run.failure,
        created_at=run.created_at,
        settled_at=run.settled_at,
        before=programs_before(run.created_at) if stage is RunStage.QUEUED else 0,
    )


def _stage(run: Run) -> RunStage:
    if run.settled_at is not None:
        return RunStage.DONE if run.report else RunStage.FAILED
    if run.created_at < timezone.now() - RUN_LIFE - TIME_TO_RETURN:
        return RunStage.LOST
    try:
        return RunStage.RUNNING if dispatch.is_held(run.ticket) else RunStage.QUEUED
    except dispatch.BrokerAway:
        return RunStage.QUEUED
