"""Views that help with an attempt: its hints, one at a time, and its solution."""

from __future__ import annotations

from typing import ClassVar
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from exercises.api import words
from exercises.api.base import ApiView, token_of
from exercises.api.body import object_of
from exercises.api.document import FAULTS
from exercises.api.problems import refuse
from exercises.api.reach import attempt_for_token
from exercises.api.serializers.help import HelpSerializer
from exercises.enums import ApiScope
from exercises.models import Attempt
from exercises.queries.help import ENOUGH_TRIES
from exercises.queries.lesson_page import item_on_page
from exercises.services.hint_take import HintTooSoon, NoHintLeft, hint_take
from exercises.services.solution_show import SolutionNotYet, solution_show


class Help(ApiView):
    """The help that an attempt has had."""

    scopes: ClassVar = {"GET": ApiScope.READ_SUBMISSIONS}

    @extend_schema(operation_id="help", responses={200: HelpSerializer, **FAULTS})
    def get(self, request: Request, course_slug: str, item_slug: str, attempt_id: UUID) -> Response:
        """Show the hints that were taken, and the solution once the item is solved or it was asked for."""
        return _answer(attempt_for_token(token_of(request), course_slug, item_slug, attempt_id))


class Hints(ApiView):
    """The next hint."""

    scopes: ClassVar = {"POST": ApiScope.SUBMIT}

    @extend_schema(operation_id="take_hint", request=None, responses={201: HelpSerializer, **FAULTS})
    def post(self, request: Request, course_slug: str, item_slug: str, attempt_id: UUID) -> Response:
        """Take the next hint, ten seconds after the last one or as soon as another answer was sent. It costs nothing."""
        attempt = attempt_for_token(token_of(request), course_slug, item_slug, attempt_id)
        object_of(request)
        try:
            hint_take(attempt=attempt)
        except NoHintLeft:
            raise refuse(409, "no_hint_left", words.NO_HINT_LEFT) from None
        except HintTooSoon as early:
            seconds = str(early.seconds)
            raise refuse(429, "hint_too_soon", words.HINT_TOO_SOON.fill(seconds=seconds), Retry_After=seconds) from None
        return _answer(attempt, status=201)


class Solution(ApiView):
    """The worked solution."""

    scopes: ClassVar = {"POST": ApiScope.SUBMIT}

    @extend_schema(operation_id="show_solution", request=None, responses={200: HelpSerializer, **FAULTS})
    def post(self, request: Request, course_slug: str, item_slug: str, attempt_id: UUID) -> Response:
        """Ask for the solution after two differing answers. What is sent to this attempt afterwards does not count."""
        attempt = attempt_for_token(token_of(request), course_slug, item_slug, attempt_id)
        object_of(request)
        try:
            solution_show(attempt=attempt)
        except SolutionNotYet:
            detail = words.SOLUTION_NOT_YET.fill(tries=str(ENOUGH_TRIES))
            raise refuse(409, "solution_not_yet", detail) from None
        return _answer(attempt)


def _answer(attempt: Attempt, status: int = 200) -> Response:
    return Response(HelpSerializer(item_on_page(attempt)).data, status=status)
