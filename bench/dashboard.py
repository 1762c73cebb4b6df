"""What the instructor's pages cost at 100, 1 000 and 10 000 students with 40 items and five tries each.

Pages read figures that were kept; `… anew` is the working out of those, by the site worker. Growth is that from 1 000
students to 10 000. The analysis is compared with the same figures worked out in Python from the rows.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bench.report import Figure

NAME: Final = "dashboard"
SIZES: Final = (100, 1_000, 10_000)
WORDS: Final = {
    "overview": "overview",
    "progress": "progress, 500 students of the most stuck",
    "analysis": "item analysis",
    "gradebook": "gradebook, a page of 100 students",
    "sheet": "score sheet of the whole class as CSV",
    "overview_anew": "overview, worked out anew",
    "board_anew": "misconceptions and cure rates, worked out anew",
    "analysis_anew": "item analysis, worked out anew",
    "students_anew": "figures of every student, worked out anew",
    "grades_anew": "grades of every student, worked out anew",
}
GROWTH: Final = {
    "overview": "<= 1.5",
    "progress": "<= 1.5",
    "analysis": "<= 1.5",
    "gradebook": "<= 1.5",
    "sheet": "<= 12",
    "overview_anew": "<= 12",
    "board_anew": "<= 12",
    "analysis_anew": "<= 12",
    "students_anew": "<= 12",
    "grades_anew": "<= 12",
}

Times = Mapping[str, Mapping[str, Mapping[str, float]]]


def measure() -> Sequence[Figure]:
    """Every figure of the suite."""
    return figures(dashboard_times(SIZES), SIZES)


def dashboard_times(sizes: Sequence[int]) -> Times:
    """Size -> page -> seconds and queries, from a process of its own with a database of its own."""
    with tempfile.TemporaryDirectory(prefix="qkv-dashboard-") as directory:
        static = Path(directory) / "static"
        static.mkdir()
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}
        own = {
            "QKV_DATA_DIR": directory,
            "STATIC_ROOT": str(static),
            "SECRET_KEY": "only this measurement uses this key, and nothing is secret in it",
            "DJANGO_SETTINGS_MODULE": "qkvcourse.settings",
            "LOG_LEVEL": "ERROR",
        }
        command = [sys.executable, "-m", "bench.dashboard_times", *map(str, sizes)]
        finished = subprocess.run(command, env=kept | own, check=True, stdout=subprocess.PIPE)
        return dict(json.loads(finished.stdout))


def figures(times: Times, sizes: Sequence[int]) -> Sequence[Figure]:
    """Milliseconds and queries of each page and size, growth between the two largest, and how much Python is slower."""
    return (*_costs(times), *_growth(times, sizes), *_against_python(times, sizes))


def _costs(times: Times) -> Iterator[Figure]:
    for size, pages in times.items():
        for page, words in WORDS.items():
            told: Mapping[str, Any] = pages[page]
            yield Figure(f"{page}_{size}_ms", f"{words}, {size} students", told["seconds"] * 1_000, "ms")
            yield Figure(f"{page}_{size}_queries", f"{words}, {size} students", told["queries"], "queries")


def _growth(times: Times, sizes: Sequence[int]) -> Iterator[Figure]:
    before, after = (times[str(size)] for size in sizes[-2:])
    for page, aim in GROWTH.items():
        factor = after[page]["seconds"] / before[page]["seconds"]
        yield Figure(f"{page}_growth", f"{WORDS[page]}: {sizes[-1]} students over {sizes[-2]}", factor, "×", aim)


def _against_python(times: Times, sizes: Sequence[int]) -> Iterator[Figure]:
    pages = times[str(sizes[-1])]
    python = pages["python"]["seconds"]
    yield Figure("python_ms", f"the analysis in Python from the rows, {sizes[-1]} students", python * 1_000, "ms")
    faster = python / pages["analysis"]["seconds"]
    yield Figure("analysis_against_python", "the page of the analysis is faster than that", faster, "×", ">= 20")
    anew = python / pages["analysis_anew"]["seconds"]
    yield Figure("analysis_anew_against_python", "the same in SQL, worked out anew, is faster", anew, "×", ">= 20")
