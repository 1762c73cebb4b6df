"""What the views ask of a request: somebody signed in, and whether a part of the page is wanted or all of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, Final, ParamSpec, cast

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django_htmx.middleware import HtmxDetails

from exercises.models import User
from exercises.web.accounts import allowed, guest_of, too_many

Parameters = ParamSpec("Parameters")
DIGITS_OF_A_KEY: Final = 18


class MemberRequest(HttpRequest):
    """A request of somebody who is signed in."""

    user: User
    htmx: HtmxDetails


def whole_number(text: str) -> int | None:
    """The key or count that a request names; None for what this site never wrote: signs, other digits, far too many."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= DIGITS_OF_A_KEY else None


def signed_in(
    view: Callable[Concatenate[MemberRequest, Parameters], HttpResponse],
) -> Callable[Concatenate[HttpRequest, Parameters], HttpResponse]:
    """Send strangers to the log-in, and hold guests, whom nobody knows, to so many requests a minute.

    A part of a page has no room for that form: there they get a plain 401.
    """

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: Parameters.args, **kwargs: Parameters.kwargs) -> HttpResponse:
        member = cast("MemberRequest", request)
        if request.user.is_authenticated:
            if request.method == "POST" and guest_of(request) and not allowed(request, "guest_post"):
                return too_many(request)
            return view(member, *args, **kwargs)
        if member.htmx:
            return HttpResponse(status=401)
        return redirect_to_login(request.get_full_path() if request.method == "GET" else reverse("home"))

    return guarded
