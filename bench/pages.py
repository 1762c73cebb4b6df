"""What pages cost: p50 and p95 of each, and of a numeric check, as multiples of an empty page.

The empty page stands behind the same middleware, session and signed-in user, and takes turns with the others in one process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from bench.report import Figure
from bench.timing import median, percentile

NAME: Final = "pages"
ROUNDS: Final = 60
EMPTY: Final = "empty"
AIMS: Final = {"check": "<= 8", "lesson": "<= 8"}


def measure() -> Sequence[Figure]:
    """Every figure of the suite."""
    return figures(page_times(ROUNDS))


def page_times(rounds: int) -> Mapping[str, Sequence[float]]:
    """Name of a page -> its seconds, from a process of its own with a site of its own."""
    with tempfile.TemporaryDirectory(prefix="qkv-pages-") as directory:
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
        command = [sys.executable, "-m", "bench.page_times", str(rounds)]
        finished = subprocess.run(command, env=kept | own, check=True, stdout=subprocess.PIPE)
        return dict(json.loads(finished.stdout))


def figures(times: Mapping[str, Sequence[float]]) -> Sequence[Figure]:
    """Two ratios for each page, and the empty page itself for those who want to know what the unit is."""
    unit, slow_unit = median(times[EMPTY]), percentile(times[EMPTY], 0.95)
    ratios = [
        figure
        for name, seconds in times.items()
        if name != EMPTY
        for figure in (
            Figure(f"{name}_p50", f"{name}, p50", median(seconds) / unit, "×", AIMS.get(name, "")),
            Figure(f"{name}_p95", f"{name}, p95", percentile(seconds, 0.95) / slow_unit, "×"),
        )
    ]
    return (*ratios, Figure("empty_ms", "the empty page, p50", unit * 1000, "ms"))
