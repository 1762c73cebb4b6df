"""What simulated learners lead to expect of each item, before or beside what real ones show."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

from exercises.models import Course, Item
from exercises.queries.repertoires import repertoires
from grader.cohort.prediction import ItemPrediction, predict


@dataclass(frozen=True, slots=True)
class Predictions:
    """Every item that simulated learners can answer, in the order of the course, of the `versions` that they answered."""

    versions: tuple[int, ...]
    items: tuple[ItemPrediction, ...]


def predictions(course: Course) -> Predictions:
    """Let simulated learners sit the curriculum of a course. Nothing is stored; the same content gives the same figures."""
    versions = versions_of(course)
    known = repertoires(course.curriculum, settings.CONTENT_DIRS)
    return Predictions(versions, predict(known) if known else ())


def versions_of(course: Course) -> tuple[int, ...]:
    """The ids of the current versions of a course's items: while they are the same, so are the predictions."""
    items = Item.objects.filter(curriculum=course.curriculum, is_active=True, current_version__isnull=False)
    return tuple(items.order_by("current_version").values_list("current_version", flat=True))
