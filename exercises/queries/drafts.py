"""What a learner has typed and not sent, attempt by attempt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from exercises.models import Attempt, Draft


def drafts_of(attempts: Iterable[Attempt]) -> Mapping[int, Draft]:
    """The drafts by the key of their attempt; most attempts have none."""
    return {draft.attempt_id: draft for draft in Draft.objects.filter(attempt__in=list(attempts))}
