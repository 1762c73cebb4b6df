"""How people get in: what we change of allauth's doors, and the limits on trying them.

Nobody signs up through allauth's own form: an account comes from an invitation (`accounts_entrance`), from a
list (`accounts_people`) or from the campus's sign-on, where the operator has set one up.
"""

from __future__ import annotations

import time
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Any, Final, cast

from allauth.account import app_settings as account_settings
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.authentication import get_authentication_records
from allauth.core import context
from allauth.core.internal import ratelimit
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.providers.base import AuthProcess
from cryptography.fernet import Fernet
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from exercises.models import User
from exercises.queries.duties import duties_of
from exercises.services.guest_adopt import guest_adopt
from exercises.services.student_number_claim import student_number_claim

# A whole class comes through one address within minutes, so an address may do much and a single account little.
LIMITS: Final = {
    "account_failed": "60/h/key",
    "activate": "600/m/ip,10/5m/key",
    "join": "1200/m/ip",
    "sign_up": "600/m/ip",
    "guest_start": "300/m/ip,5000/d/ip",
    "guest_post": "600/m/ip,60/m/user",
    "ask": "10/m/user,60/h/user",
    "answer": "60/m/user",
}
_GUEST: Final = "_guest_before_login"


def allowed(request: HttpRequest, action: str, *, key: str = "") -> bool:
    """Count one try of an action against its limits; False once there were too many. A `key` counts for each address."""
    return bool(_consume(request, action, key=f"{key}@{ratelimit.get_ip(request)}"))


def guest_of(request: HttpRequest) -> User | None:
    """The guest who sends a request, if it is one."""
    user = request.user
    return user if isinstance(user, User) and user.is_guest else None


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """Sign-up closed; failures counted by account and address; a guest's work taken along at sign-in."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:  # noqa: ARG002 -- allauth's signature
        """Nobody signs up here."""
        return False

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """By account and address: whoever guesses from elsewhere cannot lock the owner out."""
        return f"{super()._get_login_attempts_cache_key(request, **credentials)}@{ratelimit.get_ip(request)}"

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """After far more failures than people make, the account waits whatever the address."""
        super().pre_authenticate(request, **credentials)
        if not _consume(request, "account_failed", key=_account(credentials), dry_run=True):
            raise self.validation_error("too_many_login_attempts")

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Count failures of one account from everywhere."""
        _consume(request, "account_failed", key=_account(credentials))

    def login(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        """Sign in, with what the same browser did as a guest, and note what is still owed before going on."""
        person = cast("User", user)
        guest = getattr(request, _GUEST, None) or guest_of(request)
        super().login(request, person)
        if guest is not None and guest.pk != person.pk:
            guest_adopt(guest=guest, user=person)
        request.session["duties"] = duties_of(person, is_second_factor_required=settings.STAFF_NEED_SECOND_FACTOR)

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """Home, in the language that somebody chose or else signed in in."""
        chosen = getattr(request.user, "language", "")
        with override(chosen or get_language()):
            return reverse("home")

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Not within minutes of signing in: then the password was given just now."""
        records = get_authentication_records(context.request, context.request.user)
        if records and time.time() - records[-1]["at"] < account_settings.REAUTHENTICATION_TIMEOUT:
            return False
        return bool(super().is_reauthentication_required(app=app, **kwargs))

    def get_reauthentication_methods(self, user: AbstractBaseUser) -> list[dict[str, Any]]:
        """Whoever has no password here signs in through the campus once more."""
        again = {"id": "login", "description": _("Sign in again"), "url": reverse("account_login")}
        return super().get_reauthentication_methods(user) or [again]


class SocialAccountAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """Whoever the campus vouches for may come in; which courses they are in is another matter."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:  # noqa: ANN401, ARG002 -- allauth's signature
        """A provider that the operator set up may make accounts."""
        return True

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:  # noqa: ANN401 -- allauth's signature
        """Remember the guest before allauth ends that session; open the account that a list made for this number."""
        guest = guest_of(request)
        setattr(request, _GUEST, guest)
        if guest is not None:
            # Nothing is tied to a guest, who is forgotten after a while: they come in, and their work with them.
            sociallogin.state["process"] = AuthProcess.LOGIN
        if settings.SSO_UID_IS_STUDENT_NUMBER and not sociallogin.is_existing:
            user = student_number_claim(number=sociallogin.account.uid)
            if user is not None:
                sociallogin.connect(request, user)

    def populate_user(self, request: HttpRequest, sociallogin: Any, data: dict[str, Any]) -> User:  # noqa: ANN401 -- allauth's signature
        """Take the campus's name for somebody, in one piece, and nothing else that it tells.

        An address that somebody else has here would stand in the way, and nobody needs one.
        """
        user = cast("User", super().populate_user(request, sociallogin, data))
        parts = " ".join(part for part in (data.get("first_name"), data.get("last_name")) if part)
        user.display_name = (data.get("name") or parts or "")[:150]
        user.first_name = user.last_name = user.email = ""
        sociallogin.email_addresses, sociallogin.account.extra_data = [], {}
        return user


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth ships no types
    """Secrets of second factors are no use to whoever reads the database alone."""

    def get_totp_issuer(self) -> str:
        """The name beside the code in somebody's app."""
        return "QKV Course"

    def encrypt(self, text: str) -> str:
        """Sealed with a key that is made from SECRET_KEY."""
        return _seal().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Opened with the same key."""
        return _seal().decrypt(encrypted_text.encode()).decode()


def too_many(request: HttpRequest) -> HttpResponse:
    """The page for somebody who has tried too often."""
    return cast("HttpResponse", ratelimit.respond_429(request))


def _seal() -> Fernet:
    return Fernet(urlsafe_b64encode(sha256(b"exercises.second_factor:" + settings.SECRET_KEY.encode()).digest()))


def _account(credentials: dict[str, Any]) -> str:
    return str(credentials.get("email") or credentials.get("username") or "").lower()


def _consume(request: HttpRequest, action: str, *, key: str, dry_run: bool = False) -> object:
    return ratelimit.consume(
        request, app="exercises", action=action, config=LIMITS, key=key, dry_run=dry_run, limit_get=True
    )
