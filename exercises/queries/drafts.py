"""What a learner has typed and not sent, attempt by attempt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from exercises.models import Attempt, Draft


@dataclass(frozen=True, slots=True)
class KeptDraft:
    """A draft as its writer finds it again; `fields` are pairs of a field's name and its text."""

    version: str
    fields: list[list[str]]
    saved_at: datetime


def drafts_of(attempts: Iterable[Attempt]) -> Mapping[int, KeptDraft]:
    """The drafts by the key of their attempt; most attempts have none."""
    rows = Draft.objects.filter(attempt__in=[attempt.pk for attempt in attempts]).order_by()
    return {row.attempt_id: KeptDraft(row.version, row.fields, row.saved_at) for row in rows}
