"""Each request begins with the site's clock; the door of a course puts the course's in its place."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone


class CourseClockMiddleware:
    """A thread serves one request after the other: what one has set must not be there for the next."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, and forget whose time it was."""
        with timezone.override(None):
            return self.get_response(request)
