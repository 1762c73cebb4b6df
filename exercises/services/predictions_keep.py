"""Keep what simulated learners predict of a course. It does not age: it tells of the content alone."""

from __future__ import annotations

import time
from functools import partial
from typing import Final

from django.utils import timezone

from exercises.models import Course, Snapshot
from exercises.queries.plain import from_plain, to_plain
from exercises.queries.predictions import Predictions, predictions, versions_of
from exercises.services.snapshot_refresh import Kept, alone

NAME: Final = "predicted"


def predictions_kept(*, course: Course) -> Kept[Predictions]:
    """As kept, or worked out anew by who looks first after the content has changed; that takes half a minute."""
    snapshot = _current(course) or _predict(course)
    return Kept(from_plain(Predictions, snapshot.figures), snapshot.made_at)


def predictions_warm() -> Snapshot | None:
    """Work those of one open course out before somebody looks, if its content has changed."""
    for course in Course.objects.filter(archived_at=None).select_related("curriculum").order_by("pk"):
        if _current(course) is None:
            return alone(partial(_predict, course))
    return None


def _current(course: Course) -> Snapshot | None:
    snapshot = Snapshot.objects.filter(course=course, name=NAME).first()
    is_current = snapshot is not None and snapshot.figures.get("versions") == list(versions_of(course))
    return snapshot if is_current else None


def _predict(course: Course) -> Snapshot:
    made_at, begun = timezone.now(), time.perf_counter()
    figures = to_plain(predictions(course))
    cost_ms = round(1_000 * (time.perf_counter() - begun))
    made = {"figures": figures, "made_at": made_at, "cost_ms": cost_ms}
    snapshot, _is_new = Snapshot.objects.update_or_create(course=course, name=NAME, defaults=made)
    return snapshot
