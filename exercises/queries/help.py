"""What help a learner has had: hints taken, solutions open or ready to be opened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db.models import F

from exercises.models import Attempt, Enrollment, HintTaken, Item, Submission
from exercises.queries.definitions import attempt_content
from grader.marking.items import NumericItem, PredictItem
from grader.marking.solution import has_solution

ENOUGH_TRIES = 2


def hints_taken(attempts: Iterable[Attempt]) -> Mapping[int, list[HintTaken]]:
    """Attempt id -> the hints that were asked for, in the order of their rungs."""
    taken: dict[int, list[HintTaken]] = {}
    for each in HintTaken.objects.filter(attempt__in=[attempt.pk for attempt in attempts]).order_by("rung"):
        taken.setdefault(each.attempt_id, []).append(each)
    return taken


def attempt_on_seed(enrollment: Enrollment, item: Item, seed: int) -> Attempt | None:
    """The learner's newest attempt at the item on the numbers of this seed."""
    mine = Attempt.objects.filter(enrollment=enrollment, item=item, seed=seed).order_by("-number")
    return mine.select_related("enrollment__course", "enrollment__user", "item__lesson", "item_version").first()


def shared_seed(attempt: Attempt) -> int | None:
    """The seed by which others can take the same numbers; it tells no more than the numbers themselves do."""
    return attempt.seed if isinstance(attempt_content(attempt), NumericItem | PredictItem) else None


def may_be_shown(attempt: Attempt) -> bool:
    """Whether the learner may ask for the solution of this attempt, or has done so."""
    if not has_solution(attempt_content(attempt)):
        return False
    return attempt.shown_at is not None or attempt.submissions.filter(counted=True).count() >= ENOUGH_TRIES


def is_solved(attempt: Attempt) -> bool:
    """Whether some counted answer to it earned every point."""
    full = Submission.objects.filter(attempt=attempt, counted=True, standing_mark__score=F("standing_mark__max_score"))
    return full.exists()
