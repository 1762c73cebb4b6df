"""For whoever has no connection: a page that browsers keep, rendered for nobody in particular, and what keeps it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

WORKER: Final = Path(__file__).parents[1] / "static" / "exercises" / "offline.js"


@require_safe
def offline(_request: HttpRequest) -> HttpResponse:
    """The same for everybody, whoever asks."""
    return HttpResponse(render_to_string("offline.html"))


@require_safe
def worker(_request: HttpRequest) -> HttpResponse:
    """The script that keeps it. A browser lets it stand in for pages below its own address only, hence not a static file."""
    answer = HttpResponse(WORKER.read_bytes(), content_type="text/javascript; charset=utf-8")
    answer["Cache-Control"] = "no-cache"
    return answer
