"""All that the site knows of one person, as plain JSON for that person to keep."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.db.models import Q, QuerySet

from exercises.enums import Release
from exercises.models import (
    ApiToken,
    Attempt,
    Consent,
    Draft,
    Enrollment,
    Exemption,
    Extension,
    HintTaken,
    Mark,
    Override,
    Question,
    Reply,
    Run,
    SecondLook,
    SelfMark,
    SentBack,
    Submission,
    User,
)
from exercises.queries.terms import is_hidden, withheld

# File of the archive -> what it holds. Of a secret only what it can be recognised by; of a person who marked, nothing.
_ACCOUNT: Final = (
    *("username", "display_name", "first_name", "last_name", "email", "date_joined", "last_login"),
    *("language", "theme", "convention", "editor", "digest"),
)
_COURSES: Final = ("course__slug", "course__title", "role", "created_at")
_ATTEMPTS: Final = (
    *("public_id", "enrollment__course__slug", "item__slug", "item__title", "item_version__number"),
    *("number", "seed", "variant", "guess", "created_at", "shown_at"),
)
_SUBMISSIONS: Final = (
    *("public_id", "attempt__public_id", "kind", "raw_response", "grading_progress", "counted", "failure"),
    *("created_at", "settled_at"),
)
_MARKS: Final = (
    *("submission__public_id", "by", "verdict", "score", "max_score", "feedback", "misconceptions", "comment"),
    "created_at",
)
_HINTS: Final = ("attempt__public_id", "rung", "step", "created_at")
_RUNS: Final = ("public_id", "attempt__public_id", "code", "call", "report", "failure", "created_at", "settled_at")
_SELF_MARKS: Final = ("submission__public_id", "criteria", "created_at")
_LOOKS: Final = ("mark__submission__public_id", "reason", "created_at")
_SENT_BACK: Final = ("submission__public_id", "comment", "created_at")
_DRAFTS: Final = ("attempt__public_id", "fields", "saved_at")
_QUESTIONS: Final = (
    *("public_id", "attempt__public_id", "submission__public_id", "kind", "text", "state", "created_at"),
)
_REPLIES: Final = ("question__public_id", "is_from_staff", "text", "created_at")
_TOKENS: Final = ("name", "prefix", "scopes", "course__slug", "created_at", "expires_at", "last_used_at", "revoked_at")
_CONSENTS: Final = ("version", "given_at")
_SESSIONS: Final = ("created_at", "ip", "user_agent", "last_seen_at")
_FACTORS: Final = ("type", "created_at", "last_used_at")
_CAMPUS: Final = ("provider", "uid", "date_joined", "last_login")
_EXTENSIONS: Final = ("assignment__course__slug", "assignment__slug", "due_at", "reason", "granted_at")
_EXEMPTIONS: Final = ("assignment__course__slug", "assignment__slug", "reason", "granted_at")
_OVERRIDES: Final = ("assignment__course__slug", "assignment__slug", "score", "reason", "given_at")
_LABELS: Final = ("course__slug", "labels__name")

Rows = list[dict[str, Any]]


def my_data(user: User) -> Mapping[str, Rows]:
    """Name of a file -> its rows, the oldest first. One query for each, and two for the marks that are not released."""
    kept_back = withheld(list(Enrollment.objects.filter(user=user)))
    of_answers = is_hidden(kept_back, "submission__attempt__enrollment_id", "submission__attempt__item_id")
    of_looks = is_hidden(kept_back, "mark__submission__attempt__enrollment_id", "mark__submission__attempt__item_id")
    unreleased = ~Q(assignment__feedback=Release.AT_ONCE) & Q(assignment__released_at=None)
    mine: Mapping[str, tuple[QuerySet[Any], tuple[str, ...]]] = {
        "account": (User.objects.filter(pk=user.pk), _ACCOUNT),
        "courses": (Enrollment.objects.filter(user=user), _COURSES),
        "attempts": (Attempt.objects.filter(enrollment__user=user), _ATTEMPTS),
        "answers": (Submission.objects.filter(attempt__enrollment__user=user), _SUBMISSIONS),
        "marks": (Mark.objects.filter(submission__attempt__enrollment__user=user).exclude(of_answers), _MARKS),
        "self-marks": (SelfMark.objects.filter(submission__attempt__enrollment__user=user), _SELF_MARKS),
        "second-looks": (
            SecondLook.objects.filter(mark__submission__attempt__enrollment__user=user).exclude(of_looks),
            _LOOKS,
        ),
        "sent-back": (SentBack.objects.filter(submission__attempt__enrollment__user=user), _SENT_BACK),
        "hints": (HintTaken.objects.filter(attempt__enrollment__user=user), _HINTS),
        "runs": (Run.objects.filter(attempt__enrollment__user=user), _RUNS),
        "drafts": (Draft.objects.filter(attempt__enrollment__user=user), _DRAFTS),
        "questions": (Question.objects.filter(attempt__enrollment__user=user), _QUESTIONS),
        "replies": (Reply.objects.filter(question__attempt__enrollment__user=user), _REPLIES),
        "api-tokens": (ApiToken.objects.filter(user=user), _TOKENS),
        "consents": (Consent.objects.filter(user=user), _CONSENTS),
        "sessions": (UserSession.objects.filter(user=user), _SESSIONS),
        "second-factors": (Authenticator.objects.filter(user=user), _FACTORS),
        "campus-accounts": (SocialAccount.objects.filter(user=user), _CAMPUS),
        "extensions": (Extension.objects.filter(enrollment__user=user), _EXTENSIONS),
        "exemptions": (Exemption.objects.filter(enrollment__user=user), _EXEMPTIONS),
        "overrides": (Override.objects.filter(enrollment__user=user).exclude(unreleased), _OVERRIDES),
        "labels": (Enrollment.objects.filter(user=user, labels__isnull=False), _LABELS),
    }
    found = {name: list(rows.order_by("pk").values(*columns)) for name, (rows, columns) in mine.items()}
    for mark in found["marks"]:
        # What stood after that try when it was marked: a regrade of the tries before it makes it untrue.
        mark["feedback"].pop("credit", None)
    return found
