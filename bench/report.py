"""What a suite found: figures, some with an aim, on a machine and a day."""

from __future__ import annotations

import operator
import os
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Self

COMPARISONS: Final[Mapping[str, Callable[[float, float], bool]]] = {"<=": operator.le, ">=": operator.ge}


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value; `aim` is such as "<= 0.5", in the same unit."""

    id: str
    what: str
    value: float
    unit: str
    aim: str = ""

    @property
    def is_met(self) -> bool:
        """Whether the value fulfils its aim; a figure without one has nothing to miss."""
        if not self.aim:
            return True
        sign, _, bound = self.aim.partition(" ")
        return COMPARISONS[sign](self.value, float(bound))

    def to_json(self) -> dict[str, Any]:
        """Plain JSON, the aim left out where there is none."""
        measured = {"id": self.id, "what": self.what, "value": round(self.value, 4), "unit": self.unit}
        return {**measured, "aim": self.aim, "met": self.is_met} if self.aim else measured


@dataclass(frozen=True, slots=True)
class Report:
    """All figures of one run of a suite."""

    suite: str
    machine: str
    date: str
    figures: tuple[Figure, ...]

    @classmethod
    def of(cls, suite: str, figures: Sequence[Figure]) -> Self:
        """A report of this machine and this moment."""
        return cls(suite, machine(), datetime.now(UTC).isoformat(timespec="seconds"), tuple(figures))

    @property
    def all_met(self) -> bool:
        """Whether no figure misses its aim."""
        return all(figure.is_met for figure in self.figures)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        figures = [figure.to_json() for figure in self.figures]
        return {"suite": self.suite, "machine": self.machine, "date": self.date, "figures": figures}


def machine() -> str:
    """Processor, cores, kernel and Python: what figures depend on."""
    cores = len(os.sched_getaffinity(0))
    kernel = f"{platform.system()} {platform.release()}"
    return f"{processor()}, {cores} cores, {kernel}, Python {platform.python_version()}"


def processor() -> str:
    """The processor's own name where the kernel tells it."""
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def as_text(report: Report) -> str:
    """A table for people."""
    width = max(len(figure.what) for figure in report.figures)
    lines = [f"{report.suite}, {report.date}", report.machine, ""]
    for figure in report.figures:
        aim = f"   aim {figure.aim}: {'met' if figure.is_met else 'MISSED'}" if figure.aim else ""
        lines.append(f"{figure.what:{width}}  {figure.value:10.3f} {figure.unit}{aim}")
    return "\n".join(lines)
