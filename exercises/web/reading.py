"""Reading: my courses, a course, a lesson with its items in place."""

from __future__ import annotations

from functools import partial
from typing import Final

from django.http import HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from exercises.access import enrollment_for_user, lesson_for_user
from exercises.queries.glossary import glossary as glossary_terms
from exercises.queries.glossary import search_glossary
from exercises.queries.lesson_page import lesson_page
from exercises.queries.lesson_stamp import lesson_stamp
from exercises.queries.outline import lesson_after, my_enrollments
from exercises.services.attempt_start import attempts_open
from exercises.web.course_view import course_views
from exercises.web.glossary_view import group_views
from exercises.web.item_markup import item_markup
from exercises.web.lesson_view import lesson_view
from exercises.web.preferences import preferences_of
from exercises.web.requests import MemberRequest, signed_in
from exercises.web.words import ITEM_STATES

LONGEST_QUERY: Final = 100
# In the address of a lesson: its page loads itself again when the content has changed.
WATCH: Final = "watch"


@require_safe
@signed_in
def home(request: MemberRequest) -> HttpResponse:
    """The courses of the reader side by side; with only one, that one."""
    enrollments = my_enrollments(request.user)
    if len(enrollments) == 1:
        return redirect("course", course_slug=enrollments[0].course.slug)
    return render(request, "exercises/student/home.html", {"courses": course_views(enrollments)})


@require_safe
@signed_in
def course(request: MemberRequest, course_slug: str) -> HttpResponse:
    """The one next step, what is due, and the lessons with what is done."""
    (view,) = course_views([enrollment_for_user(user=request.user, course_slug=course_slug)])
    return render(request, "exercises/student/course.html", {"course": view, "signs": ITEM_STATES})


@require_safe
@signed_in
def lesson(request: MemberRequest, course_slug: str, lesson_slug: str) -> HttpResponse:
    """A lesson: prose, and the items where they belong."""
    found = lesson_for_user(user=request.user, course_slug=course_slug, lesson_slug=lesson_slug)
    chosen = preferences_of(request)
    layout = chosen.layout
    opened = attempts_open(enrollment=found.enrollment, lesson=found.lesson, convention=layout)
    page = lesson_page(found.enrollment, found.lesson, opened)
    markup = partial(item_markup, course_slug, token=get_token(request), reader=chosen)
    terms = glossary_terms(found.enrollment.course.curriculum)
    view = lesson_view(found.enrollment.course, page, lesson_after(found.lesson), markup, terms, layout)
    stamp = lesson_stamp(found.lesson) if WATCH in request.GET else ""
    return render(request, "exercises/student/lesson.html", {"lesson": view, "stamp": stamp})


@require_safe
@signed_in
def stamp(request: MemberRequest, course_slug: str, lesson_slug: str) -> HttpResponse:
    """Which versions the lesson has now, for a page that watches it while its author writes."""
    found = lesson_for_user(user=request.user, course_slug=course_slug, lesson_slug=lesson_slug)
    return HttpResponse(lesson_stamp(found.lesson), content_type="text/plain")


@require_safe
@signed_in
def glossary(request: MemberRequest, course_slug: str) -> HttpResponse:
    """Every term in both languages, or those that a search finds."""
    course = enrollment_for_user(user=request.user, course_slug=course_slug).course
    query = request.GET.get("q", "").strip()[:LONGEST_QUERY]
    found = search_glossary(glossary_terms(course.curriculum), query)
    shown = {"course": course, "query": query, "groups": group_views(found), "count": len(found)}
    return render(request, "exercises/student/glossary.html", shown)
