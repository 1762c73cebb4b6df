"""One shape for every error: application/problem+json (RFC 9457) with `errors: [{pointer, code, detail}]`."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.signals import got_request_exception
from django.http import Http404
from django.utils.translation import get_language
from rest_framework import exceptions
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response
from rest_framework.views import set_rollback

from exercises.access import CourseIsOver
from exercises.api import words
from exercises.services.terms_check import NotOpenAnyMore, NotOpenYet
from grader.marking.text import Text

log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
# Enough to mend a form by; a body of thousands of bad cells does not come back thousandfold.
MOST_FAULTS = 100


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong; `pointer` is the place in the request's body (RFC 6901), "" for the whole request."""

    code: str
    detail: Text
    pointer: str = ""


class Refusal(exceptions.APIException):
    """A request that is refused, for reasons that its sender can mend."""

    def __init__(self, status: int, faults: Sequence[Fault], headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail=faults[0].detail.en, code=faults[0].code)
        self.status_code = status
        self.faults = tuple(faults)
        self.headers = dict(headers or {})


class ProblemRenderer(JSONRenderer):
    """Plain JSON under the media type of problems."""

    media_type = MEDIA_TYPE


def refuse(status: int, code: str, detail: Text, *, pointer: str = "", **headers: str) -> Refusal:
    """A refusal for a single reason."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Refusal(status, [Fault(code, detail, pointer)], named)


def pointer(*steps: str | int) -> str:
    """A JSON pointer to a place in the body."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def answer_problem(error: Exception, context: Mapping[str, Any]) -> Response:
    """The answer to an exception. What nobody foresaw is logged with its traceback and told as our fault."""
    set_rollback()
    request = context["request"]
    refusal = _as_refusal(error)
    if refusal is None:
        log.error("API failed: path=%s", request.path, exc_info=error)
        got_request_exception.send(sender=None, request=request)
        refusal = refuse(500, "server_error", words.FAULT_IS_OURS)
    response = Response(
        problem(refusal, request.path), status=refusal.status_code, headers=refusal.headers, content_type=MEDIA_TYPE
    )
    # The error may come from before content negotiation.
    request.accepted_renderer = ProblemRenderer()
    request.accepted_media_type = MEDIA_TYPE
    return response


def problem(refusal: Refusal, path: str) -> dict[str, Any]:
    """The body, in the language of the request."""
    language = get_language() or "zh-hans"
    faults = refusal.faults[:MOST_FAULTS]
    return {
        "type": "about:blank",
        "title": words.TITLES[refusal.status_code].in_language(language),
        "status": refusal.status_code,
        "detail": faults[0].detail.in_language(language),
        "instance": path,
        "errors": [
            {"pointer": fault.pointer, "code": fault.code, "detail": fault.detail.in_language(language)}
            for fault in faults
        ],
    }


def _as_refusal(error: Exception) -> Refusal | None:
    if isinstance(error, Refusal):
        return error
    if isinstance(error, Http404):
        return refuse(404, "not_found", words.NOTHING_HERE)
    if isinstance(error, exceptions.Throttled):
        seconds = str(max(1, int(getattr(error, "wait", None) or 1)))
        return refuse(429, "throttled", words.SLOW_DOWN.fill(seconds=seconds), Retry_After=seconds)
    return _of_dates(error) or _of_the_framework(error)


def _of_dates(error: Exception) -> Refusal | None:
    if isinstance(error, CourseIsOver):
        return refuse(403, "course_over", words.COURSE_OVER)
    if isinstance(error, NotOpenYet):
        return refuse(409, "not_open_yet", words.NOT_OPEN_YET.fill(at=error.opens_at.isoformat()))
    if isinstance(error, NotOpenAnyMore):
        return refuse(409, "not_open_any_more", words.NOT_OPEN_ANY_MORE.fill(at=error.closed_at.isoformat()))
    return None


def _of_the_framework(error: Exception) -> Refusal | None:
    if isinstance(error, exceptions.MethodNotAllowed):
        method = str(error.args[0]) if error.args else "OPTIONS"
        return refuse(405, "method_not_allowed", words.METHOD_REFUSED.fill(method=method))
    if isinstance(error, exceptions.NotAcceptable):
        return refuse(406, "not_acceptable", words.JSON_ONLY)
    if isinstance(error, exceptions.UnsupportedMediaType):
        return refuse(415, "unsupported_media_type", words.SEND_JSON)
    return None
