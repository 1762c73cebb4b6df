"""The site's addresses and one more: a page that says nothing, behind all that every page stands behind."""

from __future__ import annotations

from django.conf.urls.i18n import i18n_patterns
from django.http import HttpResponse
from django.urls import path
from django.views.decorators.http import require_safe

from exercises.web.requests import MemberRequest, signed_in
from qkvcourse.urls import handler400, urlpatterns

__all__ = ["empty", "handler400", "urlpatterns"]


@require_safe
@signed_in
def empty(request: MemberRequest) -> HttpResponse:  # noqa: ARG001 -- a view
    """Nothing, for somebody who is signed in."""
    return HttpResponse("")


urlpatterns = [*i18n_patterns(path("empty/", empty)), *urlpatterns]
