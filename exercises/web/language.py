"""The language of an account, for addresses that name none: it goes before the cookie and what the browser says."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.translation import activate, get_language_from_path

from exercises.web.preferences import preferences_of


class AccountLanguageMiddleware:
    """Stands below those that know the session; Django's own then sends the reader on to the language that is active."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Activate the reader's language."""
        if not get_language_from_path(request.path_info):
            chosen = preferences_of(request).language
            if chosen:
                activate(chosen)
                request.LANGUAGE_CODE = chosen
        return self.get_response(request)
