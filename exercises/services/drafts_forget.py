"""Forget what was typed long ago and never sent."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.utils import timezone

from exercises.models import Draft

DRAFT_KEPT: Final = timedelta(days=180)
FORGET_AT_ONCE: Final = 1_000


def drafts_forget() -> int:
    """Delete drafts that nobody has touched for `DRAFT_KEPT`, a part at a time; says how many."""
    stale = Draft.objects.filter(saved_at__lt=timezone.now() - DRAFT_KEPT).order_by("saved_at")
    chosen = list(stale.values_list("pk", flat=True)[:FORGET_AT_ONCE])
    # Whoever types again in this very moment keeps the draft.
    deleted, _of_which = Draft.objects.filter(pk__in=chosen, saved_at__lt=timezone.now() - DRAFT_KEPT).delete()
    return deleted
