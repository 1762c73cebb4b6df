"""Run the whole suite on SQLite, then every test that touches the database again on PostgreSQL.

Both runs take the arguments given here. The second begins even when the first fails: one look shows everything.
The last line adds both up.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter

RUNS: tuple[tuple[str, dict[str, str], list[str]], ...] = (
    ("SQLite", {}, []),
    ("PostgreSQL", {"TEST_DATABASE": "postgresql"}, ["--database-only"]),
)
COUNTED = re.compile(r"(\d+) (passed|failed|skipped|errors?)\b")
NO_TEST_CHOSEN = 5


def main(arguments: list[str]) -> int:
    """Run both; return 1 if either failed."""
    total: Counter[str] = Counter()
    failed = False
    for name, environment, options in RUNS:
        print(f"\n== tests on {name}", flush=True)
        status, counts = run(environment, [*options, *arguments])
        total += counts
        failed |= status not in {0, NO_TEST_CHOSEN}
    broken = total["failed"] + total["error"] + total["errors"]
    print(f"\n{total['passed']} passed, {broken} failed, {total['skipped']} skipped")
    return 1 if failed or not total["passed"] else 0


def run(environment: dict[str, str], arguments: list[str]) -> tuple[int, Counter[str]]:
    """Run pytest once, show what it prints, and count from its closing line."""
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", *arguments],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        text=True,
    )
    closing_line = ""
    for line in process.stdout or ():
        print(line, end="", flush=True)
        if line.startswith("=") and COUNTED.search(line):
            closing_line = line
    status = process.wait()
    return status, Counter({word: int(number) for number, word in COUNTED.findall(closing_line)})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
