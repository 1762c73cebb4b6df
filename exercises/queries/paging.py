"""A long list, a page at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Generic, TypeVar

PAGE: Final = 25
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """Some rows of a list; pages count from 1."""

    rows: tuple[Row, ...]
    number: int
    pages: int

    @property
    def before(self) -> int:
        """The number of the page before, 0 if this is the first."""
        return self.number - 1

    @property
    def after(self) -> int:
        """The number of the page after, 0 if this is the last."""
        return self.number + 1 if self.number < self.pages else 0


def pages_of(rows: int, size: int = PAGE) -> int:
    """How many pages so many rows fill; an empty list is one page."""
    return max(1, -(-rows // size))


def nearest_page(asked: int, pages: int) -> int:
    """The page that is asked for, or the one that is nearest to it."""
    return min(max(1, asked), pages)
