"""Views that answer items: draw numbers, send a response, wait for its mark."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar
from uuid import UUID

from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from exercises.api import paging, words
from exercises.api.base import ApiView, token_of
from exercises.api.body import flag_of, object_of, seed_of
from exercises.api.document import CURSOR, FAULTS, KEY, LIMIT, RESPONSE_BODY, WAIT, AttemptBody, page_of
from exercises.api.headers import seconds_to_wait
from exercises.api.once import Made, make_once
from exercises.api.problems import Refusal, refuse
from exercises.api.reach import attempt_for_token, item_for_token, submission_for_token
from exercises.api.represent import show_attempt, show_submission
from exercises.api.responses import not_understood, read_response
from exercises.api.serializers.items import AttemptSerializer
from exercises.api.serializers.submissions import SubmissionSerializer
from exercises.enums import ApiScope, GradingProgress, ItemKind
from exercises.models import Attempt as AttemptRow
from exercises.models import Submission as SubmissionRow
from exercises.queries.definitions import attempt_content
from exercises.queries.preferences import preferences
from exercises.queries.submission_list import submission_page
from exercises.queries.terms import is_withheld_from, terms_at
from exercises.services.attempt_start import attempt_start
from exercises.services.job_limit import MOST_PENDING, TooManyPending, seconds_until_free
from exercises.services.submission_create import NoTriesLeft, submission_create
from exercises.services.submission_wait import submission_wait
from exercises.services.terms_check import terms_of
from grader.marking.response import ResponseError

LOOK_AGAIN_SECONDS = "1"


class Attempts(ApiView):
    """Attempts at an item."""

    scopes: ClassVar = {"POST": ApiScope.SUBMIT}

    @extend_schema(
        operation_id="start_attempt",
        parameters=[KEY],
        request=AttemptBody,
        responses={200: AttemptSerializer, 201: AttemptSerializer, **FAULTS},
    )
    def post(self, request: Request, course_slug: str, item_slug: str) -> Response:
        """Continue the current attempt at the item, or draw other numbers with `{"fresh": true}`, or take those of a `seed`."""
        found = item_for_token(token_of(request), course_slug, item_slug)
        body = object_of(request, known=["fresh", "seed"])
        is_fresh, seed = flag_of(body, "fresh"), seed_of(body)
        layout = preferences(token_of(request).user, {}).layout

        def start() -> Made:
            attempt = attempt_start(
                enrollment=found.enrollment, item=found.item, fresh=is_fresh, seed=seed, convention=layout
            )
            return Made(attempt.public_id, is_new=is_fresh and seed is None)

        made = make_once(request, start)
        attempt = attempt_for_token(token_of(request), course_slug, item_slug, made.id)
        place = reverse("api:attempt", args=[course_slug, item_slug, made.id])
        status = 201 if made.is_new else 200
        return Response(AttemptSerializer(show_attempt(attempt)).data, status=status, headers={"Location": place})


class Attempt(ApiView):
    """One attempt."""

    scopes: ClassVar = {"GET": ApiScope.READ_SUBMISSIONS}

    @extend_schema(operation_id="attempt", responses={200: AttemptSerializer, **FAULTS})
    def get(self, request: Request, course_slug: str, item_slug: str, attempt_id: UUID) -> Response:
        """Show an attempt of one's own."""
        attempt = attempt_for_token(token_of(request), course_slug, item_slug, attempt_id)
        return Response(AttemptSerializer(show_attempt(attempt)).data)


class Submit(ApiView):
    """Responses to an attempt."""

    scopes: ClassVar = {"POST": ApiScope.SUBMIT}

    @extend_schema(
        operation_id="submit",
        parameters=[KEY, WAIT],
        request=RESPONSE_BODY,
        responses={200: SubmissionSerializer, 201: SubmissionSerializer, 202: SubmissionSerializer, **FAULTS},
    )
    def post(self, request: Request, course_slug: str, item_slug: str, attempt_id: UUID) -> Response:
        """Send numbers, a choice, shapes, pairs, an order, code or a text.

        201: marked, or stored for the instructor. 202: code that is still being graded; ask again at `Location`. 200:
        sent before, and not counted again.
        """
        attempt = attempt_for_token(token_of(request), course_slug, item_slug, attempt_id)
        response = read_response(request, ItemKind(attempt.item.kind))
        made = make_once(request, partial(_submit, attempt, response))
        submission = _wait(request, submission_for_token(token_of(request), made.id))
        return _answer(request, submission, status=_status(submission, made), is_repeat=not made.is_new)


