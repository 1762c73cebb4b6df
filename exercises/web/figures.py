"""What an instructor sees of a class: the overview, the misconceptions, the items. Figures tell of their age."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from exercises.access import enrollment_for_staff
from exercises.models import Enrollment
from exercises.queries.item_tries import WhichTry
from exercises.queries.progress import ProgressOrder, progress_page
from exercises.services.predictions_keep import predictions_kept
from exercises.services.snapshot_refresh import analysis_kept, board_kept, class_kept, overview_kept, unexplained_kept
from exercises.web.desk_frame import desk_frame
from exercises.web.figure_view import (
    FLAGS,
    ORDERS,
    SIGNS,
    TRIES,
    draft_toml,
    predicted_lines,
    progress_view,
    read_choice,
    read_which,
)
from exercises.web.requests import MemberRequest, signed_in


@require_safe
@signed_in
def overview(request: MemberRequest, course_slug: str) -> HttpResponse:
    """Who is stuck and on what, what is hard, what waits, and who works."""
    member = enrollment_for_staff(user=request.user, course_slug=course_slug)
    return _page(request, member, "overview", kept=overview_kept(course=member.course))


@require_safe
@signed_in
def misconceptions(request: MemberRequest, course_slug: str) -> HttpResponse:
    """Which named mistakes the class makes, how many make them, who, where, and what cures them."""
    member = enrollment_for_staff(user=request.user, course_slug=course_slug)
    return _page(request, member, "misconceptions", kept=board_kept(course=member.course))


@require_safe
@signed_in
def unexplained(request: MemberRequest, course_slug: str) -> HttpResponse:
    """Wrong answers that have no name yet, those that are the same together."""
    member = enrollment_for_staff(user=request.user, course_slug=course_slug)
    return _page(request, member, "unexplained", kept=unexplained_kept(course=member.course))


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
    member = enrollment_for_staff(user=request.user, course_slug=course_slug)
    which = read_which(request.GET)
    kept = analysis_kept(course=member.course, which=which)
    return _page(request, member, "item_analysis", kept=kept, which=which, tries=TRIES, flags=FLAGS)


@require_safe
@signed_in
def item_figures(request: MemberRequest, course_slug: str, item_slug: str) -> HttpResponse:
    """One item: what its wrong answers show, its variants, hints and time."""
    member = enrollment_for_staff(user=request.user, course_slug=course_slug)
    which = read_which(request.GET)
    kept = analysis_kept(course=member.course, which=which)
    item = next((each for each in kept.figures.items if each.slug == item_slug), None)
    if item is None:
        raise Http404
    return _page(request, member, "item_figures", kept=kept, item=item, which=which, tries=TRIES, flags=FLAGS)


@require_safe
@signed_in
def predicted(request: MemberRequest, course_slug: str) -> HttpResponse:
    """What simulated learners lead to expect of each item, beside what the first tries of the class show."""
    member = enrollment_for_staff(user=request.user, course_slug=course_slug)
    kept = predictions_kept(course=member.course)
    observed = analysis_kept(course=member.course, which=WhichTry.FIRST)
    lines = predicted_lines(kept.figures, observed.figures) if kept else ()
    return _page(request, member, "predicted", kept=kept, lines=lines)


@require_safe
@signed_in
def progress(request: MemberRequest, course_slug: str) -> HttpResponse:
    """Students × items."""
    member = enrollment_for_staff(user=request.user, course_slug=course_slug)
    choice = read_choice(request.GET)
    figures = class_kept(course=member.course).figures.students if choice.order is not ProgressOrder.NAME else ()
    page = progress_page(member.course, choice, figures)
    is_small = request.GET.get("cells") == "signs"
    shown = {"page": page, "table": progress_view(page.table), "orders": ORDERS, "signs": SIGNS, "is_small": is_small}
    return _page(request, member, "progress", **shown)


def _page(request: MemberRequest, member: Enrollment, name: str, **shown: object) -> HttpResponse:
    frame = desk_frame(member.course, member.role)
    return render(request, f"exercises/instructor/{name}.html", {**frame, **shown})
