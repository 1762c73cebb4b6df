from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from exercises.models import Draft, User
from exercises.services.draft_save import draft_save
from exercises.services.drafts_forget import DRAFT_KEPT, drafts_forget
from tests.exercises.conftest import AttemptBy


def test_a_draft_that_nobody_touched_for_long_is_forgotten(ada: User, attempt: AttemptBy) -> None:
    for slug, age in (("by-hand", DRAFT_KEPT + timedelta(days=1)), ("pick", DRAFT_KEPT - timedelta(days=1))):
        draft = draft_save(attempt=attempt(ada, slug), base="", fields=[["q-0-0", "7"]])
        Draft.objects.filter(pk=draft.pk).update(saved_at=timezone.now() - age)

    assert (drafts_forget(), drafts_forget()) == (1, 0)
    assert [draft.attempt.item.slug for draft in Draft.objects.all()] == ["pick"]
