"""The instructor's pages: progress, misconceptions seen."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from exercises.access import enrollment_for_instructor
from exercises.models import Course
from exercises.queries.misconceptions import misconceptions_seen
from exercises.queries.progress import progress_table
from exercises.web.desk_view import progress_view, seen_views
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


def _heading(course: Course) -> dict[str, object]:
    """What the frame of the instructor's pages shows."""
    return {"course": course, "course_title": Text.from_json(course.title)}
