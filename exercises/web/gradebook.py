"""Grades: the class's book, one student's assignment with all that was decided about it, and what a student sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from exercises.access import (
    NOT_FOUND,
    enrollment_for_instructor,
    enrollment_for_staff,
    enrollment_for_user,
    member_for_instructor,
)
from exercises.enums import Role
from exercises.models import Enrollment
from exercises.queries.course_time import course_zone
from exercises.queries.grade_cell import GradeCell, grade_cell
from exercises.queries.grade_page import gradebook as grades_of
from exercises.services.assignment_set import SettingRefused
from exercises.services.grade_decide import exemption_set, extension_grant, grade_override
from exercises.services.snapshot_refresh import grades_kept
from exercises.web.desk_frame import desk_frame
from exercises.web.grade_forms import DecisionForm
from exercises.web.gradebook_view import GRADES, Chosen, GradeSign, grade_line, gradebook_view
from exercises.web.requests import MemberRequest, signed_in


@require_safe
@signed_in
@never_cache
def gradebook(request: MemberRequest, course_slug: str) -> HttpResponse:
    """Students × assignments."""
    member = enrollment_for_staff(user=request.user, course_slug=course_slug)
    course, chosen = member.course, _chosen(request)
    book = gradebook_view(course, grades_kept(course=course), chosen)
    shown = {"book": book, "labels": course.labels.values_list("name", flat=True)}
    return render(request, "exercises/instructor/gradebook.html", {**desk_frame(course, member.role), **shown})


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@never_cache
def grade(request: MemberRequest, course_slug: str, member_id: int, assignment_slug: str) -> HttpResponse:
    """What one grade is made of; more time, other points or an exemption, each with its reason."""
    instructor = enrollment_for_instructor(user=request.user, course_slug=course_slug)
    student = member_for_instructor(user=request.user, course_slug=course_slug, member_id=member_id)
    cell = grade_cell(student, assignment_slug) if student.role == Role.STUDENT else None
    if cell is None:
        raise Http404(NOT_FOUND)
    with timezone.override(course_zone(instructor.course)):
        act = request.POST.get("act", "")
        form = DecisionForm(request.POST if request.method == "POST" else None, act=act)
        if act in DECISIONS and form.is_valid():
            try:
                DECISIONS[act](instructor, cell, form.cleaned_data)
            except SettingRefused as refusal:
                form.add_error(None, refusal.text.in_language(request.LANGUAGE_CODE))
            else:
                messages.success(request, _("Saved: %(name)s.") % {"name": student.user})
                return redirect("grade", course_slug=course_slug, member_id=member_id, assignment_slug=assignment_slug)
        shown = {"cell": cell, "sign": GradeSign(cell.grade, GRADES[cell.grade.state]), "form": form, "act": act}
        status = 422 if request.method == "POST" else 200
        return render(
            request, "exercises/instructor/grade.html", {**desk_frame(instructor.course), **shown}, status=status
        )


@require_safe
@signed_in
@never_cache
def my_grades(request: MemberRequest, course_slug: str) -> HttpResponse:
    """A student's own line, without what is not released; who teaches goes to the class's book."""
    enrollment = enrollment_for_user(user=request.user, course_slug=course_slug)
    if enrollment.role in {Role.INSTRUCTOR, Role.ASSISTANT}:
        return redirect("gradebook", course_slug=course_slug)
    book = grades_of(enrollment.course, [enrollment], for_learner=True)
    line = grade_line(book.students[0])
    rows = [{"work": work, "cell": cell, "terms": work.terms} for work, cell in zip(book.work, line.cells, strict=True)]
    shown = {**desk_frame(enrollment.course), "line": line, "rows": rows}
    return render(request, "exercises/student/grades.html", shown)


def _chosen(request: MemberRequest) -> Chosen:
    page = request.GET.get("page", "")
    return Chosen(
        label=request.GET.get("label", "")[:40],
        sort=request.GET.get("sort", "")[:60] or "name",
        page=int(page) if page.isascii() and page.isdecimal() and len(page) < 6 else 1,  # noqa: PLR2004 -- digits of a page
    )


def _override(instructor: Enrollment, cell: GradeCell, told: dict[str, Any]) -> None:
    grade_override(
        instructor=instructor,
        slug=cell.work.slug,
        student=cell.student,
        score=told["score"],
        reason=told["reason"],
    )


def _withdraw(instructor: Enrollment, cell: GradeCell, told: dict[str, Any]) -> None:
    _override(instructor, cell, {**told, "score": None})


def _extend(instructor: Enrollment, cell: GradeCell, told: dict[str, Any]) -> None:
    extension_grant(
        instructor=instructor, slug=cell.work.slug, to=cell.student, due_at=told["due_at"], reason=told["reason"]
    )


def _exempt(instructor: Enrollment, cell: GradeCell, told: dict[str, Any]) -> None:
    exemption_set(
        instructor=instructor, slug=cell.work.slug, student=cell.student, is_exempt=True, reason=told["reason"]
    )


def _count_again(instructor: Enrollment, cell: GradeCell, told: dict[str, Any]) -> None:
    exemption_set(
        instructor=instructor, slug=cell.work.slug, student=cell.student, is_exempt=False, reason=told["reason"]
    )


DECISIONS: Final[dict[str, Callable[[Enrollment, GradeCell, dict[str, Any]], None]]] = {
    "override": _override,
    "withdraw": _withdraw,
    "extend": _extend,
    "exempt": _exempt,
    "count_again": _count_again,
}
