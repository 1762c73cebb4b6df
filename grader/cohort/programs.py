"""The reference programs that simulated learners send, read from the content folders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from grader.cohort.answers import RIGHT

EXPECT = "# expect: "
CORRECT = "correct"


def programs(directories: Iterable[Path]) -> Mapping[str, Mapping[str, str]]:
    """Item -> idea -> source; of several programs with one idea the first by its path."""
    found: dict[str, dict[str, str]] = {}
    for path in sorted(path for directory in directories for path in directory.glob("**/reference/*/*.py")):
        source = path.read_text(encoding="utf-8")
        expected = source.partition("\n")[0].removeprefix(EXPECT).strip()
        found.setdefault(path.parent.name, {}).setdefault(RIGHT if expected == CORRECT else expected, source)
    return found
