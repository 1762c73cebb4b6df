"""Run a program without counting it, and see what came of it."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import reswap, retarget

from exercises.access import NOT_FOUND, attempt_for_user, run_for_user
from exercises.dispatch import BrokerAway
from exercises.enums import ItemKind
from exercises.models import Attempt, Run
from exercises.queries.lesson_page import item_on_page
from exercises.queries.run_view import run_view
from exercises.services.job_limit import TooManyPending, seconds_until_free
from exercises.services.run_create import run_create
from exercises.services.run_wait import run_wait
from exercises.web.code_form import CodeForm, read_code_form
from exercises.web.item_view import Feedback, item_view
from exercises.web.requests import MemberRequest, signed_in, whole_number
from exercises.web.result_view import poll_pause_ms
from grader.marking.response import ResponseError

AWAY_SECONDS = 10


@require_POST
@signed_in
def run(request: MemberRequest, course_slug: str, item_slug: str, attempt_id: UUID) -> HttpResponse:
    """Run what is in the form; the form stays as it is, whatever comes of it."""
    attempt = attempt_for_user(user=request.user, course_slug=course_slug, item_slug=item_slug, attempt_id=attempt_id)
    if attempt.item.kind != ItemKind.CODE:
        raise Http404(NOT_FOUND)
    form = CodeForm(code=request.POST.get("code", ""), call=request.POST.get("call", ""))
    try:
        form = read_code_form(request.POST, request.FILES)
        made = run_create(attempt=attempt, code=form.code, call=form.call)
    except ResponseError as refusal:
        return _show(request, attempt, form, Feedback(problems=refusal.problems), status=422)
    except TooManyPending:
        seconds = seconds_until_free()
        return _show(request, attempt, form, Feedback(crowded_seconds=seconds), status=429, retry_after=seconds)
    except BrokerAway:
        # The script shows no 503, since that may be a proxy's own page.
        status = 200 if request.htmx else 503
        return _show(request, attempt, form, Feedback(cannot_run=True), status=status, retry_after=AWAY_SECONDS)
    made = run_wait(run=made)
    if not request.htmx:
        return redirect("run", run_id=made.public_id)
    return _show(request, attempt, form, _feedback(made))


@require_safe
@signed_in
def run_page(request: MemberRequest, run_id: UUID) -> HttpResponse:
    """The exercise with the code that was run and what came of it: where a browser without scripts is led."""
    found = run_for_user(user=request.user, run_id=run_id)
    view = item_view(found.attempt.enrollment.course.slug, item_on_page(found.attempt), _feedback(found))
    place = {"lesson_slug": found.attempt.item.lesson.slug, "looks": 0, "pause_ms": poll_pause_ms(0)}
    return render(request, "exercises/student/run.html", {"item": view, **place})


@require_safe
@signed_in
def run_result(request: MemberRequest, run_id: UUID) -> HttpResponse:
    """The part of a page that waits for a run, asked for again and again until it is there."""
    found = run_for_user(user=request.user, run_id=run_id)
    view = item_view(found.attempt.enrollment.course.slug, item_on_page(found.attempt), _feedback(found))
    looks = whole_number(request.GET.get("looks", "")) or 0
    waiting = {"looks": looks + 1, "pause_ms": poll_pause_ms(looks + 1)}
    return render(request, "exercises/partials/run_part.html", {"item": view, **waiting})


def _feedback(found: Run) -> Feedback:
    return Feedback(typed={"code": found.code}, call=found.call, is_run=True, run=run_view(found))


def _show(
    request: MemberRequest,
    attempt: Attempt,
    form: CodeForm,
    feedback: Feedback,
    *,
    status: int = 200,
    retry_after: int = 0,
) -> HttpResponse:
    """The run alone, beside a form that stays as it is; the whole exercise where the form has to show a file's text."""
    is_part = bool(request.htmx) and not form.is_file
    told = replace(feedback, typed={"code": form.code}, call=form.call, is_run=True)
    view = item_view(attempt.enrollment.course.slug, item_on_page(attempt), told)
    template = "run_part" if is_part else "item_part" if request.htmx else ""
    page = f"exercises/partials/{template}.html" if template else "exercises/student/item.html"
    place = {"lesson_slug": attempt.item.lesson.slug, "looks": 0, "pause_ms": poll_pause_ms(0)}
    response = render(request, page, {"item": view, **place}, status=status)
    if retry_after:
        response["Retry-After"] = str(retry_after)
    if request.htmx and not is_part:
        return reswap(retarget(response, f"#item-{attempt.item.slug}"), "outerHTML")
    return response
