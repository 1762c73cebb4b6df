"""Views that run a program without counting it."""

from __future__ import annotations

from typing import Any, ClassVar
from uuid import UUID

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from exercises import access, dispatch
from exercises.api import words
from exercises.api.answering import LOOK_AGAIN_SECONDS, crowded
from exercises.api.base import ApiView, token_of
from exercises.api.body import object_of
from exercises.api.document import FAULTS, KEY, WAIT, RunBody
from exercises.api.headers import seconds_to_wait
from exercises.api.once import Made, make_once
from exercises.api.problems import Fault, Refusal, pointer, refuse
from exercises.api.reach import item_for_token, run_for_token
from exercises.api.serializers.runs import RunSerializer
from exercises.enums import ApiScope, ItemKind
from exercises.models import Run as RunRow
from exercises.queries.run_view import run_view
from exercises.services.attempt_start import attempt_start
from exercises.services.job_limit import TooManyPending
from exercises.services.run_create import run_create
from exercises.services.run_wait import run_wait
from grader.marking.response import ResponseError

AWAY_SECONDS = "10"


class Runs(ApiView):
    """Runs of a program that are no tries."""

    scopes: ClassVar = {"POST": ApiScope.SUBMIT}

    @extend_schema(
        operation_id="run",
        parameters=[KEY, WAIT],
        request=RunBody,
        responses={200: RunSerializer, 201: RunSerializer, 202: RunSerializer, **FAULTS},
    )
    def post(self, request: Request, course_slug: str, item_slug: str) -> Response:
        """Run code on a call of one's own, or without one on the visible cases. Nothing is counted.

        201: done. 202: it still waits or runs; ask again at `Location`. 200: made before with the same key.
        """
        found = item_for_token(token_of(request), course_slug, item_slug)
        if found.item.kind != ItemKind.CODE:
            raise Http404(access.NOT_FOUND)
        body = object_of(request, required="code", known=["call"])
        made = make_once(request, lambda: _run(found, body))
        run = _wait(request, run_for_token(token_of(request), made.id))
        status = 202 if run.settled_at is None else 201
        return _answer(request, run, status=status if made.is_new else 200)


class Run(ApiView):
    """One such run."""

    scopes: ClassVar = {"GET": ApiScope.READ_SUBMISSIONS}

    @extend_schema(operation_id="run_report", parameters=[WAIT], responses={200: RunSerializer, **FAULTS})
    def get(self, request: Request, run_id: UUID) -> Response:
        """Show a run of one's own and its report, for half an hour."""
        return _answer(request, _wait(request, run_for_token(token_of(request), run_id)), status=200)


def _run(found: access.ItemAccess, body: dict[str, Any]) -> Made:
    for key in ("code", "call"):
        if not isinstance(body.get(key, ""), str):
            raise refuse(400, "text_expected", words.TEXT_WANTED, pointer=pointer(key))
    attempt = attempt_start(enrollment=found.enrollment, item=found.item)
    try:
        run = run_create(attempt=attempt, code=body["code"], call=body.get("call", ""))
    except ResponseError as error:
        raise Refusal(
            400, [Fault("not_understood", problem.text, pointer(problem.field or "code")) for problem in error.problems]
        ) from None
    except TooManyPending:
        raise crowded() from None
    except dispatch.BrokerAway:
        raise refuse(503, "cannot_run_now", words.CANNOT_RUN_NOW, Retry_After=AWAY_SECONDS) from None
    return Made(run.public_id, is_new=True)


def _wait(request: Request, run: RunRow) -> RunRow:
    seconds = seconds_to_wait(request)
    return run_wait(run=run, seconds=seconds) if seconds else run


def _answer(request: Request, run: RunRow, *, status: int) -> Response:
    headers = {"Location": reverse("api:run", args=[run.public_id])}
    view = run_view(run)
    if view.is_waiting:
        headers["Retry-After"] = LOOK_AGAIN_SECONDS
    if seconds := seconds_to_wait(request):
        headers["Preference-Applied"] = f"wait={seconds:g}"
    return Response(RunSerializer(view).data, status=status, headers=headers)
