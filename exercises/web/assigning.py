"""Assignments: their dates and rules, what is put together of single items, more time for a label; and the new term."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from exercises.access import (
    NOT_FOUND,
    enrollment_for_instructor,
    enrollment_for_reopening,
    enrollment_for_staff,
    extension_for_instructor,
)
from exercises.models import Enrollment
from exercises.queries.assignments import SetWork, set_work, work_called
from exercises.queries.course_time import course_zone
from exercises.queries.grade_cell import decided_about, extensions_of, label_choices
from exercises.services.assignment_set import (
    SettingRefused,
    assignment_create,
    assignment_dissolve,
    assignment_release,
    assignment_set,
)
from exercises.services.course_copy import course_copy, course_reopen
from exercises.services.grade_decide import extension_drop, extension_grant
from exercises.web.desk_frame import desk_frame
from exercises.web.grade_forms import AssignmentForm, CopyForm, ExtensionForm, NewAssignmentForm
from exercises.web.requests import MemberRequest, signed_in
from grader.marking.text import Text


@require_safe
@signed_in
def assignments(request: MemberRequest, course_slug: str) -> HttpResponse:
    """Every assignment with its dates."""
    member = enrollment_for_staff(user=request.user, course_slug=course_slug)
    shown = {"work": set_work(member.course)}
    return render(request, "exercises/instructor/assignments.html", {**desk_frame(member.course, member.role), **shown})


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def assignment(request: MemberRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """The settings of one assignment."""
    instructor = enrollment_for_instructor(user=request.user, course_slug=course_slug)
    work = _work(instructor, assignment_slug)
    with timezone.override(course_zone(instructor.course)):
        form = AssignmentForm(request.POST if request.method == "POST" else None, row=work.row)
        if request.method == "POST" and form.is_valid():
            try:
                assignment_set(instructor=instructor, slug=work.slug, settings=form.settings())
            except SettingRefused as refusal:
                form.add_error(None, refusal.text.in_language(request.LANGUAGE_CODE))
            else:
                messages.success(request, _("Saved: the settings of the assignment."))
                return redirect("assignment", course_slug=course_slug, assignment_slug=work.slug)
        return _show_assignment(request, instructor, work, form=form)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def assignment_new(request: MemberRequest, course_slug: str) -> HttpResponse:
    """Put an assignment together of single items."""
    instructor = enrollment_for_instructor(user=request.user, course_slug=course_slug)
    lessons = [work for work in set_work(instructor.course) if work.lesson]
    choices = [
        (item.slug, f"{work.title.in_language(request.LANGUAGE_CODE)}: {_title(request, item.title)}")
        for work in lessons
        for item in work.items
    ]
    form = NewAssignmentForm(request.POST if request.method == "POST" else None, choices=choices)
    if request.method == "POST" and form.is_valid():
        told = form.cleaned_data
        title = Text(told["title_zh"], told["title_en"])
        try:
            row = assignment_create(instructor=instructor, title=title, item_slugs=told["items"])
        except SettingRefused as refusal:
            form.add_error(None, refusal.text.in_language(request.LANGUAGE_CODE))
        else:
            return redirect("assignment", course_slug=course_slug, assignment_slug=row.slug)
    status = 422 if request.method == "POST" else 200
    shown = {**desk_frame(instructor.course), "form": form}
    return render(request, "exercises/instructor/assignment_new.html", shown, status=status)


@require_POST
@signed_in
def assignment_act(request: MemberRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Release what waits for a word, take the word back, or dissolve what was put together."""
    instructor = enrollment_for_instructor(user=request.user, course_slug=course_slug)
    work = _work(instructor, assignment_slug)
    act = request.POST.get("act")
    if act == "dissolve" and work.lesson is None:
        try:
            assignment_dissolve(instructor=instructor, slug=work.slug, agreed=request.POST.get("agreed") == "yes")
        except SettingRefused as refusal:
            messages.error(request, refusal.text.in_language(request.LANGUAGE_CODE))
            return redirect("assignment", course_slug=course_slug, assignment_slug=work.slug)
        messages.success(request, _("Dissolved: its exercises are back in their lessons."))
        return redirect("assignments", course_slug=course_slug)
    if act in {"release", "withhold"}:
        assignment_release(instructor=instructor, slug=work.slug, is_released=act == "release")
    return redirect("assignment", course_slug=course_slug, assignment_slug=work.slug)


