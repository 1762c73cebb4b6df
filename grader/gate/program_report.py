"""What trying programs has shown, as lines for an author, as JSON, and as a page of the developer's guide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Self

from grader.gate.report import Refusal

RIGHT = "correct"
PAGE_HEAD = """\
# Reference programs

Every program in `content/*/reference`, what it gets wrong, what its author is told first, and what it earns. All of them
run through the real sandbox, on three draws of the hidden numbers, whenever the content is checked; one that gets another
name or another score than it should on any of them is refused. Made by `manage.py content_check --programs`; a test keeps it current. How to add one:
[add a code item](add-a-code-item.md).

*Slips* are the mistakes that the item's derivation allows. For each of them a program was made up that returns what the
slip gives, on every call; none earns full marks.
"""


@dataclass(frozen=True, slots=True)
class TriedProgram:
    """One reference program with the name of what is found first, "correct" if nothing is, and what it earns."""

    item: str
    name: str
    idea: str
    found: str
    score: str
    max_score: str

    @property
    def credit(self) -> str:
        """What it earns of what there is."""
        return f"{self.score}/{self.max_score}"


@dataclass(frozen=True, slots=True)
class ProgramReport:
    """All programs of a content folder; where the sandbox does not stand, `unavailable` says why and none was run.

    `slips` counts for each item the mistakes that were tried as programs.
    """

    tried: tuple[TriedProgram, ...] = ()
    slips: Mapping[str, int] | None = None
    refusals: tuple[Refusal, ...] = ()
    unavailable: str = ""

    def joined(self, other: ProgramReport) -> ProgramReport:
        """This report, and then the other."""
        return ProgramReport(
            tried=(*self.tried, *other.tried),
            slips={**(self.slips or {}), **(other.slips or {})},
            refusals=(*self.refusals, *other.refusals),
            unavailable=self.unavailable or other.unavailable,
        )

    def lines(self) -> Iterator[str]:
        """The block that is printed."""
        for item, programs in self._by_item():
            yield f"{item}: {len(programs)} programs, {(self.slips or {}).get(item, 0)} slips"
            name, found = (max(len(getattr(each, key)) for each in programs) for key in ("name", "found"))
            yield from (f"  {each.name:<{name}}  {each.found:<{found}}  {each.credit}" for each in programs)
        if self.unavailable:
            yield f"note: the reference programs were not run: {self.unavailable}"
        for refusal in self.refusals:
            yield f"refused: {refusal}"
        yield f"programs: {len(self.tried)}; refusals: {len(self.refusals)}"

    def page(self) -> Iterator[str]:
        """The lines of docs/developer/programs.md."""
        yield PAGE_HEAD
        for item, programs in self._by_item():
            wrong = [each for each in programs if each.found != RIGHT]
            counts = f"{len(programs) - len(wrong)} right, {len(wrong)} wrong, {(self.slips or {}).get(item, 0)} slips"
            yield f"## `{item}`: {counts}\n"
            yield "| program | what it does | found | credit |\n|---|---|---|---|"
            yield from (f"| `{each.name}` | {each.idea} | `{each.found}` | {each.credit} |" for each in programs)
            yield ""

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {
            "tried": [{name: getattr(each, name) for name in TriedProgram.__dataclass_fields__} for each in self.tried],
            "slips": dict(self.slips or {}),
            "refusals": [refusal.to_json() for refusal in self.refusals],
            "unavailable": self.unavailable,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Read what `to_json` wrote."""
        return cls(
            tried=tuple(TriedProgram(**each) for each in value["tried"]),
            slips=value["slips"],
            refusals=tuple(Refusal(**{**each, "path": Path(each["path"])}) for each in value["refusals"]),
            unavailable=value["unavailable"],
        )

    def _by_item(self) -> Iterable[tuple[str, list[TriedProgram]]]:
        return ((item, list(programs)) for item, programs in groupby(self.tried, key=lambda each: each.item))
