"""One log line for each answered request."""

from __future__ import annotations

import time
from collections.abc import Callable

import structlog
from django.http import HttpRequest, HttpResponse

log = structlog.get_logger("request")

QUIET_PREFIXES = ("/static/", "/health/")


class RequestLogMiddleware:
    """Logs method, route, status, duration and the user's number.

    The route is logged rather than the path: a path can hold a password-reset key.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request, then log it."""
        started = time.monotonic()
        response = self.get_response(request)
        if not request.path.startswith(QUIET_PREFIXES):
            log.info(
                "request",
                method=request.method,
                route=request.resolver_match.route if request.resolver_match else "",
                status=response.status_code,
                ms=round((time.monotonic() - started) * 1000),
                user=getattr(getattr(request, "user", None), "pk", None),
            )
        return response
