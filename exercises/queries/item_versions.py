"""The versions of an item, and what differs between two of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff

from exercises.models import Item, ItemVersion


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line that both have, or that only the older ("-") or the newer ("+") has; "@" begins another place."""

    sign: str
    text: str

    @property
    def shown(self) -> str:
        """The line as it is read."""
        return "…" if self.sign == "@" else f"{'−' if self.sign == '-' else self.sign}{self.text}"


def item_versions(item: Item) -> tuple[ItemVersion, ...]:
    """All versions, the newest first. One query."""
    return tuple(item.versions.order_by("-number"))


def version_differences(older: ItemVersion, newer: ItemVersion) -> Iterator[DiffLine]:
    """The definitions as indented JSON, line by line."""
    for line in list(unified_diff(_lines(older), _lines(newer), lineterm="", n=2))[2:]:
        yield DiffLine(line[0], line[1:] if line[0] != "@" else "")


def _lines(version: ItemVersion) -> list[str]:
    return json.dumps(version.definition, ensure_ascii=False, indent=2).splitlines()
