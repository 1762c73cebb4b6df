"""What is told of a run of a learner's code: case by case, property by property, with what was measured outside."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Any, Self

from grader.marking.finding import Finding
from grader.marking.properties import CaseGroup, Property
from grader.marking.text import NO_TEXT, Text

Rows = tuple[tuple[str, ...], ...]


class CaseState(StrEnum):
    """How one call of the learner's function ended."""

    RIGHT = "right"
    WRONG = "wrong"
    RAISED = "raised"
    NOT_REACHED = "not_reached"


@dataclass(frozen=True, slots=True)
class ArrayReport:
    """An array to show: its cells as text in C order, or none where there are too many. None has the dtype "None"."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    cells: tuple[str, ...]

    @property
    def shape_text(self) -> str:
        """The shape as Python writes it; nothing for None."""
        return "" if self.dtype == "None" else str(self.shape)

    @property
    def blocks(self) -> tuple[Rows, ...]:
        """The cells as matrices, one for each leading index; a vector or a number is one row."""
        columns = self.shape[-1] if self.shape else 1
        rows = self.shape[-2] if len(self.shape) > 1 else 1
        size = rows * columns
        return tuple(
            tuple(self.cells[start + row * columns : start + (row + 1) * columns] for row in range(rows))
            for start in range(0, len(self.cells), size or 1)
        )

    def index_of(self, cell: tuple[int, ...]) -> int:
        """Where a cell stands in `cells`."""
        return sum(place * math.prod(self.shape[axis + 1 :]) for axis, place in enumerate(cell))

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {"name": self.name, "dtype": self.dtype, "shape": list(self.shape), "cells": list(self.cells)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Read what `to_json` wrote."""
        return cls(value["name"], value["dtype"], tuple(map(int, value["shape"])), tuple(map(str, value["cells"])))


