"""Answering: send a response to an item, see what came back, take another variant."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from uuid import UUID

from django.http import HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from exercises.access import attempt_for_user, item_for_user, submission_for_user
from exercises.enums import ItemKind
from exercises.models import Attempt, Submission, User
from exercises.queries.lesson_page import ItemOnPage, item_on_page
from exercises.queries.self_assessment import self_assessments
from exercises.queries.submission_view import submission_stage, submission_view, try_number
from exercises.queries.terms import Terms
from exercises.services.attempt_start import attempt_start
from exercises.services.draft_save import draft_answered
from exercises.services.job_limit import TooManyPending, seconds_until_free
from exercises.services.submission_create import NoTriesLeft, submission_create
from exercises.services.submission_wait import submission_wait
from exercises.web.code_form import read_code_form
from exercises.web.item_markup import item_markup
from exercises.web.item_view import Feedback, item_view
from exercises.web.preferences import preferences_of
from exercises.web.requests import MemberRequest, signed_in, whole_number
from exercises.web.responses import read_pairs, read_response, read_seed
from exercises.web.result_view import poll_pause_ms
from grader.marking.response import ResponseError


@require_POST
@signed_in
def submit(request: MemberRequest, course_slug: str, item_slug: str, attempt_id: UUID) -> HttpResponse:
    """Take a response; what cannot be taken comes back as it was typed, with the place and the remedy."""
    attempt = attempt_for_user(user=request.user, course_slug=course_slug, item_slug=item_slug, attempt_id=attempt_id)
    response = read_response(attempt, request.POST)
    call = request.POST.get("call", "")
    try:
        if attempt.item.kind == ItemKind.CODE:
            response = {"code": read_code_form(request.POST, request.FILES).code}
        submitted = submission_create(attempt=attempt, raw_response=response)
    except ResponseError as refusal:
        return show_item(request, attempt, Feedback(typed=response, problems=refusal.problems, call=call), status=422)
    except NoTriesLeft:
        return show_item(request, attempt, Feedback(typed=response, is_spent=True, call=call), status=409)
    except TooManyPending:
        seconds = seconds_until_free()
        crowded = show_item(request, attempt, Feedback(typed=response, crowded_seconds=seconds, call=call), status=429)
        crowded["Retry-After"] = str(seconds)
        return crowded
    draft_answered(attempt=attempt, version=request.POST.get("draft", ""), sent=read_pairs(request.POST))
    submission = submitted.submission
    if submission.kind == ItemKind.CODE:
        submission = submission_wait(submission=submission)
    if submitted.is_repeat:
        repeated = page_of(submission, viewer=request.user, terms=submitted.terms)
        return show_item(request, attempt, Feedback(repeats_try=repeated.try_number, call=call), page=repeated)
    return _answer(request, submission, Feedback(call=call), submitted.terms)


@require_POST
@signed_in
def another(request: MemberRequest, course_slug: str, item_slug: str) -> HttpResponse:
    """Another variant of the same item, or the one of a seed that somebody has passed on."""
    found = item_for_user(user=request.user, course_slug=course_slug, item_slug=item_slug)
    seed = read_seed(request.POST)
    layout = preferences_of(request).layout
    attempt = attempt_start(enrollment=found.enrollment, item=found.item, fresh=True, seed=seed, convention=layout)
    return (
        show_item(request, attempt, Feedback())
        if request.htmx
        else redirect(place_of(attempt, in_review=is_in_review(request)))
    )


@require_safe
@signed_in
def submission(request: MemberRequest, submission_id: UUID) -> HttpResponse:
    """One submission with all that is known of it: the address that a learner keeps or an instructor is sent."""
    found = submission_for_user(user=request.user, submission_id=submission_id)
    view = item_view(found.attempt.enrollment.course.slug, page_of(found, viewer=request.user))
    is_own = found.attempt.enrollment.user_id == request.user.pk
    return render(request, "exercises/student/submission.html", {"item": view, "is_own": is_own})


@require_safe
@signed_in
def result(request: MemberRequest, submission_id: UUID) -> HttpResponse:
    """The part of a page that waits for a result, asked for again and again until it is there."""
    found = submission_for_user(user=request.user, submission_id=submission_id)
    view = item_view(found.attempt.enrollment.course.slug, page_of(found, viewer=request.user))
    looks = whole_number(request.GET.get("looks", "")) or 0
    waiting = {"looks": looks + 1, "pause_ms": poll_pause_ms(looks + 1)}
    # Whoever only reads it has nothing round about that could change.
    is_own = found.attempt.enrollment.user_id == request.user.pk
    shown = {"item": view, "is_part": is_own, "is_read_only": not is_own, **waiting}
    return render(request, "exercises/partials/result.html", shown)


def page_of(found: Submission, *, viewer: User, terms: Terms | None = None) -> ItemOnPage:
    """The item with this submission in it, even if a later one exists; marks are kept back from its student only."""
    page = item_on_page(found.attempt, terms)
    is_withheld = found.attempt.enrollment.user_id == viewer.pk and not page.terms.shows_feedback(timezone.now())
    number = try_number(found) if found.counted else 0
    return replace(
        page,
        latest=submission_view(found, is_withheld=is_withheld),
        stage=submission_stage(found, is_withheld=is_withheld),
        earlier_try=number,
        assessment=None if is_withheld else self_assessments([found]).get(found.pk),
    )


def _answer(request: MemberRequest, found: Submission, feedback: Feedback, terms: Terms) -> HttpResponse:
    if request.htmx:
        return show_item(request, found.attempt, feedback, page=item_on_page(found.attempt, terms))
    if not submission_view(found).is_settled and found.kind == ItemKind.CODE:
        return redirect("submission", submission_id=found.public_id)
    return redirect(place_of(found.attempt, in_review=is_in_review(request)))


def show_item(
    request: MemberRequest, attempt: Attempt, feedback: Feedback, *, status: int = 200, page: ItemOnPage | None = None
) -> HttpResponse:
    """The item alone: the part that is swapped in, or without scripts a page of its own that keeps what was typed."""
    course_slug, page = attempt.enrollment.course.slug, page or item_on_page(attempt)
    place = {"lesson_slug": attempt.item.lesson.slug, "pause_ms": poll_pause_ms(0), "looks": 0}
    template = "exercises/partials/item_part.html" if request.htmx else "exercises/student/item.html"
    # The item as its lesson shows it, and finds it kept: rendered only if the template asks for it.
    kept = partial(item_markup, course_slug, page, token=get_token(request), reader=preferences_of(request))
    markup = kept if feedback == Feedback() and not is_in_review(request) else None
    shown = {"item": item_view(course_slug, page, feedback), "markup": markup, **place}
    return render(request, template, shown, status=status)


def is_in_review(request: MemberRequest) -> bool:
    """Whether the request comes from an item that is being reviewed, which then stays where it is."""
    return bool(request.GET.get("review"))


def place_of(attempt: Attempt, *, in_review: bool = False) -> str:
    """Where an attempt is on a page: in its lesson, or alone on the page of its numbers if the lesson shows others."""
    course, found = attempt.enrollment.course.slug, attempt.item
    if in_review:
        return f"{reverse('item', args=[course, found.slug])}?seed={attempt.seed}&review=1"
    if attempt.item.attempts.filter(enrollment=attempt.enrollment, number__gt=attempt.number).exists():
        return f"{reverse('item', args=[course, found.slug])}?seed={attempt.seed}"
    return f"{reverse('lesson', args=[course, found.lesson.slug])}#item-{found.slug}"