@require_POST
@signed_in
def extension_create(request: MemberRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """More time for all who bear a label."""
    instructor = enrollment_for_instructor(user=request.user, course_slug=course_slug)
    work = _work(instructor, assignment_slug)
    with timezone.override(course_zone(instructor.course)):
        form = ExtensionForm(request.POST, choices=label_choices(instructor.course))
        if form.is_valid():
            told = form.cleaned_data
            label = instructor.course.labels.get(pk=told["label"])
            try:
                extension_grant(
                    instructor=instructor, slug=work.slug, to=label, due_at=told["due_at"], reason=told["reason"]
                )
            except SettingRefused as refusal:
                form.add_error(None, refusal.text.in_language(request.LANGUAGE_CODE))
            else:
                messages.success(request, _("Saved: %(name)s.") % {"name": label})
                return redirect("assignment", course_slug=course_slug, assignment_slug=work.slug)
        return _show_assignment(request, instructor, work, extension_form=form)


@require_POST
@signed_in
def extension_remove(request: MemberRequest, course_slug: str, extension_id: int) -> HttpResponse:
    """Take more time back."""
    instructor = enrollment_for_instructor(user=request.user, course_slug=course_slug)
    found = extension_for_instructor(user=request.user, course_slug=course_slug, extension_id=extension_id)
    slug = found.assignment.slug
    extension_drop(instructor=instructor, extension=found)
    return redirect("assignment", course_slug=course_slug, assignment_slug=slug)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def copy_course(request: MemberRequest, course_slug: str) -> HttpResponse:
    """Take the course into a new term."""
    instructor = enrollment_for_instructor(user=request.user, course_slug=course_slug)
    title = Text.from_json(instructor.course.title)
    given = {"title_zh": title.zh_hans, "title_en": title.en, "days": 364}
    form = CopyForm(request.POST if request.method == "POST" else None, initial=given)
    if request.method == "POST" and form.is_valid():
        told = form.cleaned_data
        named = Text(told["title_zh"], told["title_en"])
        try:
            new = course_copy(instructor=instructor, slug=told["slug"], title=named, days=told["days"])
        except SettingRefused as refusal:
            form.add_error(None, refusal.text.in_language(request.LANGUAGE_CODE))
        else:
            messages.success(request, _("The new course is there. The old one can only be read from now on."))
            return redirect("assignments", course_slug=new.slug)
    status = 422 if request.method == "POST" else 200
    shown = {**desk_frame(instructor.course), "form": form}
    return render(request, "exercises/instructor/copy.html", shown, status=status)


@require_POST
@signed_in
def reopen_course(request: MemberRequest, course_slug: str) -> HttpResponse:
    """Let a course that is over go on."""
    course_reopen(instructor=enrollment_for_reopening(user=request.user, course_slug=course_slug))
    return redirect("copy_course", course_slug=course_slug)


def _work(instructor: Enrollment, slug: str) -> SetWork:
    work = work_called(set_work(instructor.course), slug)
    if work is None:
        raise Http404(NOT_FOUND)
    return work


def _show_assignment(
    request: MemberRequest,
    instructor: Enrollment,
    work: SetWork,
    *,
    form: AssignmentForm | None = None,
    extension_form: ExtensionForm | None = None,
) -> HttpResponse:
    """The page; a form that was refused keeps what was typed, and says why."""
    labels = label_choices(instructor.course)
    shown = {
        "work": work,
        "form": form or AssignmentForm(row=work.row),
        "extension_form": extension_form or (ExtensionForm(choices=labels) if labels else None),
        "extensions": extensions_of(work.row),
        "decided": decided_about(work.row),
        "void_items": [(item.slug, Text.from_json(item.title)) for item in work.items] if work.is_void else [],
    }
    status = 422 if request.method == "POST" else 200
    return render(
        request, "exercises/instructor/assignment.html", {**desk_frame(instructor.course), **shown}, status=status
    )


def _title(request: MemberRequest, title: dict[str, str]) -> str:
    return Text.from_json(title).in_language(request.LANGUAGE_CODE)
