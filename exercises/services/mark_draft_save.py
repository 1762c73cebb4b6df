"""Keep what an instructor is writing about an answer."""

from __future__ import annotations

from collections.abc import Collection

from django.utils import timezone

from exercises.models import MarkDraft, Submission, User
from exercises.services.mark_by_instructor import LONGEST_COMMENT
from exercises.services.storable import storable_text


def mark_draft_save(
    *,
    instructor: User,
    submission: Submission,
    criteria: Collection[str],
    misconceptions: Collection[str],
    comment: str,
) -> MarkDraft:
    """The latest save is what stands: a draft has one writer. What is too long for a comment is cut off here already."""
    said = {
        "criteria": [storable_text(key) for key in criteria],
        "misconceptions": [storable_text(slug) for slug in misconceptions],
        "comment": storable_text(comment)[:LONGEST_COMMENT],
        "saved_at": timezone.now(),
    }
    draft, _is_new = MarkDraft.objects.update_or_create(submission=submission, instructor=instructor, defaults=said)
    return draft
