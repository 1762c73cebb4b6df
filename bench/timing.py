"""Times of repeated things, and the yardstick that every machine has: starting Python with NumPy."""

from __future__ import annotations

import math
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")

REPEATS = 20

BARE_START = (sys.executable, "-c", "import numpy")
ISOLATED_START = (sys.executable, "-I", "-c", "import numpy")
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}


def seconds_of(do: Callable[[], object]) -> float:
    """How long one call takes."""
    began = time.perf_counter()
    do()
    return time.perf_counter() - began


def bare_start() -> None:
    """What any grader pays that starts a Python for each submission, before it has run a line of anybody's."""
    subprocess.run(BARE_START, check=True)


def bare_start_alone() -> None:
    """The same in an interpreter that sees nothing of its surroundings, and on one thread: as a grader should start it."""
    subprocess.run(ISOLATED_START, check=True, env=ONE_THREAD)


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of the values do not exceed."""
    return sorted(values)[max(math.ceil(share * len(values)) - 1, 0)]


def median(values: Sequence[float]) -> float:
    """The middle value."""
    return statistics.median(values)


def all_at_once(jobs: Sequence[Callable[[], Result]]) -> list[Result]:
    """Run every job in a thread of its own, side by side; raises what the first failing one raised."""
    with ThreadPoolExecutor(max_workers=len(jobs)) as threads:
        return [future.result() for future in [threads.submit(job) for job in jobs]]


def times_as_long(work: Callable[[], object], yardstick: Callable[[], object], rounds: int) -> float:
    """How many times as long the work takes as the yardstick: the median over rounds in which both take turns."""
    return median([seconds_of(repeated(work)) / seconds_of(repeated(yardstick)) for _ in range(rounds)])


def repeated(do: Callable[[], object]) -> Callable[[], None]:
    """The same work several times over, so that the clock has something to measure."""

    def repeat() -> None:
        for _ in range(REPEATS):
            do()

    return repeat
