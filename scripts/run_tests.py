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
CLOSING = re.compile(r"^=* ?\d+ [a-z]+(, \d+ [a-z]+)* in [\d.]+s")
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
    counts: Counter[str] = Counter()
    with subprocess.Popen(
        [sys.executable, "-m", "pytest", *arguments],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        for line in process.stdout or ():
            print(line, end="", flush=True)
            counts = counted(line) or counts
    return process.returncode, counts


def counted(line: str) -> Counter[str]:
    """What pytest's closing line counts; nothing for any other line."""
    if not CLOSING.match(line):
        return Counter()
    return Counter({word: int(number) for number, word in COUNTED.findall(line)})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