class Submissions(ApiView):
    """What the caller has sent for an item."""

    scopes: ClassVar = {"GET": ApiScope.READ_SUBMISSIONS}
    query_parameters = paging.PARAMETERS

    @extend_schema(
        operation_id="submissions",
        parameters=[CURSOR, LIMIT],
        responses={200: page_of("SubmissionPage", SubmissionSerializer), **FAULTS},
    )
    def get(self, request: Request, course_slug: str, item_slug: str) -> Response:
        """List one's own submissions to the item, the newest first."""
        found = item_for_token(token_of(request), course_slug, item_slug)
        window = paging.read_window(request)
        page = submission_page(found.enrollment, found.item, after=window.after, limit=window.limit)
        is_withheld = not terms_at(found.enrollment, [found.item])[found.item.pk].shows_feedback(timezone.now())
        shown = [show_submission(each, is_withheld=is_withheld) for each in page.submissions]
        rows = SubmissionSerializer(shown, many=True).data
        return paging.answer_page(request, rows, page.next_after)


class Submission(ApiView):
    """One submission."""

    scopes: ClassVar = {"GET": ApiScope.READ_SUBMISSIONS}

    @extend_schema(operation_id="submission", parameters=[WAIT], responses={200: SubmissionSerializer, **FAULTS})
    def get(self, request: Request, submission_id: UUID) -> Response:
        """Show a submission of one's own, or one of a course that one teaches, with its mark if there is one."""
        submission = _wait(request, submission_for_token(token_of(request), submission_id))
        return _answer(request, submission, status=200)


def _submit(attempt: AttemptRow, response: dict[str, Any]) -> Made:
    try:
        submitted = submission_create(attempt=attempt, raw_response=response)
    except ResponseError as error:
        raise not_understood(error, ItemKind(attempt.item.kind), response) from None
    except NoTriesLeft:
        allowed = terms_of(attempt).policy(attempt_content(attempt).policy).tries
        raise refuse(409, "no_tries_left", words.NO_TRIES_LEFT.fill(allowed=str(allowed))) from None
    except TooManyPending:
        raise crowded() from None
    return Made(submitted.submission.public_id, is_new=not submitted.is_repeat)


def crowded() -> Refusal:
    """The refusal of a third program, with the time after which to try again."""
    detail = words.MANY_PENDING.fill(most=str(MOST_PENDING))
    return refuse(429, "too_many_pending", detail, Retry_After=str(seconds_until_free()))


def _wait(request: Request, submission: SubmissionRow) -> SubmissionRow:
    seconds = seconds_to_wait(request)
    return submission_wait(submission=submission, seconds=seconds) if seconds else submission


def _status(submission: SubmissionRow, made: Made) -> int:
    if not made.is_new:
        return 200
    return 202 if submission.grading_progress == GradingProgress.PENDING else 201


def _answer(request: Request, submission: SubmissionRow, *, status: int, is_repeat: bool = False) -> Response:
    is_withheld = is_withheld_from(token_of(request).user, submission.attempt)
    shown = SubmissionSerializer(show_submission(submission, is_withheld=is_withheld, is_repeat=is_repeat))
    headers = {"Location": reverse("api:submission", args=[submission.public_id])}
    if submission.grading_progress == GradingProgress.PENDING:
        headers["Retry-After"] = LOOK_AGAIN_SECONDS
    if seconds := seconds_to_wait(request):
        headers["Preference-Applied"] = f"wait={seconds:g}"
    return Response(shown.data, status=status, headers=headers)
