"""Help with an item: the next hint, the solution, and the item on a page of its own with the numbers of a seed."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from exercises.access import attempt_for_user, item_for_user
from exercises.models import Attempt
from exercises.queries.help import attempt_on_seed
from exercises.queries.lesson_page import item_on_page
from exercises.services.attempt_start import attempt_start
from exercises.services.hint_take import HintTooSoon, NoHintLeft, hint_take
from exercises.services.solution_show import SolutionNotYet, solution_show
from exercises.web.answering import is_in_review, place_of, show_item
from exercises.web.item_view import Feedback, item_view
from exercises.web.preferences import preferences_of
from exercises.web.requests import MemberRequest, signed_in
from exercises.web.responses import read_response, read_seed


@require_POST
@signed_in
def hint(request: MemberRequest, course_slug: str, item_slug: str, attempt_id: UUID) -> HttpResponse:
    """The next hint; too soon after the last one, how long to wait for it. What is typed stays on the page."""
    attempt = attempt_for_user(user=request.user, course_slug=course_slug, item_slug=item_slug, attempt_id=attempt_id)
    try:
        hint_take(attempt=attempt)
    except HintTooSoon as early:
        return _show_hints(request, attempt, wait_seconds=early.seconds)
    except NoHintLeft:  # a page that was left open shows the button still
        return _show_hints(request, attempt)
    return _show_hints(request, attempt, is_hint_new=True)


@require_POST
@signed_in
def solution(request: MemberRequest, course_slug: str, item_slug: str, attempt_id: UUID) -> HttpResponse:
    """Show the solution, where enough was tried; otherwise the item stays as it is."""
    attempt = attempt_for_user(user=request.user, course_slug=course_slug, item_slug=item_slug, attempt_id=attempt_id)
    try:
        solution_show(attempt=attempt)
    except SolutionNotYet:
        return show_item(request, attempt, Feedback(), status=409)
    return (
        show_item(request, attempt, Feedback())
        if request.htmx
        else redirect(place_of(attempt, in_review=is_in_review(request)))
    )


@require_safe
@signed_in
def item(request: MemberRequest, course_slug: str, item_slug: str) -> HttpResponse:
    """The item alone. With a seed that somebody has passed on it is on those numbers, once the reader has taken them."""
    found = item_for_user(user=request.user, course_slug=course_slug, item_slug=item_slug)
    seed = read_seed(request.GET)
    mine = None if seed is None else attempt_on_seed(found.enrollment, found.item, seed)
    offered = seed if seed is not None and mine is None else None
    layout = preferences_of(request).layout
    attempt = mine or attempt_start(enrollment=found.enrollment, item=found.item, convention=layout)
    return show_item(request, attempt, Feedback(offered_seed=offered))


def _show_hints(
    request: MemberRequest, attempt: Attempt, *, wait_seconds: int = 0, is_hint_new: bool = False
) -> HttpResponse:
    """The hints alone, to be put into the page; without scripts the whole item, with all that was typed."""
    page = item_on_page(attempt)
    typed = read_response(attempt, request.POST)
    is_as_sent = page.latest is not None and page.latest.raw_response == typed
    feedback = Feedback(typed=None if is_as_sent else typed, hint_wait_seconds=wait_seconds, is_hint_new=is_hint_new)
    status = 429 if wait_seconds else 200
    if request.htmx:
        view = item_view(attempt.enrollment.course.slug, page, feedback)
        response = render(request, "exercises/partials/help.html", {"item": view}, status=status)
    else:
        response = show_item(request, attempt, feedback, status=status)
    if wait_seconds:
        response["Retry-After"] = str(wait_seconds)
    return response
