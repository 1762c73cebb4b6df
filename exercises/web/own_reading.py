"""A learner's own reading of an answer, and the wish for another look at its mark."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from exercises.access import own_submission_for_user
from exercises.models import Submission
from exercises.services.own_reading import LONGEST_REASON, NoReason, TooLateToSay, second_look_ask, self_mark_set
from exercises.web.answering import page_of, place_of, show_item
from exercises.web.item_view import Feedback
from exercises.web.requests import MemberRequest, signed_in


@require_POST
@signed_in
def own_mark(request: MemberRequest, submission_id: UUID) -> HttpResponse:
    """Keep which criteria the learner finds met."""
    found = own_submission_for_user(user=request.user, submission_id=submission_id)
    try:
        self_mark_set(submission=found, criteria=request.POST.getlist("met"))
    except TooLateToSay:
        return _show(request, found, status=409)
    return _show(request, found)


@require_POST
@signed_in
def another_look(request: MemberRequest, submission_id: UUID) -> HttpResponse:
    """Ask the instructor to look once more."""
    found = own_submission_for_user(user=request.user, submission_id=submission_id)
    try:
        second_look_ask(submission=found, reason=request.POST.get("reason", ""))
    except TooLateToSay:
        return _show(request, found, status=409)
    except NoReason:
        refusal = _("Say in up to %(count)d characters what should be looked at again.") % {"count": LONGEST_REASON}
        messages.error(request, refusal)
        return redirect("submission", submission_id=submission_id)
    return _show(request, found)


def _show(request: MemberRequest, found: Submission, *, status: int = 200) -> HttpResponse:
    """The item with this submission in it; without scripts the page that it stands on."""
    if not request.htmx:
        return redirect(place_of(found.attempt))
    return show_item(request, found.attempt, Feedback(), page=page_of(found, viewer=request.user), status=status)
