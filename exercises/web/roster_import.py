"""A class list from a file: first what it would do, row by row, then only that."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from django.contrib import messages
from django.core import signing
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from exercises.access import enrollment_for_instructor
from exercises.services.csv_table import TableRefused
from exercises.services.roster_import import ListedMember, roster_import, roster_import_plan
from exercises.web.accounts_people import show_codes
from exercises.web.desk_frame import desk_frame
from exercises.web.grade_forms import SheetForm
from exercises.web.requests import MemberRequest, signed_in

SALT: Final = "exercises.web.roster_import"
PLAN_SECONDS: Final = 3600
PAGE: Final = "exercises/instructor/roster_import.html"


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@never_cache
def roster_file(request: MemberRequest, course_slug: str) -> HttpResponse:
    """Read a file and show what it would do."""
    instructor = enrollment_for_instructor(user=request.user, course_slug=course_slug)
    form = SheetForm(request.POST or None, request.FILES or None)
    shown = {**desk_frame(instructor.course), "form": form}
    if request.method != "POST" or not form.is_valid():
        return render(request, PAGE, shown, status=422 if request.method == "POST" else 200)
    try:
        plan = roster_import_plan(instructor=instructor, content=form.cleaned_data["sheet"].read())
    except TableRefused as refusal:
        form.add_error("sheet", refusal.text.in_language(request.LANGUAGE_CODE))
        return render(request, PAGE, shown, status=422)
    rows = [list(asdict(member).values()) for member in plan.members]
    signed = signing.dumps(rows, salt=f"{SALT}:{instructor.pk}", compress=True)
    return render(request, PAGE, {**shown, "plan": plan, "signed": signed})


@require_POST
@signed_in
@never_cache
def roster_apply(request: MemberRequest, course_slug: str) -> HttpResponse:
    """Carry out what was shown; the codes of new accounts are shown this once."""
    instructor = enrollment_for_instructor(user=request.user, course_slug=course_slug)
    try:
        rows = signing.loads(request.POST.get("plan", ""), salt=f"{SALT}:{instructor.pk}", max_age=PLAN_SECONDS)
    except signing.BadSignature:
        messages.error(request, _("This list is too old. Send the file once more."))
        return redirect("roster_file", course_slug=course_slug)
    members = [ListedMember(number, name, tuple(labels), is_new) for number, name, labels, is_new in rows]
    added = roster_import(instructor=instructor, members=members)
    messages.success(request, _("Saved: the class list."))
    if added.issued:
        return show_codes(request, instructor.course, list(added.issued))
    return redirect("people", course_slug=course_slug)
