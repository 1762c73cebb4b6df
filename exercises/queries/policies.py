"""Scores of items that have a policy of their own: what stands depends on every try, and on their order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from django.db.models import QuerySet

from exercises.enums import Verdict
from exercises.models import Submission
from grader.marking.policy import Counts, Policy, standing


@dataclass(frozen=True, slots=True)
class GovernedTries:
    """The marked tries of one student at one item, the oldest first, and the policy that weighs them."""

    policy: Policy
    scores: list[Decimal] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)

    @property
    def score(self) -> Decimal | None:
        """What stands by the policy."""
        return standing(self.policy, self.scores).score

    def verdict(self, best: Verdict | None) -> Verdict | None:
        """The best verdict, or the last where the last try counts."""
        return self.verdicts[-1] if self.policy.counts is Counts.LAST else best


def governed_tries(
    submissions: QuerySet[Submission], policies: Mapping[int, Policy]
) -> Mapping[tuple[int, int], GovernedTries]:
    """(enrollment id, item id) -> tries, for the items that have a policy, in one query; none where no item has."""
    if not policies:
        return {}
    marked = submissions.filter(counted=True, attempt__item_id__in=policies, standing_mark__isnull=False)
    found: dict[tuple[int, int], GovernedTries] = {}
    for enrollment, item, score, verdict in marked.order_by("created_at", "pk").values_list(
        "attempt__enrollment_id", "attempt__item_id", "standing_mark__score", "standing_mark__verdict"
    ):
        tries = found.setdefault((enrollment, item), GovernedTries(policies[item]))
        tries.scores.append(score)
        tries.verdicts.append(Verdict(verdict))
    return found
