"""The page for whoever has no connection. Browsers keep it, so it is rendered for nobody in particular."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe


@require_safe
def offline(_request: HttpRequest) -> HttpResponse:
    """The same for everybody, whoever asks."""
    return HttpResponse(render_to_string("offline.html"))
