"""A site that is being worked on says so, and asks neither database nor broker for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

RETRY_AFTER_SECONDS: Final = 300
FILE_NAME: Final = "maintenance"
ALWAYS_OPEN: Final = "/health/"
API: Final = "/api/"


class MaintenanceMiddleware:
    """While the data directory holds a file `maintenance`, every page answers 503; no restart is needed either way."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Let the request through, unless the site is closed."""
        if request.path.startswith(ALWAYS_OPEN) or not (settings.DATA_DIR / FILE_NAME).exists():
            return self.get_response(request)
        response = _closed(request)
        response["Retry-After"] = str(RETRY_AFTER_SECONDS)
        response["Cache-Control"] = "no-store"
        return response


def _closed(request: HttpRequest) -> HttpResponse:
    if not request.path.startswith(API):
        return render(request, "503.html", status=503)
    problem = {"type": "about:blank", "title": "Closed for maintenance", "status": 503}
    return JsonResponse(problem, status=503, content_type="application/problem+json")
