"""The people of a course, for its instructor: who is in it, in which role, and by which codes they come in."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from exercises.access import code_for_instructor, enrollment_for_instructor, member_for_instructor
from exercises.enums import Role
from exercises.models import Course
from exercises.queries.people import Chosen, good_codes, people
from exercises.services.activation_issue import (
    IssuedCode,
    ResetRefusedError,
    activation_reset,
    activations_renew,
    resettable,
)
from exercises.services.course_change import course_change
from exercises.services.course_code import course_code_create, course_code_revoke
from exercises.services.member_change import ASSIGNABLE, LastInstructorError, labels_set, role_change
from exercises.services.members_add import members_add, read_list
from exercises.services.spoken_code import in_groups
from exercises.web.accounts_forms import CourseCodeForm, CourseForm, MemberForm, RosterForm
from exercises.web.desk_frame import desk_frame
from exercises.web.requests import MemberRequest, signed_in

_PAGE = "exercises/instructor/people.html"
# Two columns of five, on A4 as on Letter.
SLIPS_ON_A_SHEET: Final = 10


@require_safe
@signed_in
@never_cache
def roster(request: MemberRequest, course_slug: str) -> HttpResponse:
    """Everybody in the course, the codes that are good, and what can be added."""
    return _show_people(request, enrollment_for_instructor(user=request.user, course_slug=course_slug).course)


@require_POST
@signed_in
def code_create(request: MemberRequest, course_slug: str) -> HttpResponse:
    """Make a course code."""
    instructor = enrollment_for_instructor(user=request.user, course_slug=course_slug)
    form = CourseCodeForm(request.POST)
    if not form.is_valid():
        return _show_people(request, instructor.course, code_form=form)
    lifetime = timedelta(days=form.cleaned_data["days"])
    course_code_create(instructor=instructor, lifetime=lifetime, most_uses=form.cleaned_data["most_uses"])
    return _back(instructor.course, "codes")


@require_POST
@signed_in
def code_revoke(request: MemberRequest, course_slug: str, code_id: int) -> HttpResponse:
    """End a course code."""
    code = code_for_instructor(user=request.user, course_slug=course_slug, code_id=code_id)
    course_code_revoke(instructor=request.user, code=code)
    messages.success(request, _("The code %(code)s lets nobody in any more.") % {"code": in_groups(code.code)})
    return _back(code.course, "codes")


@require_POST
@signed_in
@never_cache
def members_create(request: MemberRequest, course_slug: str) -> HttpResponse:
    """Read a list of student numbers; the answer is the sheet of activation codes, which is shown this once."""
    instructor = enrollment_for_instructor(user=request.user, course_slug=course_slug)
    form = RosterForm(request.POST)
    if not form.is_valid():
        return _show_people(request, instructor.course, roster_form=form)
    listed, unread = read_list(form.cleaned_data["people"])
    if unread:
        lines = ", ".join(f"{each.place} ({each.text[:40]})" for each in unread[:5])
        form.add_error(
            "people", _("Nothing was added: no student number begins these lines: %(lines)s.") % {"lines": lines}
        )
        return _show_people(request, instructor.course, roster_form=form)
    added = members_add(instructor=instructor, people=listed)
    if added.joined:
        said = ngettext(
            "%(count)s account that was there before joined the course.",
            "%(count)s accounts that were there before joined the course.",
            len(added.joined),
        )
        messages.success(request, said % {"count": len(added.joined)})
    if not added.issued:
        return _back(instructor.course, "members")
    return show_codes(request, instructor.course, list(added.issued))


@require_POST
@signed_in
@never_cache
def activations(request: MemberRequest, course_slug: str) -> HttpResponse:
    """New codes for all who have not activated their account: the sheet once more."""
    instructor = enrollment_for_instructor(user=request.user, course_slug=course_slug)
    issued = activations_renew(instructor=instructor)
    return show_codes(request, instructor.course, issued) if issued else _back(instructor.course, "members")


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@never_cache
def member(request: MemberRequest, course_slug: str, member_id: int) -> HttpResponse:
    """One member: role and labels."""
    found = member_for_instructor(user=request.user, course_slug=course_slug, member_id=member_id)
    instructor = enrollment_for_instructor(user=request.user, course_slug=course_slug)
    given = {"role": found.role, "labels": ", ".join(found.labels.values_list("name", flat=True))}
    roles = [(str(role.value), role.label) for role in Role if role in ASSIGNABLE or role == found.role]
    form = MemberForm(request.POST if request.method == "POST" else None, roles=roles, initial=given)
    if request.method == "POST" and form.is_valid():
        try:
            if form.cleaned_data["role"] != found.role:
                role_change(instructor=instructor, member=found, role=Role(form.cleaned_data["role"]))
            labels_set(instructor=instructor, member=found, names=form.names())
        except LastInstructorError:
            form.add_error("role", _("Somebody must stay the instructor. Make somebody else one first."))
        else:
            messages.success(request, _("Saved: %(name)s.") % {"name": found.user})
            return _back(found.course, "members")
    shown = {
        **desk_frame(found.course),
        "member": found,
        "form": form,
        "can_reset": resettable(instructor=instructor).filter(pk=found.pk).exists(),
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "exercises/instructor/member.html", shown, status=status)


@require_POST
@signed_in
@never_cache
def member_reset(request: MemberRequest, course_slug: str, member_id: int) -> HttpResponse:
    """Close an account and show the code that opens it anew."""
    found = member_for_instructor(user=request.user, course_slug=course_slug, member_id=member_id)
    instructor = enrollment_for_instructor(user=request.user, course_slug=course_slug)
    try:
        issued = activation_reset(instructor=instructor, member=found)
    except ResetRefusedError:
        messages.error(request, _("This account was not made by this course: its owner or the operator can reset it."))
        return redirect("member", course_slug=course_slug, member_id=member_id)
    return show_codes(request, found.course, [issued])


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def course_settings(request: MemberRequest, course_slug: str) -> HttpResponse:
    """The time zone of the course, and whether guests may come in."""
    instructor = enrollment_for_instructor(user=request.user, course_slug=course_slug)
    course = instructor.course
    given = {"time_zone": course.time_zone, "is_open": course.is_open}
    form = CourseForm(request.POST if request.method == "POST" else None, initial=given, site_zone=settings.TIME_ZONE)
    if request.method == "POST" and form.is_valid():
        told = form.cleaned_data
        course_change(instructor=instructor, time_zone=told["time_zone"], is_open=told["is_open"])
        messages.success(request, _("Saved: the settings of the course."))
        return redirect("course_settings", course_slug=course.slug)
    return render(request, "exercises/instructor/course_settings.html", {**desk_frame(course), "form": form})


def _show_people(
    request: MemberRequest,
    course: Course,
    *,
    code_form: CourseCodeForm | None = None,
    roster_form: RosterForm | None = None,
) -> HttpResponse:
    """The page; a form that was refused keeps what was typed, and says why."""
    chosen = _chosen(request)
    codes = [
        {
            "row": code,
            "shown": in_groups(code.code),
            "link": request.build_absolute_uri(reverse("invitation", args=[code.code])),
        }
        for code in good_codes(course)
    ]
    shown = {
        **desk_frame(course),
        "people": people(course, chosen),
        "chosen": chosen,
        "roles": Role.choices,
        "codes": codes,
        "code_form": code_form or CourseCodeForm(),
        "roster_form": roster_form or RosterForm(),
    }
    return render(request, _PAGE, shown, status=422 if code_form or roster_form else 200)


def show_codes(request: MemberRequest, course: Course, issued: list[IssuedCode]) -> HttpResponse:
    """The sheets of activation codes as they are printed, which are shown this once."""
    slips = [{"user": each.user, "code": in_groups(each.code)} for each in issued]
    sheets = [slips[first : first + SLIPS_ON_A_SHEET] for first in range(0, len(slips), SLIPS_ON_A_SHEET)]
    shown = {**desk_frame(course), "sheets": sheets, "address": request.build_absolute_uri(reverse("activate"))}
    return render(request, "exercises/instructor/activation_codes.html", shown)


def _chosen(request: MemberRequest) -> Chosen:
    asked = request.GET
    return Chosen(
        words=asked.get("q", "").strip()[:100],
        role=asked.get("role", "") if asked.get("role", "") in Role.values else "",
        label=asked.get("label", "")[:40],
        page=_page(asked.get("page", "")),
    )


def _page(typed: str) -> int:
    return int(typed) if re.fullmatch(r"[0-9]{1,5}", typed) else 1


def _back(course: Course, place: str) -> HttpResponse:
    return redirect(f"{reverse('people', kwargs={'course_slug': course.slug})}#{place}")
