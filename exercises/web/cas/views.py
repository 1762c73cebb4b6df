"""Where the campus sends people back to."""

from __future__ import annotations

import logging
from typing import cast
from xml.etree.ElementTree import ParseError

import requests
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.helpers import complete_social_login, render_authentication_error
from allauth.socialaccount.models import SocialApp
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from exercises.web.cas.provider import CasProvider

logger = logging.getLogger(__name__)


@require_safe
def callback(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Ask the campus, server to server, whose ticket this is; only a way that began here may end here."""
    try:
        provider = cast("CasProvider", get_adapter().get_provider(request, provider_id))
    except SocialApp.DoesNotExist as error:
        raise Http404 from error
    state_id = request.GET.get("state", "")
    try:
        state = provider.unstash_redirect_state(request, state_id)
        uid, attributes, _ = provider.client(request, state_id).verify_ticket(request.GET.get("ticket", ""))
    except (PermissionDenied, requests.RequestException, ParseError, ValueError, AttributeError, IndexError) as error:
        logger.warning("the CAS server %s gave no answer that can be used: %s", provider_id, type(error).__name__)
        return cast("HttpResponse", render_authentication_error(request, provider, exception=error))
    if not uid:
        return cast("HttpResponse", render_authentication_error(request, provider))
    login = provider.sociallogin_from_response(request, {"uid": uid, "attributes": dict(attributes or {})})
    login.state = state
    return cast("HttpResponse", complete_social_login(request, login))
