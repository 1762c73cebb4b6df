"""The ways in: by a course code or an invitation link, by an activation code, as a guest, by the campus."""

from __future__ import annotations

from typing import cast

from allauth.account.utils import get_next_redirect_url, perform_login
from allauth.socialaccount.adapter import get_adapter as get_social_adapter
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.base import AuthProcess
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from exercises.access import open_course
from exercises.models import Course, User
from exercises.queries.duties import PRIVACY_VERSION
from exercises.queries.invitations import Invitation, invitation_by_code
from exercises.services.account_activate import account_activate, activation_for
from exercises.services.enrollment_join import InvitationEndedError, enrollment_join
from exercises.services.guest_start import guest_start
from exercises.services.sign_up import NameTakenError, Newcomer, sign_up
from exercises.web.accounts import allowed, guest_of, too_many
from exercises.web.accounts_forms import ActivationForm, SignUpForm
from exercises.web.requests import MemberRequest, signed_in
from grader.marking.text import Text

_FORM_METHODS = ["GET", "HEAD", "POST"]


@require_http_methods(_FORM_METHODS)
@never_cache
def join(request: HttpRequest) -> HttpResponse:
    """Ask for a course code and go on to what it opens."""
    if request.method != "POST":
        return render(request, "account/join.html", {"typed": request.GET.get("code", "")[:40]})
    if not allowed(request, "join"):
        return too_many(request)
    typed = request.POST.get("code", "")[:40]
    invitation = invitation_by_code(typed)
    if invitation is None or invitation.code is None:
        return _refused(request, typed)
    return redirect("invitation", code=invitation.code.code)


@require_http_methods(_FORM_METHODS)
@never_cache
@sensitive_post_parameters("password1", "password2")
def invitation(request: HttpRequest, code: str) -> HttpResponse:
    """Where an invitation link leads: joining for members of the site, sign-up for everybody else."""
    if not allowed(request, "join"):
        return too_many(request)
    found = invitation_by_code(code)
    if found is None:
        return render(request, "account/join.html", {"typed": code[:40], "is_refused": True}, status=404)
    return _come_in(request, found)


@require_http_methods(_FORM_METHODS)
@never_cache
@sensitive_post_parameters("password1", "password2")
def welcome(request: HttpRequest, course_slug: str) -> HttpResponse:
    """The door of an open course: look around as a guest, or sign up and keep what you do."""
    return _come_in(request, Invitation(open_course(course_slug=course_slug)))


@require_POST
def visit(request: HttpRequest, course_slug: str) -> HttpResponse:
    """Come in as a guest; whoever is in the course already just goes there."""
    course = open_course(course_slug=course_slug)
    guest = guest_of(request)
    if request.user.is_authenticated and guest is None:
        return redirect("welcome", course_slug=course.slug)
    if not allowed(request, "guest_start"):
        return too_many(request)
    user = guest_start(course=course, guest=guest)
    if guest is None:
        login(request, user, backend=settings.AUTHENTICATION_BACKENDS[0])
    return redirect("course", course_slug=course.slug)


@require_http_methods(_FORM_METHODS)
@never_cache
@sensitive_post_parameters("code", "password1", "password2")
def activate(request: HttpRequest) -> HttpResponse:
    """A student number and an activation code open an account and give it a password."""
    form = ActivationForm(request.POST if request.method == "POST" else None)
    if request.method != "POST" or not form.is_valid():
        return _show(request, "account/activate.html", form, {})
    told = form.cleaned_data
    if not allowed(request, "activate", key=told["username"].strip().lower()):
        return too_many(request)
    activation = activation_for(username=told["username"], code=told["code"])
    user = account_activate(activation=activation, password=told["password1"]) if activation else None
    if user is None:
        form.add_error("code", _("This number and this code do not go together, or the code was used or replaced."))
        return _show(request, "account/activate.html", form, {})
    return cast("HttpResponse", perform_login(request, user, redirect_url=reverse("home")))


@require_safe
def forgotten(request: HttpRequest) -> HttpResponse:
    """What to do about a forgotten password; e-mail is one way among others, and only where the site can send any."""
    return render(request, "account/forgotten.html", {"can_mail": bool(settings.EMAIL_HOST)})


@require_safe
@signed_in
def keep(request: MemberRequest) -> HttpResponse:
    """From any page of a guest to the door through which they become a student."""
    course = Course.objects.filter(enrollments__user=request.user, is_open=True).order_by("slug").first()
    return redirect("welcome", course_slug=course.slug) if course else redirect("join")


@require_POST
def campus_sign_on(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Send somebody to the campus.

    By a page, not by a redirect: browsers hold a form to the servers that its page allows, through every redirect, and
    nobody can list the servers of a campus.
    """
    try:
        provider = get_social_adapter().get_provider(request, provider_id)
    except SocialApp.DoesNotExist as error:
        raise Http404 from error
    is_member = request.user.is_authenticated and guest_of(request) is None
    process = AuthProcess.CONNECT if is_member else AuthProcess.LOGIN
    away = provider.redirect(request, process, next_url=get_next_redirect_url(request))
    if "Location" not in away:
        return cast("HttpResponse", away)
    return render(request, "account/to_campus.html", {"name": provider.name, "address": away["Location"]})


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """The privacy notice."""
    told = {"version": PRIVACY_VERSION, "operator": settings.OPERATOR_NAME, "contact": settings.PRIVACY_CONTACT}
    return render(request, "account/privacy.html", told)


def _come_in(request: HttpRequest, found: Invitation) -> HttpResponse:
    if request.user.is_authenticated and not request.user.is_guest:
        return _join_as_member(request, request.user, found)
    form = SignUpForm(request.POST if request.method == "POST" else None)
    if request.method != "POST" or not form.is_valid():
        return _show(request, "account/sign_up.html", form, _course_words(found))
    if not allowed(request, "sign_up"):
        return too_many(request)
    return _sign_up(request, found, form)


def _sign_up(request: HttpRequest, found: Invitation, form: SignUpForm) -> HttpResponse:
    told = form.cleaned_data
    newcomer = Newcomer(told["username"], told["display_name"], told["password1"])
    try:
        user = sign_up(newcomer=newcomer, invitation=found, guest=guest_of(request))
    except NameTakenError:
        form.add_error("username", _("Somebody else has just taken this name."))
        return _show(request, "account/sign_up.html", form, _course_words(found))
    except InvitationEndedError:
        return _refused(request)
    messages.success(request, _("Welcome. Your account is yours now."))
    address = reverse("course", kwargs={"course_slug": found.course.slug})
    return cast("HttpResponse", perform_login(request, user, redirect_url=address, signup=True))


def _join_as_member(request: HttpRequest, user: User, found: Invitation) -> HttpResponse:
    if request.method != "POST":
        return render(request, "account/join_course.html", _course_words(found))
    try:
        enrollment_join(user=user, invitation=found)
    except InvitationEndedError:
        return _refused(request)
    return redirect("course", course_slug=found.course.slug)


def _refused(request: HttpRequest, typed: str = "") -> HttpResponse:
    return render(request, "account/join.html", {"typed": typed, "is_refused": True}, status=422)


def _course_words(found: Invitation) -> dict[str, object]:
    return {
        "course": found.course,
        "course_title": Text.from_json(found.course.title),
        "summary": Text.from_json(found.course.curriculum.summary),
        "code": found.code,
    }


def _show(request: HttpRequest, template: str, form: object, shown: dict[str, object]) -> HttpResponse:
    return render(request, template, {**shown, "form": form}, status=422 if request.method == "POST" else 200)
