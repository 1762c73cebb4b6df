"""`python -m bench NAME [--json]`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from bench import dashboard, grade, marking, pages, sandbox, stack
from bench.report import Figure, Report, as_text

SUITES: Final[Mapping[str, Callable[[], Sequence[Figure]]]] = {
    dashboard.NAME: dashboard.measure,
    grade.NAME: grade.measure,
    marking.NAME: marking.measure,
    pages.NAME: pages.measure,
    sandbox.NAME: sandbox.measure,
    stack.NAME: stack.measure,
}


def main(arguments: list[str]) -> int:
    """Measure one suite and print its figures; the exit status is 1 where one misses its aim."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure, side by side in one run.")
    parser.add_argument("name", choices=SUITES, help="what to measure")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    chosen = parser.parse_args(arguments)
    report = Report.of(chosen.name, SUITES[chosen.name]())
    print(json.dumps(report.to_json(), ensure_ascii=False, indent=2) if chosen.json else as_text(report))
    return 0 if report.all_met else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
