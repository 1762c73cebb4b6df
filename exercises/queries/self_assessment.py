"""What a learner has said about an answer in their own words, and what they may still say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from exercises.enums import ItemKind, MarkedBy
from exercises.models import Submission


@dataclass(frozen=True, slots=True)
class SelfAssessment:
    """`criteria` are the keys that the learner finds met, None before they have looked; `look_reason` is empty unless asked."""

    criteria: frozenset[str] | None
    may_mark: bool
    may_ask: bool
    look_reason: str


def self_assessments(submissions: Iterable[Submission]) -> Mapping[int, SelfAssessment]:
    """Submission id -> its assessment, for free texts only. One query, none without such a text."""
    texts = [each.pk for each in submissions if each.kind == ItemKind.FREE_TEXT]
    if not texts:
        return {}
    rows = Submission.objects.filter(pk__in=texts).select_related("self_mark", "standing_mark__second_look")
    return {row.pk: self_assessment(row) for row in rows}


def self_assessment(submission: Submission) -> SelfAssessment:
    """The same of one submission."""
    own, mark = getattr(submission, "self_mark", None), submission.standing_mark
    look = getattr(mark, "second_look", None)
    is_text = submission.kind == ItemKind.FREE_TEXT and submission.counted
    return SelfAssessment(
        criteria=frozenset(own.criteria) if own else None,
        may_mark=is_text and mark is None,
        may_ask=is_text and mark is not None and mark.by == MarkedBy.INSTRUCTOR and look is None,
        look_reason=look.reason if look else "",
    )
