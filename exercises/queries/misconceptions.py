"""Which misconceptions the standing marks of a course name: how often, by whom, in which items."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

from django.db.models import Count, Max

from exercises.enums import Role
from exercises.models import Course, Curriculum, Item, MisconceptionSighting
from exercises.queries.definitions import item_content
from grader.marking.text import Text


@dataclass(frozen=True, slots=True)
class SeenMisconception:
    """One misconception in one course."""

    slug: str
    title: Text
    count: int  # submissions that show it
    students: int  # students who sent them
    names: tuple[str, ...]
    items: tuple[str, ...]


def misconceptions_seen(course: Course) -> tuple[SeenMisconception, ...]:
    """Those that most students show come first. Three queries."""
    seen = MisconceptionSighting.objects.filter(
        submission__counted=True,
        submission__attempt__enrollment__course=course,
        submission__attempt__enrollment__role=Role.STUDENT,
    )
    counts = (
        seen.order_by()
        .values("slug")
        .annotate(
            count=Count("id"),
            students=Count("submission__attempt__enrollment", distinct=True),
            newest=Max("id"),
        )
        .order_by("-students", "-count", "slug")
    )
    places = list(
        seen.order_by("submission__attempt__enrollment__user__display_name", "submission__attempt__item__slug")
        .values_list(
            "slug",
            "submission__attempt__enrollment__user__display_name",
            "submission__attempt__enrollment__user__username",
            "submission__attempt__item__slug",
        )
        .distinct()
    )
    rows = list(counts)
    titles = dict(
        MisconceptionSighting.objects.filter(pk__in=[row["newest"] for row in rows]).values_list("slug", "title")
    )
    return tuple(
        SeenMisconception(
            slug=row["slug"],
            title=Text.from_json(titles[row["slug"]]),
            count=row["count"],
            students=row["students"],
            names=_each_once(name or username for slug, name, username, _item in places if slug == row["slug"]),
            items=_each_once(item for slug, _name, _username, item in places if slug == row["slug"]),
        )
        for row in rows
    )


def misconceptions_known(curriculum: Curriculum) -> dict[str, Text]:
    """Slug -> title of all that the items of a curriculum can name: what an instructor may tag an answer with."""
    items = Item.objects.filter(curriculum=curriculum, is_active=True).select_related("current_version")
    found = [item_content(item.version).misconceptions.values() for item in items]
    return {each.slug: each.title for each in chain.from_iterable(found)}


def _each_once(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))
