"""Store what came of a run that is no try."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from exercises.models import Run
from exercises.services.believable import is_believable
from exercises.services.outcome_record import LONGEST_FAILURE, MALFORMED
from exercises.services.storable import storable_json, storable_text
from exercises.services.wake_wait import wake_up
from grader.marking.response import ResponseError
from grader.marking.run_report import RunReport

log = logging.getLogger(__name__)


def run_record(*, outcome: Mapping[str, Any]) -> bool:
    """Settle the run that holds the outcome's ticket; False if there is none, or not any more.

    As with a submission, the outcome is read with suspicion, and what makes no sense is our failure.
    """
    ticket = storable_text(str(outcome.get("ticket")))
    report = _believable(outcome)
    failure = outcome.get("failure") if isinstance(outcome.get("failure"), str) else MALFORMED
    settled = {
        "report": report,
        "failure": "" if report is not None else storable_text(str(failure))[:LONGEST_FAILURE],
        "settled_at": timezone.now(),
    }
    if not Run.objects.filter(ticket=ticket, settled_at=None).update(**settled):
        log.info("report ignored, no run waits for it: ticket=%s", ticket[:8])
        return False
    if report is None:
        log.error("run failed by our fault: ticket=%s failure=%s", ticket[:8], settled["failure"])
    wake_up(ticket=ticket)
    return True


def _believable(outcome: Mapping[str, Any]) -> dict[str, Any] | None:
    if outcome.get("report") is None:
        return None
    try:
        report = RunReport.from_json(storable_json(outcome["report"]))
        return report.to_json() if is_believable(report) else None
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError, ResponseError):
        log.exception("report makes no sense")
        return None
