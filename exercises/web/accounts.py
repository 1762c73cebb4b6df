"""How accounts come into being: an instructor or an operator makes them, nobody signs up alone."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class ClosedSignupAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """allauth's own behaviour with the sign-up page closed."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:  # noqa: ARG002 -- allauth's signature
        """Nobody signs up."""
        return False
