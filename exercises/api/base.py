"""What all views of the API have in common, so that each says only what is its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, cast

from django.http import HttpRequest
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle, UserRateThrottle
from rest_framework.views import APIView

from exercises.api import words
from exercises.api.authentication import BearerToken, TokenWithScope
from exercises.api.body import LONGEST_SHOWN, StrictJSONParser
from exercises.api.problems import answer_problem, refuse
from exercises.enums import ApiScope
from exercises.models import ApiToken, User
from exercises.services.storable import storable_text


class WriteThrottle(UserRateThrottle):
    """How often one user may send something. Counted in the database's cache, so a broker that is away changes nothing."""

    scope = "api_write"
    rate = "120/min"


class ApiView(APIView):
    """A view for tokens: strict in what it reads, one shape in what it refuses."""

    authentication_classes: Sequence[type[BaseAuthentication]] = (BearerToken,)
    permission_classes: Sequence[type[BasePermission]] = (TokenWithScope,)
    parser_classes = (StrictJSONParser,)
    metadata_class = None
    # Method -> the scope that a token needs for it; none where any token will do.
    scopes: ClassVar[Mapping[str, ApiScope]] = {}
    query_parameters: ClassVar[frozenset[str]] = frozenset()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check token, scope and rate, then the form of the request."""
        super().initial(request, *args, **kwargs)
        if "Transfer-Encoding" in request.headers:
            # WSGI hands such a body over as an empty one, and what was sent would be called missing.
            raise refuse(411, "length_required", words.LENGTH_NEEDED)
        unknown = sorted(set(request.query_params) - self.query_parameters)
        if unknown:
            name = storable_text(unknown[0])[:LONGEST_SHOWN]
            raise refuse(400, "unknown_query_parameter", words.PARAMETER_UNKNOWN.fill(name=name))

    def get_throttles(self) -> list[BaseThrottle]:
        """Reading is not limited; what costs a row in the database is."""
        return [WriteThrottle()] if self.request.method == "POST" else []

    def get_exception_handler(self) -> Callable[[Exception, Mapping[str, Any]], Response]:
        """Every error in one shape."""
        return answer_problem

    def options(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Response:  # noqa: ARG002 -- Django names them
        """Which methods there are, and nothing else."""
        return Response(status=204)

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """Answers are about one user: no cache may keep them."""
        final = super().finalize_response(request, response, *args, **kwargs)
        final["Cache-Control"] = "private, no-store"
        return final


def user_of(request: Request) -> User:
    """The token's user."""
    return cast("User", request.user)


def token_of(request: Request) -> ApiToken:
    """The token itself."""
    return cast("ApiToken", request.auth)
