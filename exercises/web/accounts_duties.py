"""Who is signed in and owes something is taken there first.

Consent is noted in the session at sign-in, so others pay nothing for it. A second factor may come to be owed at any moment
(somebody is made staff, or gives theirs up elsewhere): where the site wants one, each request asks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import Resolver404, resolve

from exercises.queries.duties import CONSENT, SECOND_FACTOR, duties_of, owes_second_factor

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
        owed = [] if _is_open(request.path_info) else _owed(request)
        if not owed:
            return self.get_response(request)
        if request.method == "GET":
            request.session["after_duties"] = request.get_full_path()
        return redirect(_PLACES[owed[0]])


def _owed(request: HttpRequest) -> list[str]:
    required: bool = settings.STAFF_NEED_SECOND_FACTOR
    noted: list[str] = request.session.get("duties") or []
    if not (noted or required) or not request.user.is_authenticated:
        return []
    if not noted:
        return [SECOND_FACTOR] if owes_second_factor(request.user) else []
    owed = request.session["duties"] = duties_of(request.user, is_second_factor_required=required)
    return owed


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
