"""Addresses under /api/v1 that lead nowhere: they answer as everything else here does, not with a page."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponseBase, HttpResponsePermanentRedirect
from django.urls import resolve
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from exercises.api import words
from exercises.api.base import ApiView
from exercises.api.problems import refuse


@extend_schema(exclude=True)
class NoSuchAddress(ApiView):
    """Told to anybody, token or not: which addresses there are is written in the documentation."""

    authentication_classes = ()
    permission_classes = ()

    def get_throttles(self) -> list[BaseThrottle]:
        """Nothing is written, so nothing is counted."""
        return []

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse, whatever the method."""
        super().initial(request, *args, **kwargs)
        raise refuse(404, "not_found", words.NOTHING_HERE)


class KeepingMethod(HttpResponsePermanentRedirect):
    """308: unlike 301, it keeps method and body."""

    status_code = 308


_refuse = NoSuchAddress.as_view()


@csrf_exempt
def missing(request: HttpRequest, rest: str) -> HttpResponseBase:
    """Lead on to an address that only lacks its closing slash; refuse every other."""
    if not rest.endswith("/") and resolve(f"{request.path_info}/").func is not missing:
        query = request.META.get("QUERY_STRING", "")
        return KeepingMethod(f"{request.path}/" + (f"?{query}" if query else ""))
    return _refuse(request)
