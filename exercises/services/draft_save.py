"""Keep what a learner has typed, and let it go once it was sent."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Final

from django.db import IntegrityError, transaction
from django.utils import timezone

from exercises.models import Attempt, Draft
from exercises.models.draft import new_version
from exercises.services.storable import storable_text
from grader.marking.response import MAX_CODE_BYTES

# A program of the largest size, its call, and room for the form around them.
MOST_BYTES: Final = 2 * MAX_CODE_BYTES
MOST_FIELDS: Final = 400

Pair = tuple[str, str]


class DraftConflict(Exception):  # noqa: N818 -- nothing went wrong: there are two texts, and the learner chooses
    """The draft was changed elsewhere since the version that this change began from."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        super().__init__(str(draft))


class NoDraft(ValueError):  # noqa: N818 -- says what the text is
    """What was sent is no draft: no pairs of texts, or too many of them."""


class DraftTooLong(NoDraft):
    """More text than any form of ours takes."""


def draft_save(*, attempt: Attempt, fields: object, base: str) -> Draft:
    """Keep the fields in place of the version `base`, "" where there was none.

    A draft that went away in the meantime, because it was sent, is no reason to refuse. Raises DraftConflict, with the
    draft that stands, NoDraft and DraftTooLong.
    """
    pairs = _pairs(fields)
    kept = {"fields": pairs, "version": new_version(), "saved_at": timezone.now()}
    if Draft.objects.filter(attempt=attempt, version=base).update(**kept):
        return Draft(attempt=attempt, **kept)
    try:
        with transaction.atomic():
            return Draft.objects.create(attempt=attempt, **kept)
    except IntegrityError:
        standing = Draft.objects.filter(attempt=attempt).first()
    if standing is None:
        raise NoDraft("the attempt went away, or its draft was sent, between two looks")
    if _says(standing) == sorted(pairs):
        return standing
    raise DraftConflict(standing)


def draft_answered(*, attempt: Attempt, version: str, sent: Collection[Pair]) -> None:
    """Forget what was sent to be marked: that version of the draft, or one that says nothing else.

    The latter was on its way to be kept when the answer was sent, which therefore could not name it.
    """
    standing = Draft.objects.filter(attempt=attempt).order_by().first()
    if standing is not None and (standing.version == version or set(_says(standing)) <= set(sent)):
        draft_discard(attempt=attempt, version=standing.version)


def draft_discard(*, attempt: Attempt, version: str) -> bool:
    """Forget that version of the draft; a newer one, from another window, stays. Says whether it was there."""
    return Draft.objects.filter(attempt=attempt, version=version).delete()[0] == 1


def _says(draft: Draft) -> list[Pair]:
    """The pairs in an order of their own: lines that were put in order stand in another one on the next page."""
    return sorted((name, text) for name, text in draft.fields)


def _pairs(fields: object) -> list[Pair]:
    if not isinstance(fields, list) or len(fields) > MOST_FIELDS:
        raise NoDraft("a draft is a list of pairs of texts")
    pairs = [_pair(each) for each in fields]
    if len(json.dumps(pairs, ensure_ascii=False).encode()) > MOST_BYTES:
        raise DraftTooLong(f"a draft has at most {MOST_BYTES} bytes")
    return pairs


def _pair(each: object) -> Pair:
    if not isinstance(each, list | tuple) or [type(text) for text in each] != [str, str]:
        raise NoDraft("a draft is a list of pairs of texts")
    return storable_text(each[0]), storable_text(each[1])
