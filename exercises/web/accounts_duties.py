"""Who is signed in and owes something is taken there first.

Consent is noted in the session at sign-in, so others pay nothing for it. A second factor may come to be owed at any moment
(somebody is made staff, or gives theirs up elsewhere): where the site wants one, each request asks. A guest, who is forgotten
after a while, owes an account before a password, a second factor or a campus can be tied to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import Resolver404, resolve

from exercises.queries.duties import CONSENT, SECOND_FACTOR, duties_of, owes_second_factor
from exercises.web.accounts import guest_of

# The page on which each is settled.
_PLACES: Final[Mapping[str, str]] = {CONSENT: "consent", SECOND_FACTOR: "mfa_activate_totp"}
# What stays open meanwhile: leaving, choosing a language, the notice, one's own data, and the way to a second factor.
_OPEN: Final = frozenset(
    {"consent", "privacy", "settings", "export", "delete_account", "account_logout", "account_reauthenticate"}
)
_OPEN_PREFIXES: Final = ("mfa_", "health_")
# What hangs on an account that lasts; a second factor may still be asked of who is a guest until they have signed in.
_LASTING: Final = frozenset(
    {
        "account_change_password",
        "account_email",
        "account_set_password",
        "socialaccount_connections",
        "usersessions_list",
    }
)


class DutiesMiddleware:
    """Stands below those that know who is signed in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Redirect to what is owed, or let the request pass."""
        name = _name(request.path_info)
        if _is_lasting(name) and guest_of(request):
            return redirect("keep")
        owed = [] if _is_open(name) else _owed(request)
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


def _is_open(name: str | None) -> bool:
    return name is None or name in _OPEN or name.startswith(_OPEN_PREFIXES)


def _is_lasting(name: str | None) -> bool:
    if name is None or name == "mfa_authenticate":
        return False
    return name in _LASTING or name.startswith("mfa_")


def _name(path: str) -> str | None:
    """The name of an address, None if there is none; empty for one of the admin or the API, whose names may sound like ours."""
    try:
        found = resolve(path)
    except Resolver404:
        return None
    return "" if found.namespaces else found.url_name or ""
