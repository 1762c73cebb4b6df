"""Asking about an item and reporting a problem, and the thread that follows, for both sides."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from exercises.access import attempt_for_user, question_for_user
from exercises.enums import QuestionKind
from exercises.models import Attempt, Submission
from exercises.queries.definitions import attempt_content
from exercises.queries.threads import thread
from exercises.services.question import (
    LONGEST_TEXT,
    MOST_OPEN,
    NothingSaid,
    TooManyOpen,
    question_ask,
    question_close,
    question_reply,
)
from exercises.web.accounts import allowed
from exercises.web.requests import MemberRequest, signed_in
from exercises.web.words import QUESTION_STATES

REFUSED: Final = 422
TOO_MANY: Final = 429
PAUSE_SECONDS: Final = 60


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def ask(request: MemberRequest, course_slug: str, item_slug: str, attempt_id: UUID) -> HttpResponse:
    """The form, and what is sent with it; what is refused comes back as it was typed."""
    attempt = attempt_for_user(user=request.user, course_slug=course_slug, item_slug=item_slug, attempt_id=attempt_id)
    about = _response_of(attempt, request.POST.get("about") or request.GET.get("about", ""))
    if request.method != "POST":
        return _form(request, attempt, about, kind=request.GET.get("kind", ""))
    kind, text = request.POST.get("kind", ""), request.POST.get("text", "")
    if kind not in QuestionKind.values:
        return _form(request, attempt, about, text=text, refusal=_("Say first what it is."))
    if not allowed(request, "ask"):
        return _asked_to_wait(_form(request, attempt, about, kind=kind, text=text, refusal=_too_many()))
    try:
        question = question_ask(attempt=attempt, submission=about, kind=QuestionKind(kind), text=text)
    except (NothingSaid, TooManyOpen) as refused:
        words = _many_open() if isinstance(refused, TooManyOpen) else _no_words()
        return _form(request, attempt, about, kind=kind, text=text, refusal=words)
    messages.success(request, _("Sent. The answer will stand here and beside the exercise."))
    return redirect("question", question_id=question.public_id)


@require_safe
@signed_in
def question(request: MemberRequest, question_id: UUID) -> HttpResponse:
    """A question with all that was said to it."""
    return _thread(request, question_id)


@require_POST
@signed_in
def reply(request: MemberRequest, question_id: UUID) -> HttpResponse:
    """Say something to it."""
    found = question_for_user(user=request.user, question_id=question_id)
    text = request.POST.get("text", "")
    if not allowed(request, "answer" if found.is_staff else "ask"):
        return _asked_to_wait(_thread(request, question_id, text=text, refusal=_too_many()))
    try:
        question_reply(question=found.question, author=request.user, is_from_staff=found.is_staff, text=text)
    except NothingSaid:
        return _thread(request, question_id, text=text, refusal=_no_words())
    return redirect("question", question_id=question_id)


@require_POST
@signed_in
def close(request: MemberRequest, question_id: UUID) -> HttpResponse:
    """Nothing is left to be said."""
    found = question_for_user(user=request.user, question_id=question_id)
    question_close(question=found.question)
    if not found.is_staff:
        return redirect("question", question_id=question_id)
    return redirect("inbox", course_slug=found.question.attempt.enrollment.course.slug)


def _form(
    request: MemberRequest,
    attempt: Attempt,
    about: Submission | None,
    *,
    kind: str = "",
    text: str = "",
    refusal: str = "",
) -> HttpResponse:
    shown = {
        "attempt": attempt,
        "about": about,
        "title": attempt_content(attempt).title,
        "kinds": [(value, label, value == kind) for value, label in QuestionKind.choices],
        "text": text,
        "refusal": refusal,
        "longest": LONGEST_TEXT,
    }
    return render(request, "exercises/student/ask.html", shown, status=REFUSED if refusal else None)


def _thread(request: MemberRequest, question_id: UUID, *, text: str = "", refusal: str = "") -> HttpResponse:
    found = question_for_user(user=request.user, question_id=question_id)
    shown = thread(found.question)
    view = {
        "thread": shown,
        "sign": QUESTION_STATES[shown.state],
        "is_staff": found.is_staff,
        "text": text,
        "refusal": refusal,
        "longest": LONGEST_TEXT,
    }
    return render(request, "exercises/student/question.html", view, status=REFUSED if refusal else None)


def _response_of(attempt: Attempt, name: str) -> Submission | None:
    """The response that is named, if it belongs to the attempt, or else the last one that was sent for it."""
    sent = {str(each.public_id): each for each in attempt.submissions.order_by("created_at", "pk")}
    return sent.get(name) or next(reversed(sent.values()), None)


def _no_words() -> str:
    return _("Write something, in up to %(count)d characters.") % {"count": LONGEST_TEXT}


def _many_open() -> str:
    told = _("%(count)d questions of yours still wait for an answer. Close one that has settled itself.")
    return told % {"count": MOST_OPEN}


def _too_many() -> str:
    return _(
        "Many messages came from you in a short time. What you wrote is kept here: send it again in a few minutes."
    )


def _asked_to_wait(response: HttpResponse) -> HttpResponse:
    response.status_code = TOO_MANY
    response["Retry-After"] = str(PAUSE_SECONDS)
    return response
