"""Regrades of an item: begin one, look at what it would change, and decide; take an item out of the grades."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from exercises.access import enrollment_for_staff, item_for_instructor, regrade_for_instructor
from exercises.enums import ItemKind, RegradeAction, RegradeState
from exercises.models import Course, Item, Regrade
from exercises.queries.item_bank import item_bank, void_items
from exercises.queries.regrades import SHOWN, regrade_changes, regrade_progress, regrades_of
from exercises.services.item_void import item_count_again, item_void
from exercises.services.regrade_decide import (
    RegradeRefused,
    regrade_abandon,
    regrade_apply,
    regrade_begin,
    regrade_pause,
)
from exercises.web.desk_frame import desk_frame
from exercises.web.requests import MemberRequest, signed_in
from exercises.web.words import KINDS
from grader.marking.text import Text

CHANGES_ON_A_PAGE = 100


@require_safe
@signed_in
def bank(request: MemberRequest, course_slug: str) -> HttpResponse:
    """All items with what can be done with each."""
    enrollment = enrollment_for_staff(user=request.user, course_slug=course_slug)
    shown = {
        **desk_frame(enrollment.course, enrollment.role),
        "items": item_bank(enrollment.course),
        "kinds": KINDS,
    }
    return render(request, "exercises/instructor/bank.html", shown)


@require_safe
@signed_in
def regrades(request: MemberRequest, course_slug: str, item_slug: str) -> HttpResponse:
    """The form of a new regrade of an item, and those that were."""
    found = item_for_instructor(user=request.user, course_slug=course_slug, item_slug=item_slug)
    return _show_item(request, found.enrollment.course, found.item)


@require_POST
@signed_in
def regrade_new(request: MemberRequest, course_slug: str, item_slug: str) -> HttpResponse:
    """Begin to try a regrade; nothing is written to a mark."""
    found = item_for_instructor(user=request.user, course_slug=course_slug, item_slug=item_slug)
    course, action = found.enrollment.course, request.POST.get("action", "")
    try:
        regrade = regrade_begin(
            instructor=request.user,
            course=course,
            item=found.item,
            action=RegradeAction(action) if action in set(RegradeAction) else RegradeAction.REMARK,
            reason=request.POST.get("reason", ""),
        )
    except RegradeRefused as refusal:
        return _show_item(request, course, found.item, refusal.text)
    return redirect("regrade", course_slug=course_slug, regrade_id=regrade.public_id)


@require_POST
@signed_in
def void(request: MemberRequest, course_slug: str, item_slug: str) -> HttpResponse:
    """Take the item out of the grades, or let it count again."""
    found = item_for_instructor(user=request.user, course_slug=course_slug, item_slug=item_slug)
    course = found.enrollment.course
    if request.POST.get("act") == "count":
        item_count_again(instructor=request.user, course=course, item=found.item)
        messages.success(request, _("The exercise counts again."))
    else:
        item_void(instructor=request.user, course=course, item=found.item, reason=request.POST.get("reason", ""))
        messages.success(request, _("The exercise does not count any more. Its marks can still be read."))
    return redirect("regrades", course_slug=course_slug, item_slug=item_slug)


@require_safe
@signed_in
def regrade(request: MemberRequest, course_slug: str, regrade_id: UUID) -> HttpResponse:
    """How far a regrade is, whose marks it changes and why."""
    found = regrade_for_instructor(user=request.user, course_slug=course_slug, regrade_id=regrade_id)
    return _show_regrade(request, found)


@require_POST
@signed_in
def regrade_decide(request: MemberRequest, course_slug: str, regrade_id: UUID) -> HttpResponse:
    """Apply, pause, go on, or give up."""
    found = regrade_for_instructor(user=request.user, course_slug=course_slug, regrade_id=regrade_id)
    match request.POST.get("act"):
        case "apply":
            regrade_apply(instructor=request.user, regrade=found)
        case "pause":
            regrade_pause(instructor=request.user, regrade=found, is_paused=True)
        case "go_on":
            regrade_pause(instructor=request.user, regrade=found, is_paused=False)
        case "abandon":
            regrade_abandon(instructor=request.user, regrade=found)
    return redirect("regrade", course_slug=course_slug, regrade_id=regrade_id)


def _show_item(request: MemberRequest, course: Course, item: Item, refusal: Text | None = None) -> HttpResponse:
    shown = {
        **desk_frame(course),
        "item": item,
        "title": Text.from_json(item.title),
        "regrades": regrades_of(course, item),
        "can_remark": item.kind != ItemKind.FREE_TEXT,
        "is_void": item.pk in void_items(course),
        "refusal": refusal,
        "typed": request.POST,
    }
    return render(request, "exercises/instructor/regrades.html", shown, status=422 if refusal else 200)


def _show_regrade(request: MemberRequest, found: Regrade) -> HttpResponse:
    page = request.GET.get("page", "")
    number = int(page) if page.isdecimal() and len(page) < 6 and int(page) else 1  # noqa: PLR2004 -- no regrade has more pages
    progress = regrade_progress(found)
    changing = sum(progress.counts.get(outcome, 0) for outcome in SHOWN)
    is_running = found.state in {RegradeState.TRYING, RegradeState.APPLYING}
    shown = {
        **desk_frame(found.course),
        "regrade": found,
        "title": Text.from_json(found.item.title),
        "progress": progress,
        "done": progress.settled if found.state == RegradeState.APPLYING else progress.tried,
        "changes": regrade_changes(found, first=(number - 1) * CHANGES_ON_A_PAGE, count=CHANGES_ON_A_PAGE),
        "is_running": is_running and not found.is_paused,
        "may_pause": is_running,
        "page": number,
        "pages": max(1, -(-changing // CHANGES_ON_A_PAGE)),
    }
    return render(request, "exercises/instructor/regrade.html", shown)
