"""Whether the report of a run may be shown: it comes from a process that ran hostile code."""

from __future__ import annotations

import math
from collections.abc import Iterator

from grader.marking.run_report import ArrayReport, RunReport


def is_believable(report: RunReport) -> bool:
    """Whether each array has as many numbers as its shape says, or none: a page lays them out row by row."""
    return all(not array.cells or math.prod(array.shape) == len(array.cells) for array in _arrays(report))


def _arrays(report: RunReport) -> Iterator[ArrayReport]:
    for case in (*report.cases, *([report.smallest] if report.smallest else [])):
        yield from (*case.given, *case.expected, *case.got)
