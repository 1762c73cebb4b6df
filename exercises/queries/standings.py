"""Where students stand with items: the one place that knows how tries become a state.

Three rules hold for every figure: a failure of ours is no try and no answer, an uncounted submission counts nowhere, and
the best standing score is the score, unless the item's policy or the assignment's terms say otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, TypedDict, cast

from django.db.models import Case, Count, Exists, IntegerField, Max, OuterRef, Q, QuerySet, TextField, Value, When
from django.db.models.functions import Cast
from django.utils import timezone

from exercises.enums import GradingProgress, ItemKind, Verdict
from exercises.models import Assignment, Enrollment, Item, Submission
from exercises.queries.policies import GovernedTries, governed_tries
from exercises.queries.terms import FREE, UNBOUND, CourseTerms, Terms, course_terms
from grader.bank import parse_policy
from grader.marking.policy import PRACTICE, Policy

VERDICTS_UPWARD = [Verdict.INCORRECT, Verdict.PARTIALLY_CORRECT, Verdict.CORRECT]
WAITING = [GradingProgress.PENDING, GradingProgress.PENDING_MANUAL]


class ItemState(StrEnum):
    """What one student has done with one item, in the order of precedence from the end."""

    OPEN = "open"
    TROUBLE = "trouble"
    TRIED = "tried"
    SHOWN = "shown"
    WAITING = "waiting"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Standing:
    """The sum of one student's submissions to one item. What is withheld has been marked, and is not shown yet."""

    state: ItemState
    tries: int
    waiting: int
    score: Decimal | None
    verdict: Verdict | None
    is_late: bool = False
    is_withheld: bool = False

    @property
    def is_attempted(self) -> bool:
        """Whether the student has sent anything that counts."""
        return self.tries > 0


NOTHING_YET = Standing(state=ItemState.OPEN, tries=0, waiting=0, score=None, verdict=None)


class _Counts(TypedDict):
    """What a state and a score follow from."""

    attempt__item__kind: str
    tries: int
    waiting: int
    failed: int
    shown: int
    score: Decimal | None
    rank: int | None
    last_at: datetime | None


class _Row(_Counts):
    """One row of the counting query."""

    attempt__enrollment_id: int
    attempt__item_id: int
    attempt__enrollment__course_id: int
    attempt__enrollment__role: str
    attempt__item__lesson_id: int
    policy: str
    is_ruled: bool


@dataclass(frozen=True, slots=True)
class Sent:
    """One thing that a learner sent, and what the mark says that stands."""

    id: int
    attempt_id: int
    item_id: int
    is_try: bool
    progress: str
    sent_at: datetime
    shown_at: datetime | None
    score: Decimal | None
    verdict: str | None


Standings = Mapping[tuple[int, int], Standing]


def standings(
    submissions: QuerySet[Submission],
    *,
    for_learner: bool = False,
    known: Mapping[int, CourseTerms] | None = None,
) -> Standings:
    """(enrollment id, item id) -> standing, for the given submissions, counted by the database in one query.

    Where a course has rows of assignments their terms are read, in at most three queries; where items have a policy or
    something was sent late, one more query reads the tries at those. `for_learner` keeps back what is not released;
    `known` are the terms of the courses, where they have been read already.
    """
    rows = (
        submissions.order_by()
        .values(
            *("attempt__enrollment_id", "attempt__item_id", "attempt__enrollment__course_id"),
            *("attempt__enrollment__role", "attempt__item__lesson_id", "attempt__item__kind"),
            policy=Cast("attempt__item__policy", TextField()),  # read once for each item, not for each student
        )
        .annotate(
            tries=Count("id", filter=Q(counted=True)),
            waiting=Count("id", filter=Q(counted=True, grading_progress__in=WAITING)),
            failed=Count("id", filter=Q(grading_progress=GradingProgress.FAILED)),
            shown=Count("id", filter=Q(attempt__shown_at__isnull=False)),
            score=Max("standing_mark__score", filter=Q(counted=True)),
            rank=Max(_verdict_rank(), filter=Q(counted=True)),
            last_at=Max("created_at", filter=Q(counted=True)),
            is_ruled=Exists(Assignment.objects.filter(course=OuterRef("attempt__enrollment__course_id"))),
        )
    )
    counts = {(row["attempt__enrollment_id"], row["attempt__item_id"]): row for row in cast("Iterable[_Row]", rows)}
    ruled = {row["attempt__enrollment__course_id"] for row in counts.values() if row["is_ruled"]}
    found = known if known is not None else course_terms(ruled) if ruled else {}
    terms = {key: _terms(row, found) for key, row in counts.items()} if found else {}
    policies = {row["attempt__item_id"]: row["policy"] for row in counts.values()}
    own = {item: _policy(json.loads(policy)) for item, policy in policies.items()}
    weighing = {key: _weighing(row, own[key[1]], terms.get(key, FREE)) for key, row in counts.items()}
    governed = governed_tries(submissions, {key: rules for key, rules in weighing.items() if rules})
    full = {key: _standing(row, governed.get(key), terms.get(key, FREE)) for key, row in counts.items()}
    return {key: kept_back(each, terms.get(key, FREE)) for key, each in full.items()} if for_learner else full


