"""How the reader likes the pages: the theme, kept in a cookie so that the server can render it without a flash."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from exercises.enums import THEME_COOKIE, Theme

_ONE_YEAR_SECONDS: Final = 365 * 24 * 3600


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Keep the choice and go back to the page that it was made on."""
    target = request.POST.get("next", "/")
    response = redirect(target if url_has_allowed_host_and_scheme(target, allowed_hosts=None) else "/")
    chosen = request.POST.get("theme", Theme.SYSTEM)
    if chosen in {Theme.LIGHT, Theme.DARK}:
        response.set_cookie(
            THEME_COOKIE,
            chosen,
            max_age=_ONE_YEAR_SECONDS,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    else:
        response.delete_cookie(THEME_COOKIE)
    return response
