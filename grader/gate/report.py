"""What the content check says: refusals, which must be mended, and notes, which an author may want to know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.bank.errors import ContentError
from grader.derivation.slips import Slip
from grader.derivation.typeset import letters

Key = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with one item; `key` is its place within the item's table."""

    key: Key
    reason: str


@dataclass(frozen=True, slots=True)
class Findings:
    """What a check of one item found."""

    faults: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something that must be mended before the content is taken."""

    path: Path
    line: int
    key: str
    reason: str

    @classmethod
    def of(cls, error: ContentError) -> Refusal:
        """The same refusal as the reader's error says it."""
        return cls(error.path, error.line, error.key, error.reason)

    def __str__(self) -> str:
        return str(ContentError(self.path, self.key, self.line, self.reason))

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {"path": str(self.path), "line": self.line, "key": self.key, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class SlipClass:
    """Slips that give the same answer wherever they are tried: one message, that of the first."""

    slips: tuple[Slip, ...]

    def __str__(self) -> str:
        return " = ".join(describe(slip) for slip in self.slips)

    @property
    def slugs(self) -> tuple[str, ...]:
        """The names in it, each once."""
        return tuple(dict.fromkeys(slip.slug for slip in self.slips))


def describe(slip: Slip) -> str:
    """A slip for an author's eyes: its name, the step, and what is computed there."""
    return f"{slip.slug} at {slip.wrong.name} ({letters(slip.wrong)})"


@dataclass(frozen=True, slots=True)
class ItemReport:
    """One item. `share` is that of the seeds that tell all its mistakes apart; None for an item without numbers."""

    place: str
    kind: str
    slips: int
    classes: tuple[SlipClass, ...]
    share: float | None
    refusals: tuple[Refusal, ...]
    notes: tuple[str, ...]

    def lines(self) -> Iterator[str]:
        """The block that is printed."""
        yield f"{self.place} ({self.kind}): {'refused' if self.refusals else 'in order'}"
        if self.share is not None:
            yield f"  {self.slips} slips in {len(self.classes)} classes; {self.share:.1%} of the seeds tell them apart"
        for number, found in enumerate(self.classes, start=1):
            yield f"  {number:>3}. {found}"
        for note in self.notes:
            yield f"  note: {note}"
        for refusal in self.refusals:
            yield f"  refused: {refusal}"

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {
            "item": self.place,
            "kind": self.kind,
            "slips": self.slips,
            "classes": [[describe(slip) for slip in found.slips] for found in self.classes],
            "share": self.share,
            "refusals": [refusal.to_json() for refusal in self.refusals],
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class ContentReport:
    """A whole content folder; `refusals` and `notes` are those that belong to no single item."""

    items: tuple[ItemReport, ...]
    refusals: tuple[Refusal, ...]
    notes: tuple[str, ...] = ()

    def all_refusals(self) -> tuple[Refusal, ...]:
        """Everything that must be mended, the items' own first."""
        return (*(refusal for item in self.items for refusal in item.refusals), *self.refusals)

    def lines(self) -> Iterator[str]:
        """The whole report as it is printed."""
        for item in self.items:
            yield from item.lines()
            yield ""
        for note in self.notes:
            yield f"note: {note}"
        for refusal in self.refusals:
            yield f"refused: {refusal}"
        yield f"items: {len(self.items)}; refusals: {len(self.all_refusals())}"

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {
            "is_accepted": not self.all_refusals(),
            "items": [item.to_json() for item in self.items],
            "refusals": [refusal.to_json() for refusal in self.refusals],
            "notes": list(self.notes),
        }
