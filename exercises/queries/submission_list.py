"""What one member has sent for one item, the newest first."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Prefetch

from exercises.models import Enrollment, Item, Mark, Submission


@dataclass(frozen=True, slots=True)
class SubmissionPage:
    """Some submissions, and the key that the next page begins after."""

    submissions: tuple[Submission, ...]
    next_after: int | None


def submission_page(enrollment: Enrollment, item: Item, *, after: int, limit: int) -> SubmissionPage:
    """Two queries, for any number of submissions. `after` is 0 for the first page."""
    mine = Submission.objects.filter(attempt__enrollment=enrollment, attempt__item=item)
    older = mine.filter(pk__lt=after) if after else mine
    rows = older.select_related(
        "attempt__enrollment__course",
        "attempt__enrollment__user",
        "attempt__item__lesson",
        "attempt__item_version",
        "standing_mark",
    ).prefetch_related(Prefetch("marks", queryset=Mark.objects.order_by("created_at")))
    found = list(rows.order_by("-pk")[: limit + 1])
    shown = tuple(found[:limit])
    return SubmissionPage(shown, shown[-1].pk if len(found) > limit else None)
