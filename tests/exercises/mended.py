"""Newer versions of an item, as an author mends it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from exercises.models import Item, ItemVersion
from grader.bank import digest


def mended(found: Item, change: Callable[[dict[str, Any]], None]) -> Item:
    """The item with another current version: its definition, changed in place by `change`."""
    definition = copy.deepcopy(found.version.definition)
    change(definition)
    found.current_version = ItemVersion.objects.create(
        item=found, number=found.version.number + 1, digest=digest(definition), definition=definition
    )
    found.save(update_fields=["current_version"])
    return found


def right_is_the_other_one(definition: dict[str, Any]) -> None:
    """The key of a choice of two was wrong: the other option is right."""
    for option in definition["option"]:
        option["right"] = not option["right"]
        option.pop("misconception", None)
