"""What an instructor sees of a class: the overview, the misconceptions, the items. Figures tell of their age."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from exercises.access import enrollment_for_staff
from exercises.models import Course
from exercises.queries.progress import ProgressOrder, progress_page
from exercises.services.snapshot_refresh import analysis_kept, board_kept, class_kept, overview_kept, unexplained_kept
from exercises.web.figure_view import (
    FLAGS,
    ORDERS,
    TRIES,
    draft_toml,
    progress_view,
    read_choice,
    read_which,
)
from exercises.web.requests import MemberRequest, signed_in
from grader.marking.text import Text


@require_safe
@signed_in
def overview(request: MemberRequest, course_slug: str) -> HttpResponse:
    """Who is stuck and on what, what is hard, what waits, and who works."""
    course = enrollment_for_staff(user=request.user, course_slug=course_slug).course
    return _page(request, course, "overview", kept=overview_kept(course=course))


@require_safe
@signed_in
def misconceptions(request: MemberRequest, course_slug: str) -> HttpResponse:
    """Which named mistakes the class makes, how many make them, who, where, and what cures them."""
    course = enrollment_for_staff(user=request.user, course_slug=course_slug).course
    return _page(request, course, "misconceptions", kept=board_kept(course=course))


@require_safe
@signed_in
def unexplained(request: MemberRequest, course_slug: str) -> HttpResponse:
    """Wrong answers that have no name yet, those that are the same together."""
    course = enrollment_for_staff(user=request.user, course_slug=course_slug).course
    return _page(request, course, "unexplained", kept=unexplained_kept(course=course))


@require_safe
@signed_in
def misconception_draft(request: MemberRequest, course_slug: str, item_slug: str, key: str) -> HttpResponse:
    """The beginning of a new misconception, in the form in which authors write them."""
    course = enrollment_for_staff(user=request.user, course_slug=course_slug).course
    groups = unexplained_kept(course=course).figures.groups
    group = next((each for each in groups if (each.item_slug, each.key) == (item_slug, key)), None)
    if group is None:
        raise Http404
    file = HttpResponse(draft_toml(group), content_type="application/toml; charset=utf-8")
    file["Content-Disposition"] = f'attachment; filename="{item_slug}-{key}.toml"'
    file["Content-Language"] = get_language() or "zh-hans"
    return file


@require_safe
@signed_in
def item_analysis(request: MemberRequest, course_slug: str) -> HttpResponse:
    """Every item with its figures, and what to look at."""
    course = enrollment_for_staff(user=request.user, course_slug=course_slug).course
    which = read_which(request.GET)
    kept = analysis_kept(course=course, which=which)
    return _page(request, course, "item_analysis", kept=kept, which=which, tries=TRIES, flags=FLAGS)


@require_safe
@signed_in
def item_figures(request: MemberRequest, course_slug: str, item_slug: str) -> HttpResponse:
    """One item: what its wrong answers show, its variants, hints and time."""
    course = enrollment_for_staff(user=request.user, course_slug=course_slug).course
    which = read_which(request.GET)
    kept = analysis_kept(course=course, which=which)
    item = next((each for each in kept.figures.items if each.slug == item_slug), None)
    if item is None:
        raise Http404
    return _page(request, course, "item_figures", kept=kept, item=item, which=which, tries=TRIES, flags=FLAGS)


@require_safe
@signed_in
def progress(request: MemberRequest, course_slug: str) -> HttpResponse:
    """Students × items."""
    course = enrollment_for_staff(user=request.user, course_slug=course_slug).course
    choice = read_choice(request.GET)
    figures = class_kept(course=course).figures.students if choice.order is not ProgressOrder.NAME else ()
    page = progress_page(course, choice, figures)
    return _page(request, course, "progress", page=page, table=progress_view(page.table), orders=ORDERS)


def _page(request: MemberRequest, course: Course, name: str, **shown: object) -> HttpResponse:
    """A page of the desk: its frame shows the course."""
    frame = {"course": course, "course_title": Text.from_json(course.title)}
    return render(request, f"exercises/instructor/{name}.html", {**frame, **shown})
