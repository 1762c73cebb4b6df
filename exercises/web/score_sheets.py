"""Score sheets: downloaded under the headings that somebody wants, and read with a look at what would change first."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from django.contrib import messages
from django.core import signing
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from exercises.access import enrollment_for_instructor, layout_for_instructor
from exercises.enums import Act
from exercises.models import Enrollment
from exercises.queries.grade_page import gradebook, students_of
from exercises.queries.grade_sheet import LAYOUTS, Column, sheet_rows
from exercises.services.assignment_set import SettingRefused
from exercises.services.audit_record import note
from exercises.services.csv_table import TableRefused, write_table
from exercises.services.grade_import import GradeChange, ImportPlan, grade_import, grade_import_plan
from exercises.services.grade_layout_set import grade_layout_drop, grade_layout_set, known_fields
from exercises.web.desk_frame import desk_frame
from exercises.web.grade_forms import LayoutForm, SheetForm
from exercises.web.requests import MemberRequest, signed_in

SALT: Final = "exercises.web.score_sheets"
PLAN_SECONDS: Final = 3600


@require_safe
@signed_in
@never_cache
def score_sheet(request: MemberRequest, course_slug: str) -> HttpResponse:
    """The grades of the class as a CSV file."""
    instructor = enrollment_for_instructor(user=request.user, course_slug=course_slug)
    course, name = instructor.course, request.GET.get("layout", "plain")
    book = gradebook(course, list(students_of(course).order_by("user__username")))
    if name.isascii() and name.isdecimal():
        layout = layout_for_instructor(user=request.user, course_slug=course_slug, layout_id=int(name[:18]))
        columns = tuple(Column(heading, field) for heading, field in layout.columns)
    else:
        name = name if name in LAYOUTS else "plain"
        columns = LAYOUTS[name](book, request.LANGUAGE_CODE)
    content = write_table(sheet_rows(book, columns, has_maxima=name == "canvas"))
    note(actor=request.user, course=course, act=Act.EXPORT_GRADES, subject=course, detail={"layout": name})
    file = f"{course.slug}-{name}-{timezone.localdate():%Y-%m-%d}.csv"
    disposition = {"Content-Disposition": f'attachment; filename="{file}"'}
    return HttpResponse(content, content_type="text/csv; charset=utf-8", headers=disposition)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@never_cache
def score_sheets(request: MemberRequest, course_slug: str) -> HttpResponse:
    """What can be downloaded; a file that is sent is read, and what it would change is shown."""
    instructor = enrollment_for_instructor(user=request.user, course_slug=course_slug)
    if request.method != "POST":
        return _show_sheets(request, instructor)
    form = SheetForm(request.POST, request.FILES)
    if not form.is_valid():
        return _show_sheets(request, instructor, sheet_form=form)
    sheet = form.cleaned_data["sheet"]
    try:
        plan = grade_import_plan(instructor=instructor, content=sheet.read())
    except TableRefused as refusal:
        form.add_error("sheet", refusal.text.in_language(request.LANGUAGE_CODE))
        return _show_sheets(request, instructor, sheet_form=form)
    return _show_plan(request, instructor, plan, sheet.name or "CSV")


@require_POST
@signed_in
def score_sheet_apply(request: MemberRequest, course_slug: str) -> HttpResponse:
    """Carry out what was shown."""
    instructor = enrollment_for_instructor(user=request.user, course_slug=course_slug)
    try:
        told = signing.loads(request.POST.get("plan", ""), salt=f"{SALT}:{instructor.pk}", max_age=PLAN_SECONDS)
    except signing.BadSignature:
        messages.error(request, _("This list is too old. Send the file once more."))
        return redirect("score_sheets", course_slug=course_slug)
    changes = [GradeChange(*change) for change in told["changes"]]
    reason = _("Taken in from %(file)s") % {"file": told["file"]}
    done = grade_import(instructor=instructor, changes=changes, reason=reason)
    said = ngettext("%(count)d grade was changed.", "%(count)d grades were changed.", done.done)
    messages.success(request, said % {"count": done.done})
    if done.stale:
        said = ngettext(
            "%(count)d had become another grade meanwhile and stays as it is.",
            "%(count)d had become other grades meanwhile and stay as they are.",
            done.stale,
        )
        messages.warning(request, said % {"count": done.stale})
    return redirect("gradebook", course_slug=course_slug)


@require_POST
@signed_in
def layout_save(request: MemberRequest, course_slug: str) -> HttpResponse:
    """Keep columns of one's own."""
    instructor = enrollment_for_instructor(user=request.user, course_slug=course_slug)
    form = LayoutForm(request.POST)
    if form.is_valid():
        try:
            grade_layout_set(instructor=instructor, name=form.cleaned_data["name"], text=form.cleaned_data["columns"])
        except SettingRefused as refusal:
            form.add_error("columns", refusal.text.in_language(request.LANGUAGE_CODE))
        else:
            return redirect("score_sheets", course_slug=course_slug)
    return _show_sheets(request, instructor, layout_form=form)


@require_POST
@signed_in
def layout_remove(request: MemberRequest, course_slug: str, layout_id: int) -> HttpResponse:
    """Forget columns."""
    instructor = enrollment_for_instructor(user=request.user, course_slug=course_slug)
    layout = layout_for_instructor(user=request.user, course_slug=course_slug, layout_id=layout_id)
    grade_layout_drop(instructor=instructor, layout=layout)
    return redirect("score_sheets", course_slug=course_slug)


def _show_sheets(
    request: MemberRequest,
    instructor: Enrollment,
    *,
    sheet_form: SheetForm | None = None,
    layout_form: LayoutForm | None = None,
) -> HttpResponse:
    shown = {
        "sheet_form": sheet_form or SheetForm(),
        "layout_form": layout_form or LayoutForm(),
        "layouts": instructor.course.grade_layouts.order_by("name"),
        "fields": known_fields(instructor),
    }
    status = 422 if request.method == "POST" else 200
    return render(
        request, "exercises/instructor/score_sheets.html", {**desk_frame(instructor.course), **shown}, status=status
    )


def _show_plan(request: MemberRequest, instructor: Enrollment, plan: ImportPlan, file: str) -> HttpResponse:
    rows = [list(asdict(change).values()) for change in plan.changes]
    signed = signing.dumps({"file": file[:80], "changes": rows}, salt=f"{SALT}:{instructor.pk}", compress=True)
    shown = {**desk_frame(instructor.course), "plan": plan, "signed": signed, "file": file}
    return render(request, "exercises/instructor/score_sheet_plan.html", shown)