@dataclass(frozen=True, slots=True)
class Difference:
    """The first cell that is wrong, of which array, and how it is worked out as TeX ("" where no formula is short).

    `cell` counts from 0, as Python does.
    """

    name: str
    cell: tuple[int, ...]
    expected: str
    got: str
    worked: str = ""

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {
            "name": self.name,
            "cell": list(self.cell),
            "expected": self.expected,
            "got": self.got,
            "worked": self.worked,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Read what `to_json` wrote."""
        return cls(
            name=value["name"],
            cell=tuple(map(int, value["cell"])),
            expected=value["expected"],
            got=value["got"],
            worked=value.get("worked", ""),
        )


@dataclass(frozen=True, slots=True)
class CaseReport:
    """One call. Of a hidden case only group, property and state are told.

    `expected` and `got` have the same names in the same order. Where no arrays came back `got` is empty, and `error`
    says what did: an exception with the learner's line, or something of another kind. `note` is what a property was
    judged by.
    """

    number: int
    group: CaseGroup
    property: Property
    state: CaseState
    call: str = ""
    given: tuple[ArrayReport, ...] = ()
    expected: tuple[ArrayReport, ...] = ()
    got: tuple[ArrayReport, ...] = ()
    difference: Difference | None = None
    error: str = ""
    line: int | None = None
    inputs_changed: bool = False
    printed: str = ""
    note: Text = NO_TEXT

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {
            "number": self.number,
            "group": self.group,
            "property": self.property,
            "state": self.state,
            "call": self.call,
            "given": [array.to_json() for array in self.given],
            "expected": [array.to_json() for array in self.expected],
            "got": [array.to_json() for array in self.got],
            "difference": self.difference.to_json() if self.difference else None,
            "error": self.error,
            "line": self.line,
            "inputs_changed": self.inputs_changed,
            "printed": self.printed,
            "note": self.note.to_json(),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Read what `to_json` wrote, today or in an earlier form."""
        return cls(
            number=value["number"],
            group=_group(value),
            property=Property(value.get("property", Property.VALUES)),
            state=CaseState(value["state"]),
            call=value.get("call", ""),
            given=_arrays(value.get("given")),
            expected=_arrays(value.get("expected")),
            got=_arrays(value.get("got")),
            difference=Difference.from_json(value["difference"]) if value.get("difference") else None,
            error=value.get("error", ""),
            line=value.get("line"),
            inputs_changed=value.get("inputs_changed", False),
            printed=value.get("printed", ""),
            note=Text.from_json(value["note"]) if value.get("note") else NO_TEXT,
        )


def _group(value: Mapping[str, Any]) -> CaseGroup:
    """Who may see a case; it was told by `visible`, before there were witnesses."""
    if "group" in value:
        return CaseGroup(value["group"])
    return CaseGroup.VISIBLE if value["visible"] else CaseGroup.HIDDEN


def _arrays(value: object) -> tuple[ArrayReport, ...]:
    """The arrays of a case; they were a text once, which cannot be laid out any more."""
    return tuple(map(ArrayReport.from_json, value)) if isinstance(value, list) else ()


@dataclass(frozen=True, slots=True)
class PropertyReport:
    """What one property earned of its share of the score, and how many of its cases passed."""

    property: Property
    earned: Decimal
    of: Decimal
    passed: int
    total: int

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {
            "property": self.property,
            "earned": str(self.earned),
            "of": str(self.of),
            "passed": self.passed,
            "total": self.total,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Read what `to_json` wrote."""
        return cls(
            Property(value["property"]), Decimal(value["earned"]), Decimal(value["of"]), value["passed"], value["total"]
        )


@dataclass(frozen=True, slots=True)
class RunLimits:
    """What one run may use."""

    cpu_s: float = 0
    wall_s: float = 0
    memory_mib: int = 0
    output_kib: int = 0

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {
            "cpu_s": self.cpu_s,
            "wall_s": self.wall_s,
            "memory_mib": self.memory_mib,
            "output_kib": self.output_kib,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Read what `to_json` wrote; a limit that was not kept is 0."""
        return cls(**{name: value.get(name, 0) for name in ("cpu_s", "wall_s", "memory_mib", "output_kib")})


@dataclass(frozen=True, slots=True)
class RunReport:
    """A whole run. `cases` are the visible and the hidden ones; `smallest` is the smallest call that fails.

    `stdout` is what may be shown: printed while loading, and during visible cases. `limit` names the limit that ended
    the run. Of a run that is no try, `result` is what a call of the learner's own came to, as Python writes it, and
    `findings` say what kept it from coming to anything; a mark has findings of its own.
    """

    status: str
    stdout: str
    traceback: str
    cpu_ms: int
    memory_mib: int
    cases: tuple[CaseReport, ...] = ()
    wall_ms: int = 0
    limits: RunLimits = field(default_factory=RunLimits)
    limit: str = ""
    properties: tuple[PropertyReport, ...] = ()
    smallest: CaseReport | None = None
    result: str = ""
    findings: tuple[Finding, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {
            "status": self.status,
            "stdout": self.stdout,
            "traceback": self.traceback,
            "cpu_ms": self.cpu_ms,
            "memory_mib": self.memory_mib,
            "cases": [case.to_json() for case in self.cases],
            "wall_ms": self.wall_ms,
            "limits": self.limits.to_json(),
            "limit": self.limit,
            "properties": [report.to_json() for report in self.properties],
            "smallest": self.smallest.to_json() if self.smallest else None,
            "result": self.result,
            "findings": [finding.to_json() for finding in self.findings],
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Read what `to_json` wrote, today or in an earlier form."""
        return cls(
            status=value["status"],
            stdout=value["stdout"],
            traceback=value["traceback"],
            cpu_ms=value["cpu_ms"],
            memory_mib=value["memory_mib"],
            cases=tuple(map(CaseReport.from_json, value.get("cases", ()))),
            wall_ms=value.get("wall_ms", 0),
            limits=RunLimits.from_json(value.get("limits", {})),
            limit=value.get("limit", ""),
            properties=tuple(map(PropertyReport.from_json, value.get("properties", ()))),
            smallest=CaseReport.from_json(value["smallest"]) if value.get("smallest") else None,
            result=value.get("result", ""),
            findings=tuple(map(Finding.from_json, value.get("findings", ()))),
        )
