"""Who calls: the user of a token that comes in the Authorization header, and in no other place.

There is no log-in by session here: a page in a browser cannot be made to call the API with somebody's cookies.
"""

from __future__ import annotations

from django.conf import settings
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from exercises.access import token_by_secret
from exercises.api import words
from exercises.api.problems import refuse
from exercises.enums import ApiScope
from exercises.models import ApiToken, User
from exercises.queries.duties import owes_second_factor
from exercises.services.api_token import api_token_note_use

CHALLENGE = 'Bearer realm="api"'


class BearerToken(BaseAuthentication):
    """`Authorization: Bearer qkv_…`."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """The token and its user; None for a request that brings no token at all."""
        scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
        if not scheme:
            return None
        token = token_by_secret(secret.strip()) if scheme.lower() == "bearer" else None
        if token is None:
            raise refuse(
                401, "token_refused", words.TOKEN_REFUSED, WWW_Authenticate=f'{CHALLENGE}, error="invalid_token"'
            )
        if settings.STAFF_NEED_SECOND_FACTOR and owes_second_factor(token.user):
            raise refuse(403, "second_factor_owed", words.SECOND_FACTOR_OWED)
        api_token_note_use(token=token)
        return token.user, token


class TokenWithScope(BasePermission):
    """A token is needed, and one that was made for what the view does."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Raises a refusal that says what is missing."""
        if not isinstance(request.auth, ApiToken):
            raise refuse(401, "token_missing", words.TOKEN_MISSING, WWW_Authenticate=CHALLENGE)
        scope = wanted_scope(view, str(request.method))
        if scope is not None and not request.auth.allows(scope):
            challenge = f'{CHALLENGE}, error="insufficient_scope", scope="{scope.value}"'
            detail = words.SCOPE_MISSING.fill(scope=scope.value)
            raise refuse(403, "insufficient_scope", detail, WWW_Authenticate=challenge)
        return True


def wanted_scope(view: APIView, method: str) -> ApiScope | None:
    """The scope that a view asks for; None where any token will do."""
    scopes: dict[str, ApiScope] = getattr(view, "scopes", {})
    return scopes.get("GET" if method == "HEAD" else method)
