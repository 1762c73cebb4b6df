"""What simulated learners can answer to the items of a curriculum."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from exercises.models import Curriculum, Item
from exercises.queries.definitions import item_content
from grader.cohort.programs import programs
from grader.cohort.repertoire import Repertoire, repertoire


def repertoires(curriculum: Curriculum, directories: Sequence[Path]) -> tuple[Repertoire, ...]:
    """One for each active item that they can answer, in the order of the course; programs come from the content folders."""
    items = Item.objects.filter(curriculum=curriculum, is_active=True).select_related("current_version")
    sources = programs(directories)
    ordered = items.order_by("lesson__position", "position")
    found = (repertoire(item_content(item.version), sources.get(item.slug, {})) for item in ordered)
    return tuple(each for each in found if each is not None)
