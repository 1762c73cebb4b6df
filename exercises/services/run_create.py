"""Run a learner's code without counting it."""

from __future__ import annotations

import secrets

from django.db import transaction

from exercises import dispatch
from exercises.models import Attempt, Run
from exercises.queries.queue_place import RUN_LIFE
from exercises.services.code_text import readable_code
from exercises.services.job_limit import refuse_third
from exercises.services.learner_lock import lock_learner
from exercises.services.storable import storable_text
from grader.marking.response import check_code, refuse

TICKET_BYTES = 32
LONGEST_CALL = 2000


def run_create(*, attempt: Attempt, code: str, call: str = "") -> Run:
    """Hand the code to a sandbox worker, with a call of the learner's own or else on the visible cases.

    Raises ResponseError for code that is refused unread; TooManyPending for a third program; BrokerAway where nobody can
    run it now. Nothing is kept then: unlike a submission, a run that comes late is of no use.
    """
    code, call = storable_text(readable_code(code)), storable_text(readable_code(call)).strip()
    check_code({"code": code})
    if len(call) > LONGEST_CALL:
        raise refuse("call_too_long", at="call", limit=str(LONGEST_CALL))
    with transaction.atomic():
        lock_learner(user_id=attempt.enrollment.user_id)
        refuse_third(user_id=attempt.enrollment.user_id)
        run = Run.objects.create(attempt=attempt, code=code, call=call, ticket=secrets.token_hex(TICKET_BYTES))
    try:
        _send(run)
    except dispatch.BrokerAway:
        run.delete()
        raise
    return run


def _send(run: Run) -> None:
    job = dispatch.RunCodeJob(
        ticket=run.ticket, definition=run.attempt.item_version.definition, code=run.code, call=run.call
    )
    dispatch.send_run_code(job, sent_at=run.created_at, expires_at=run.created_at + RUN_LIFE)
