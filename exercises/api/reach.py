"""How far a token reaches: as far as its user, and no further than the course it was made for.

Everything is looked up by `exercises.access`; a token of another course gets the same answer as for something unknown.
"""

from __future__ import annotations

from uuid import UUID

from django.http import Http404

from exercises import access
from exercises.models import ApiToken, Attempt, Enrollment, Run, Submission


def enrollment_for_token(token: ApiToken, course_slug: str) -> Enrollment:
    """The membership of a course through which the token reads and writes."""
    enrollment = access.enrollment_for_user(user=token.user, course_slug=course_slug)
    _require(token, enrollment)
    return enrollment


def item_for_token(token: ApiToken, course_slug: str, item_slug: str) -> access.ItemAccess:
    """An item of such a course."""
    found = access.item_for_user(user=token.user, course_slug=course_slug, item_slug=item_slug)
    _require(token, found.enrollment)
    return found


def attempt_for_token(token: ApiToken, course_slug: str, item_slug: str, attempt_id: UUID) -> Attempt:
    """The user's own attempt at that very item in that very course."""
    attempt = access.attempt_for_user(
        user=token.user, course_slug=course_slug, item_slug=item_slug, attempt_id=attempt_id
    )
    _require(token, attempt.enrollment)
    return attempt


def submission_for_token(token: ApiToken, submission_id: UUID) -> Submission:
    """The user's own submission, or one of a course that the user teaches."""
    submission = access.submission_for_user(user=token.user, submission_id=submission_id)
    _require(token, submission.attempt.enrollment)
    return submission


def run_for_token(token: ApiToken, run_id: UUID) -> Run:
    """The user's own run."""
    run = access.run_for_user(user=token.user, run_id=run_id)
    _require(token, run.attempt.enrollment)
    return run


def _require(token: ApiToken, enrollment: Enrollment) -> None:
    if token.course_id is None:
        return
    if token.course_id != enrollment.course_id:
        raise Http404(access.NOT_FOUND)
