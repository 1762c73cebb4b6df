"""One student as an instructor sees them: what they did, answer by answer, and what is noted about them."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from exercises.access import (
    enrollment_for_instructor,
    enrollment_for_staff,
    student_for_staff,
    submission_for_instructor,
)
from exercises.enums import Role
from exercises.models import Enrollment
from exercises.queries.assignments import set_work
from exercises.queries.course_time import course_zone
from exercises.queries.grade_cell import extensions_for
from exercises.queries.replay import replay as replay_query
from exercises.queries.student_page import student_page
from exercises.services.assignment_set import SettingRefused
from exercises.services.grade_decide import extension_grant
from exercises.services.note_write import LONGEST_NOTE, NoteRefused, note_write
from exercises.web.desk_frame import desk_frame
from exercises.web.figure_view import answer_words
from exercises.web.grade_forms import StudentExtensionForm
from exercises.web.requests import MemberRequest, signed_in
from exercises.web.words import VERDICTS
from grader.marking.text import Text


@require_safe
@signed_in
def student(request: MemberRequest, course_slug: str, member_id: int) -> HttpResponse:
    """The timeline and the notes."""
    found = student_for_staff(user=request.user, course_slug=course_slug, member_id=member_id)
    return _show(request, found)


@require_POST
@signed_in
def student_note(request: MemberRequest, course_slug: str, member_id: int) -> HttpResponse:
    """Add a note; one that says nothing comes back."""
    found = student_for_staff(user=request.user, course_slug=course_slug, member_id=member_id)
    text = request.POST.get("text", "")
    try:
        note_write(author=request.user, student=found, text=text)
    except NoteRefused:
        return _show(request, found, refused=text)
    messages.success(request, _("The note is kept."))
    return redirect(f"{reverse('student', args=[course_slug, member_id])}#notes")


@require_POST
@signed_in
def student_extension(request: MemberRequest, course_slug: str, member_id: int) -> HttpResponse:
    """More time for the student; what was refused comes back with the reason."""
    instructor = enrollment_for_instructor(user=request.user, course_slug=course_slug)
    found = student_for_staff(user=request.user, course_slug=course_slug, member_id=member_id)
    with timezone.override(course_zone(found.course)):
        form = StudentExtensionForm(request.POST, choices=_dated(request, found))
        if form.is_valid():
            told = form.cleaned_data
            try:
                extension_grant(
                    instructor=instructor,
                    slug=told["assignment"],
                    to=found,
                    due_at=told["due_at"],
                    reason=told["reason"],
                )
            except SettingRefused as refusal:
                form.add_error(None, refusal.text.in_language(request.LANGUAGE_CODE))
            else:
                messages.success(request, _("Saved: %(name)s.") % {"name": found.user})
                return redirect(f"{reverse('student', args=[course_slug, member_id])}#more-time")
        return _show(request, found, extension_form=form)


@require_safe
@signed_in
def replay(request: MemberRequest, submission_id: UUID) -> HttpResponse:
    """A stored answer marked once more, beside the mark that was stored."""
    submission = submission_for_instructor(user=request.user, submission_id=submission_id)
    enrollment = submission.attempt.enrollment
    shown = {
        **desk_frame(enrollment.course),
        "member": enrollment,
        "submission": submission,
        "item_title": Text.from_json(submission.attempt.item.title),
        "answer": answer_words(submission.raw_response),
        "found": replay_query(submission),
        "verdicts": VERDICTS,
    }
    return render(request, "exercises/instructor/replay.html", shown)


def _dated(request: MemberRequest, found: Enrollment) -> list[tuple[str, str]]:
    """The assignments that have a due date, for a form."""
    dated = (work for work in set_work(found.course) if work.terms.due_at)
    return [(work.slug, work.title.in_language(request.LANGUAGE_CODE)) for work in dated]


def _show(
    request: MemberRequest,
    found: Enrollment,
    refused: str | None = None,
    extension_form: StudentExtensionForm | None = None,
) -> HttpResponse:
    page = student_page(found)
    answers = [(event, answer_words(event.sent.raw_response) if event.sent else "") for event in page.events]
    reader = enrollment_for_staff(user=request.user, course_slug=found.course.slug)
    may_decide = reader.role == Role.INSTRUCTOR
    dated = _dated(request, found) if may_decide else []
    titles = {work.slug: work.title for work in set_work(found.course)}
    extensions = [
        (titles[each.assignment.slug], each) for each in extensions_for(found) if each.assignment.slug in titles
    ]
    is_refused = refused is not None or extension_form is not None
    shown = {
        **desk_frame(found.course, reader.role),
        "member": found,
        "may_decide": may_decide,
        "extensions": extensions,
        "extension_form": extension_form or (StudentExtensionForm(choices=dated) if dated else None),
        "page": page,
        "events": answers,
        "verdicts": VERDICTS,
        "refused": refused,
        "longest_note": LONGEST_NOTE,
    }
    return render(request, "exercises/instructor/student.html", shown, status=422 if is_refused else 200)
