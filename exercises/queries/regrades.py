"""Regrades of an item, and what each would change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from django.db.models import Count

from exercises.enums import RegradeOutcome, Verdict
from exercises.models import Course, Item, Regrade, RegradeLine
from grader.marking.mark import Mark as Marking
from grader.marking.text import Text

SHOWN = (RegradeOutcome.CHANGES, RegradeOutcome.APPLIED, RegradeOutcome.PASSED_OVER)
OPEN = (RegradeOutcome.WAITING, RegradeOutcome.SENT)


@dataclass(frozen=True, slots=True)
class RegradeProgress:
    """How many lines came to what."""

    counts: Mapping[RegradeOutcome, int]

    @property
    def total(self) -> int:
        """All lines."""
        return sum(self.counts.values())

    @property
    def tried(self) -> int:
        """Lines of which it is known what would become of them."""
        return self.total - sum(self.counts.get(outcome, 0) for outcome in OPEN)

    @property
    def changes(self) -> int:
        """Lines that would change."""
        return self.counts.get(RegradeOutcome.CHANGES, 0)

    @property
    def settled(self) -> int:
        """Lines that applying has nothing to do with any more."""
        return self.total - self.changes


@dataclass(frozen=True, slots=True)
class Change:
    """One answer whose mark changes, and why: what the version says of it now."""

    submission_id: UUID
    name: str
    score: Decimal | None
    new_score: Decimal
    verdict: Verdict | None
    new_verdict: Verdict
    says: tuple[Text, ...]
    outcome: RegradeOutcome


def regrades_of(course: Course, item: Item) -> tuple[Regrade, ...]:
    """The regrades of an item, the latest first. One query."""
    return tuple(Regrade.objects.filter(course=course, item=item).select_related("by", "item_version"))


def regrade_progress(regrade: Regrade) -> RegradeProgress:
    """One query."""
    rows = regrade.lines.order_by().values_list("outcome").annotate(Count("id"))
    counts = Counter({RegradeOutcome(outcome): count for outcome, count in rows})
    return RegradeProgress({outcome: counts[outcome] for outcome in RegradeOutcome if counts[outcome]})


def regrade_changes(regrade: Regrade, *, first: int, count: int) -> tuple[Change, ...]:
    """Some of the answers that change, changed, or got another mark meanwhile. One query."""
    lines = regrade.lines.filter(outcome__in=SHOWN).select_related("before", "submission__attempt__enrollment__user")
    return tuple(_change(line) for line in lines.order_by("pk")[first : first + count])


def _change(line: RegradeLine) -> Change:
    marking = Marking.from_json(line.marking)
    return Change(
        submission_id=line.submission.public_id,
        name=str(line.submission.attempt.enrollment.user),
        score=line.before.score if line.before else None,
        new_score=marking.score,
        verdict=Verdict(line.before.verdict) if line.before else None,
        new_verdict=Verdict(marking.verdict),
        says=tuple(dict.fromkeys(found.title for found in marking.findings)),
        outcome=RegradeOutcome(line.outcome),
    )
