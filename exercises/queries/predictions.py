"""What simulated learners lead to expect of each item, before or beside what real ones show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.conf import settings

from exercises.models import Course, Item
from exercises.queries.repertoires import repertoires
from grader.cohort.prediction import ItemPrediction, Mistakable, predict
from grader.cohort.repertoire import Repertoire
from grader.marking.text import Text


@dataclass(frozen=True, slots=True)
class Confusion:
    """A misconception whose answer is not called by its own name: `named` is what it is called, none if nothing."""

    held: Text
    named: tuple[Text, ...]
    is_right: bool


@dataclass(frozen=True, slots=True)
class Prediction:
    """One item; `facility` is a share, `discrimination` 100 times a correlation, None where all marks are equal."""

    slug: str
    facility: float
    discrimination: float | None
    confusions: tuple[Confusion, ...]


@dataclass(frozen=True, slots=True)
class Predictions:
    """Every item that simulated learners can answer, in the order of the course, of the `versions` that they answered."""

    versions: tuple[int, ...]
    items: tuple[Prediction, ...]


def predictions(course: Course) -> Predictions:
    """Let simulated learners sit the curriculum of a course. Nothing is stored; the same content gives the same figures."""
    versions = versions_of(course)
    known = repertoires(course.curriculum, settings.CONTENT_DIRS)
    pairs: Sequence[tuple[Repertoire, ItemPrediction]] = list(zip(known, predict(known), strict=True)) if known else []
    return Predictions(versions, tuple(_prediction(each, foretold) for each, foretold in pairs))


def versions_of(course: Course) -> tuple[int, ...]:
    """The ids of the current versions of a course's items: while they are the same, so are the predictions."""
    items = Item.objects.filter(curriculum=course.curriculum, is_active=True, current_version__isnull=False)
    return tuple(items.order_by("current_version").values_list("current_version", flat=True))


def _prediction(known: Repertoire, foretold: ItemPrediction) -> Prediction:
    titles = {slug: each.title for slug, each in known.item.misconceptions.items()}
    return Prediction(
        slug=foretold.slug,
        facility=foretold.facility,
        discrimination=foretold.discrimination,
        confusions=tuple(_confusion(each, titles) for each in foretold.mistakable),
    )


def _confusion(found: Mistakable, titles: Mapping[str, Text]) -> Confusion:
    def title(slug: str) -> Text:
        return titles.get(slug) or Text(slug, slug)

    return Confusion(held=title(found.held), named=tuple(map(title, found.named)), is_right=found.is_right)