def sent_to(enrollment: Enrollment, items: Collection[int]) -> Sequence[Sent]:
    """All that one learner ever sent to these items, the oldest first, in one query."""
    mine = Submission.objects.filter(attempt__enrollment=enrollment, attempt__item__in=items)
    rows = mine.order_by("created_at", "pk").values_list(
        *("pk", "attempt_id", "attempt__item_id", "counted", "grading_progress", "created_at", "attempt__shown_at"),
        *("standing_mark__score", "standing_mark__verdict"),
    )
    return [Sent(*row) for row in rows]


def own_standings(items: Collection[Item], sent: Iterable[Sent], terms: Mapping[int, Terms]) -> Mapping[int, Standing]:
    """Item id -> how a learner stands there by all that `sent_to` found, which the learner may see, without a query.

    Counting a handful of rows here costs less than asking the database to count them; a class it counts faster.
    """
    of_item: dict[int, list[Sent]] = {item.pk: [] for item in items}
    for each in sent:
        of_item[each.item_id].append(each)
    return {item.pk: _own_standing(item, of_item[item.pk], terms[item.pk]) for item in items if of_item[item.pk]}


def kept_back(standing: Standing, terms: Terms) -> Standing:
    """The standing as its student may see it: of marks that are not released, only that something waits."""
    if not standing.is_attempted or terms.shows_feedback(timezone.now()):
        return standing
    return replace(standing, state=ItemState.WAITING, score=None, verdict=None, is_withheld=True)


def _own_standing(item: Item, sent: Sequence[Sent], terms: Terms) -> Standing:
    tries = [each for each in sent if each.is_try]
    marks = [
        (each.score, Verdict(each.verdict), each.sent_at)
        for each in tries
        if each.score is not None and each.verdict is not None
    ]
    counts = _Counts(
        attempt__item__kind=item.kind,
        tries=len(tries),
        waiting=sum(each.progress in WAITING for each in tries),
        failed=sum(each.progress == GradingProgress.FAILED for each in sent),
        shown=sum(each.shown_at is not None for each in sent),
        score=max((score for score, _verdict, _at in marks), default=None),
        rank=max((VERDICTS_UPWARD.index(verdict) for _score, verdict, _at in marks), default=None),
        last_at=tries[-1].sent_at if tries else None,
    )
    weighing = _weighing(counts, _policy(item.policy), terms)
    governed = GovernedTries(*weighing) if weighing else None
    if governed:
        for mark in marks:
            governed.add(*mark)
    return kept_back(_standing(counts, governed, terms), terms)


def _policy(table: dict[str, Any]) -> Policy:
    return parse_policy(table) if table else PRACTICE


def _terms(row: _Row, found: Mapping[int, CourseTerms]) -> Terms:
    of_course = found.get(row["attempt__enrollment__course_id"])
    if of_course is None or row["attempt__enrollment__role"] in UNBOUND:
        return FREE
    return of_course.of_item(row["attempt__enrollment_id"], row["attempt__item_id"], row["attempt__item__lesson_id"])


def _weighing(row: _Counts, own: Policy, terms: Terms) -> tuple[Policy, Terms] | None:
    """What weighs the tries of a row one by one; None where the best of them simply stands."""
    was_late = terms.costs_from is not None and row["last_at"] is not None and row["last_at"] > terms.costs_from
    if own == PRACTICE and not terms.has_policy and not was_late:
        return None
    return terms.policy(own), terms


def _verdict_rank() -> Case:
    ranks = [When(standing_mark__verdict=verdict, then=Value(rank)) for rank, verdict in enumerate(VERDICTS_UPWARD)]
    return Case(*ranks, output_field=IntegerField())


def _standing(row: _Counts, governed: GovernedTries | None, terms: Terms) -> Standing:
    best = None if row["rank"] is None else VERDICTS_UPWARD[row["rank"]]
    verdict = governed.verdict(best) if governed else best
    return Standing(
        state=_state(row, verdict),
        tries=row["tries"],
        waiting=row["waiting"],
        score=governed.score if governed else row["score"],
        verdict=verdict,
        is_late=row["last_at"] is not None and terms.is_late(row["last_at"]),
    )


def _state(row: _Counts, verdict: Verdict | None) -> ItemState:
    is_read = row["attempt__item__kind"] == ItemKind.FREE_TEXT and verdict is not None
    if verdict is Verdict.CORRECT or (is_read and not row["waiting"]):
        return ItemState.DONE
    if row["waiting"]:
        return ItemState.WAITING
    if row["tries"]:
        return ItemState.SHOWN if row["shown"] else ItemState.TRIED
    return ItemState.TROUBLE if row["failed"] else ItemState.OPEN
