"""Keep what simulated learners predict of a course. It does not age: it tells of the content alone."""

from __future__ import annotations

import time
from functools import partial
from typing import Final

from django.utils import timezone

from exercises.models import Course, Snapshot
from exercises.queries.plain import from_plain, to_plain
from exercises.queries.predictions import Predictions, predictions, versions_of
from exercises.services.snapshot_refresh import Kept, alone, ask_for

PREDICTED: Final = "predicted"


def predictions_kept(*, course: Course) -> Kept[Predictions] | None:
    """As kept; None while the site worker is at them, which takes half a minute after the content has changed."""
    snapshot = _current(course)
    if snapshot is None:
        ask_for(course, PREDICTED)
        return None
    return Kept(from_plain(Predictions, snapshot.figures), snapshot.made_at)


def predictions_bring_up_to_date(*, course_id: int) -> bool:
    """Work them out as a job of the site worker; False if they are up to date, or another worker is at figures."""
    course = Course.objects.select_related("curriculum").filter(pk=course_id).first()
    if course is None or _current(course) is not None:
        return False
    return alone(partial(_predict, course)) is not None


def predictions_warm() -> Snapshot | None:
    """Work those of one open course out before somebody looks, if its content has changed."""
    for course in Course.objects.filter(archived_at=None).select_related("curriculum").order_by("pk"):
        if _current(course) is None:
            return alone(partial(_predict, course))
    return None


def _current(course: Course) -> Snapshot | None:
    snapshot = Snapshot.objects.filter(course=course, name=PREDICTED).first()
    is_current = snapshot is not None and snapshot.figures.get("versions") == list(versions_of(course))
    return snapshot if is_current else None


def _predict(course: Course) -> Snapshot:
    made_at, begun = timezone.now(), time.perf_counter()
    figures = to_plain(predictions(course))
    cost_ms = round(1_000 * (time.perf_counter() - begun))
    made = {"figures": figures, "made_at": made_at, "cost_ms": cost_ms}
    snapshot, _is_new = Snapshot.objects.update_or_create(course=course, name=PREDICTED, defaults=made)
    return snapshot
