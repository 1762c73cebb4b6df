"""The instructor's pages: progress, misconceptions seen, quick checks to read and mark."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from exercises.access import enrollment_for_instructor, submission_for_instructor
from exercises.models import Course
from exercises.queries.misconceptions import misconceptions_seen
from exercises.queries.progress import progress_table
from exercises.queries.quick_checks import quick_check_answers
from exercises.services.mark_by_instructor import MarkRefused, mark_by_instructor
from exercises.web.desk_view import answer_views, progress_view, seen_views
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
    answers = answer_views(quick_check_answers(course))
    return render(request, "exercises/instructor/quick_checks.html", {**_heading(course), "answers": answers})


@require_POST
@signed_in
def mark(request: MemberRequest, submission_id: UUID) -> HttpResponse:
    """Give a mark and a comment; a refused one says why and keeps the place."""
    found = submission_for_instructor(user=request.user, submission_id=submission_id)
    comment = request.POST.get("comment", "").replace("\r\n", "\n")
    try:
        mark_by_instructor(
            instructor=request.user, submission=found, score=_score(request.POST.get("score", "")), comment=comment
        )
        messages.success(request, _("Saved: the mark of %(name)s.") % {"name": found.attempt.enrollment.user})
    except MarkRefused as refusal:
        messages.error(request, refusal.text.in_language(get_language() or "zh-hans"))
    desk = reverse("quick_checks", kwargs={"course_slug": found.attempt.enrollment.course.slug})
    return redirect(f"{desk}#answer-{submission_id}")


def _heading(course: Course) -> dict[str, object]:
    """What the frame of the instructor's pages shows."""
    return {"course": course, "course_title": Text.from_json(course.title)}


def _score(text: str) -> Decimal:
    """What is no number becomes one that the service refuses with its own words."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return Decimal("NaN")
