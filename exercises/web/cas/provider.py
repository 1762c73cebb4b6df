"""What allauth asks of a provider. It finds `provider_classes` by the name of this module."""

from __future__ import annotations

from typing import Any, cast
from urllib.parse import urlencode

import cas
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.providers.base import Provider, ProviderAccount
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse


class CasAccount(ProviderAccount):  # type: ignore[misc]  # allauth ships no types
    """An account of the campus, shown by its id."""

    def to_str(self) -> str:
        """The id by which the campus knows somebody."""
        return str(self.account.uid)


class CasProvider(Provider):  # type: ignore[misc]  # allauth ships no types
    """One CAS server; its name and address come from the settings."""

    id = "cas"
    name = "CAS"
    package = "exercises.web.cas"
    supports_redirect = True
    account_class = CasAccount

    def __init__(self, request: HttpRequest, app: Any = None) -> None:  # noqa: ANN401 -- allauth's signature
        super().__init__(request, app=app)
        self.name = self.app.name

    def get_login_url(self, request: HttpRequest, **kwargs: str) -> str:  # noqa: ARG002 -- allauth's signature
        """Where a way there begins; our pages post to `campus_sign_on` instead."""
        return reverse("campus_sign_on", args=[self.sub_id])

    def redirect(self, request: HttpRequest, process: str, next_url: str | None = None, **kwargs: Any) -> HttpResponse:
        """Send somebody to the campus; the state comes back inside the service address."""
        state = self.stash_redirect_state(request, process, next_url, **kwargs)
        return HttpResponseRedirect(self.client(request, state).get_login_url())

    def client(self, request: HttpRequest, state: str) -> cas.CASClientV3:
        """python-cas, speaking for one sign-in; it waits no longer than allauth does."""
        service = request.build_absolute_uri(
            f"{reverse('cas_callback', args=[self.sub_id])}?{urlencode({'state': state})}"
        )
        return cas.CASClient(
            version=3,
            service_url=service,
            server_url=f"{self.app.settings['server_url'].rstrip('/')}/",
            session=get_adapter().get_requests_session(),
        )

    def extract_uid(self, data: dict[str, Any]) -> str:
        """The campus's id; at Chinese universities the student number."""
        return cast("str", data["uid"])

    def extract_common_fields(self, data: dict[str, Any]) -> dict[str, Any]:
        """A name, if the campus tells one."""
        told = data["attributes"]
        name = told.get("displayName") or told.get("cn") or told.get("name") or ""
        return {"username": data["uid"], "name": name}


provider_classes = [CasProvider]
