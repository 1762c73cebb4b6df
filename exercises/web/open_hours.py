"""Requests that come too early or too late: what they ask for is there, and not now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from exercises.access import CourseIsOver, for_writing
from exercises.services.terms_check import NotOpenAnyMore, NotOpenYet

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True, slots=True)
class NotNow:
    """What there is to say: when it opens, since when it is closed, or neither of a course that is over."""

    status: int
    opens_at: datetime | None = None
    closed_at: datetime | None = None


def not_now(request: HttpRequest, exception: Exception) -> HttpResponse | None:
    """The page that says so, or None of any other trouble; a part of a page where only that was asked for."""
    match exception:
        case NotOpenYet():
            said = NotNow(409, opens_at=exception.opens_at)
        case NotOpenAnyMore():
            said = NotNow(409, closed_at=exception.closed_at)
        case CourseIsOver():
            said = NotNow(403)
        case _:
            return None
    part = "partials/not_now" if request.headers.get("HX-Request") else "not_now"
    return render(request, f"exercises/{part}.html", {"not_now": said}, status=said.status)


class OpenHoursMiddleware:
    """Let nothing change a course that is over, and say when something opens, or that it has closed."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Serve a request; one that is no mere look reaches no course that is over."""
        if request.method in SAFE:
            return self.get_response(request)
        with for_writing():
            return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The page that says so."""
        return not_now(request, exception)
