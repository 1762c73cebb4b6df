"""One's own account: what there is to change, consent, and leaving for good."""

from __future__ import annotations

from typing import cast

from allauth.account.decorators import reauthentication_required
from allauth.mfa.models import Authenticator
from allauth.socialaccount.adapter import get_adapter as get_social_adapter
from allauth.socialaccount.models import SocialAccount
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from exercises.queries.duties import PRIVACY_VERSION
from exercises.services.account_delete import StillNeededError, account_delete
from exercises.services.consent_give import consent_give
from exercises.web.accounts_forms import ConsentForm, DeleteForm
from exercises.web.requests import MemberRequest, signed_in


@require_safe
@signed_in
@never_cache
def account(request: MemberRequest) -> HttpResponse:
    """Everything that can be changed about an account, with how it stands."""
    if request.user.is_guest:
        return redirect("home")
    factors = set(Authenticator.objects.filter(user=request.user).values_list("type", flat=True))
    shown = {
        "has_second_factor": bool(factors & {Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN}),
        "has_campus": bool(get_social_adapter().list_apps(request)),
        "campus_accounts": SocialAccount.objects.filter(user=request.user).count(),
        "consent": request.user.consents.order_by("-given_at").first(),
    }
    return render(request, "account/account.html", shown)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@never_cache
def consent(request: MemberRequest) -> HttpResponse:
    """Ask for consent to the notice as it stands, and go on to where one was going."""
    form = ConsentForm(request.POST if request.method == "POST" else None)
    if request.method != "POST" or not form.is_valid():
        status = 422 if request.method == "POST" else 200
        return render(request, "account/consent.html", {"form": form, "version": PRIVACY_VERSION}, status=status)
    consent_give(user=request.user)
    onward = request.session.pop("after_duties", "")
    return redirect(onward if url_has_allowed_host_and_scheme(onward, allowed_hosts=None) else "home")


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@never_cache
def delete_account(request: MemberRequest) -> HttpResponse:
    """Offer the file with all one's data first, then ask for the user name, then delete."""
    return cast("HttpResponse", _delete_account(request))


@reauthentication_required  # type: ignore[untyped-decorator]  # allauth ships no types
def _delete_account(request: HttpRequest) -> HttpResponse:
    member = cast("MemberRequest", request)
    form = DeleteForm(request.POST if request.method == "POST" else None, user=member.user)
    if request.method != "POST" or not form.is_valid():
        status = 422 if request.method == "POST" else 200
        return render(request, "account/delete.html", {"form": form}, status=status)
    try:
        account_delete(user=member.user)
    except StillNeededError:
        form.add_error(None, _("You are the only instructor of a course. Make somebody else its instructor first."))
        return render(request, "account/delete.html", {"form": form}, status=422)
    logout(request)
    messages.success(request, _("Your account is deleted."))
    return redirect("account_login")
