"""The instructor's pages: progress, misconceptions seen, quick checks to read and mark."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from exercises.access import enrollment_for_instructor, submission_for_instructor
from exercises.models import Course
from exercises.queries.misconceptions import misconceptions_seen
from exercises.queries.progress import progress_table
from exercises.queries.quick_checks import quick_check_answers
from exercises.services.mark_by_instructor import MarkRefused, mark_by_instructor
from exercises.web.desk_view import RefusedMark, answer_views, progress_view, seen_views
from exercises.web.requests import MemberRequest, signed_in
from grader.marking.text import Text


@require_safe
@signed_in
def progress(request: MemberRequest, course_slug: str) -> HttpResponse:
    """Students × items."""
    course = enrollment_for_instructor(user=request.user, course_slug=course_slug).course
    table = progress_view(progress_table(course))
    return render(request, "exercises/instructor/progress.html", {**_heading(course), "table": table})


@require_safe
@signed_in
def misconceptions(request: MemberRequest, course_slug: str) -> HttpResponse:
    """Which named mistakes the class makes, how many make them, who and where."""
    course = enrollment_for_instructor(user=request.user, course_slug=course_slug).course
    seen = seen_views(misconceptions_seen(course), progress_table(course).columns)
    return render(request, "exercises/instructor/misconceptions.html", {**_heading(course), "seen": seen})


@require_safe
@signed_in
def quick_checks(request: MemberRequest, course_slug: str) -> HttpResponse:
    """Answers in the learners' own words, each with a place for a mark and a comment."""
    course = enrollment_for_instructor(user=request.user, course_slug=course_slug).course
    return _show_desk(request, course)


@require_POST
@signed_in
def mark(request: MemberRequest, submission_id: UUID) -> HttpResponse:
    """Give a mark and a comment; a refused one says why and keeps what was written."""
    found = submission_for_instructor(user=request.user, submission_id=submission_id)
    course, student = found.attempt.enrollment.course, found.attempt.enrollment.user
    score, comment = request.POST.get("score", ""), request.POST.get("comment", "").replace("\r\n", "\n")
    try:
        mark_by_instructor(instructor=request.user, submission=found, score=_score(score), comment=comment)
    except MarkRefused as refusal:
        return _show_desk(request, course, RefusedMark(submission_id, str(student), refusal.text, comment))
    messages.success(request, _("Saved: the mark of %(name)s.") % {"name": student})
    desk = reverse("quick_checks", kwargs={"course_slug": course.slug})
    return redirect(f"{desk}#answer-{submission_id}")


def _show_desk(request: MemberRequest, course: Course, refused: RefusedMark | None = None) -> HttpResponse:
    """The desk; a refused mark stands on top, since its answer may have been replaced and be gone from the list."""
    answers = answer_views(quick_check_answers(course), refused)
    shown = {**_heading(course), "answers": answers, "refused": refused}
    return render(request, "exercises/instructor/quick_checks.html", shown, status=422 if refused else 200)


def _heading(course: Course) -> dict[str, object]:
    """What the frame of the instructor's pages shows."""
    return {"course": course, "course_title": Text.from_json(course.title)}


def _score(text: str) -> Decimal:
    """What is no number becomes one that the service refuses with its own words."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return Decimal("NaN")
