"""Scores that depend on every try, on their order, or on when they were sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from django.db.models import QuerySet

from exercises.enums import Verdict
from exercises.models import Submission
from exercises.queries.terms import Terms
from grader.marking.policy import Counts, Policy, standing


@dataclass(frozen=True, slots=True)
class GovernedTries:
    """The marked tries of one student at one item, the oldest first, and what weighs them."""

    policy: Policy
    terms: Terms
    scores: list[Decimal] = field(default_factory=list)
    kept: list[Decimal] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)

    def add(self, score: Decimal, verdict: Verdict, sent_at: datetime) -> None:
        """One try more."""
        self.scores.append(score)
        self.kept.append(self.terms.kept(sent_at))
        self.verdicts.append(verdict)

    @property
    def score(self) -> Decimal | None:
        """What stands."""
        return standing(self.policy, self.scores, self.kept).score

    def verdict(self, best: Verdict | None) -> Verdict | None:
        """The best verdict, or the last where the last try counts."""
        return self.verdicts[-1] if self.policy.counts is Counts.LAST and self.verdicts else best


def governed_tries(
    submissions: QuerySet[Submission], rules: Mapping[tuple[int, int], tuple[Policy, Terms]]
) -> Mapping[tuple[int, int], GovernedTries]:
    """(enrollment id, item id) -> tries, where something governs them, in one query; none where nothing does."""
    if not rules:
        return {}
    items = {item for _, item in rules}
    marked = submissions.filter(counted=True, attempt__item_id__in=items, standing_mark__isnull=False)
    found = {key: GovernedTries(*weighing) for key, weighing in rules.items()}
    for enrollment, item, score, verdict, sent_at in marked.order_by("created_at", "pk").values_list(
        "attempt__enrollment_id", "attempt__item_id", "standing_mark__score", "standing_mark__verdict", "created_at"
    ):
        if (enrollment, item) in found:
            found[enrollment, item].add(score, Verdict(verdict), sent_at)
    return found
