"""Answers sent on chosen days, as evidence for a skill."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone

from exercises.models import Attempt, HintTaken, Item, Submission
from exercises.services.submission_create import submission_create
from tests.exercises.responses import half_right_numbers, right_numbers

SKILL = {
    "slug": "projecting",
    "title": {"zh-hans": "投影", "en": "Projecting"},
    "summary": {"zh-hans": "算出 $x W$。", "en": "Work out $x W$."},
}


def practise(*slugs: str) -> None:
    """Let these items name one skill."""
    Item.objects.filter(slug__in=slugs).update(skill=SKILL)


def answer(
    attempt: Attempt, *, days_ago: int = 0, is_right: bool = True, hinted: bool = False, response: Any = None
) -> Submission:
    """The first answer of an attempt, as if it had been sent some days ago."""
    sent = timezone.now() - timedelta(days=days_ago)
    if hinted:
        HintTaken.objects.create(attempt=attempt, rung=1, created_at=sent - timedelta(minutes=1))
    numbers = right_numbers if is_right else half_right_numbers
    submission = submission_create(attempt=attempt, raw_response=response or numbers(attempt)).submission
    Submission.objects.filter(pk=submission.pk).update(created_at=sent)
    return submission
