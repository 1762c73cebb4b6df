"""Who has just signed in and still owes something is taken there first. The session knows, so others pay nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import Resolver404, resolve

from exercises.queries.duties import CONSENT, SECOND_FACTOR, duties_of

# The page on which each is settled.
_PLACES: Final[Mapping[str, str]] = {CONSENT: "consent", SECOND_FACTOR: "mfa_activate_totp"}
# What stays open meanwhile: leaving, choosing a language, the notice, one's own data, and the way to a second factor.
_OPEN: Final = frozenset(
    {"consent", "privacy", "settings", "export", "delete_account", "account_logout", "account_reauthenticate"}
)
_OPEN_PREFIXES: Final = ("mfa_", "health_")


class DutiesMiddleware:
    """Stands below those that know who is signed in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Redirect to what is owed, or let the request pass."""
        if not request.session.get("duties") or not request.user.is_authenticated or _is_open(request.path_info):
            return self._served(request)
        owed = duties_of(request.user, is_second_factor_required=settings.STAFF_NEED_SECOND_FACTOR)
        request.session["duties"] = owed
        if not owed:
            return self._served(request)
        if request.method == "GET":
            request.session["after_duties"] = request.get_full_path()
        return redirect(_PLACES[owed[0]])

    def _served(self, request: HttpRequest) -> HttpResponse:
        """The answer. Whoever has just given a second factor up may owe one again."""
        response = self.get_response(request)
        if settings.STAFF_NEED_SECOND_FACTOR and request.method == "POST" and request.user.is_authenticated:
            match = request.resolver_match
            if match and not match.namespaces and (match.url_name or "").startswith("mfa_"):
                request.session["duties"] = duties_of(request.user, is_second_factor_required=True)
        return response


def _is_open(path: str) -> bool:
    try:
        name = _name(path)
    except Resolver404:
        return True
    return name in _OPEN or name.startswith(_OPEN_PREFIXES)


def _name(path: str) -> str:
    """The name of an address; empty for one of the admin or the API, where a name may sound like one of ours."""
    found = resolve(path)
    return "" if found.namespaces else found.url_name or ""
