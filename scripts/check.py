"""Every check besides the tests, one line each; `--fix` formats instead of checking.

All of them run even when one fails. What cannot run here is named; with QKV_REQUIRE_ALL=1 that is a failure too.
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
FRONTEND = ROOT / "frontend"
BUILT = "exercises/static"
REQUIRE_ALL = os.environ.get("QKV_REQUIRE_ALL") == "1"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that must hold, and the commands that show it."""

    name: str
    commands: tuple[Sequence[str | Path], ...]
    needs: str = ""
    environment: tuple[tuple[str, str], ...] = ()


def templates() -> list[Path]:
    """Every template of ours."""
    return sorted((ROOT / "exercises" / "templates").rglob("*.html"))


def python(*words: str) -> list[str | Path]:
    """A command of this environment's Python."""
    return [sys.executable, *words]


CHECKS = (
    Check("format", ([BIN / "ruff", "format", "--check", "--quiet", "."],)),
    Check("lint", ([BIN / "ruff", "check", "--quiet", "."],)),
    Check("types", ([BIN / "mypy"],)),
    Check("floors", ([BIN / "lint-imports", "--no-cache"],)),
    Check("dependencies", ([BIN / "deptry", "."],)),
    Check(
        "templates",
        (
            [BIN / "djade", "--check", "--target-version", "5.2", *templates()],
            [BIN / "djangofmt", "--check", *templates()],
        ),
    ),
    Check("locks", (python("scripts/locks.py"),)),
    Check("content", (python("manage.py", "content_check"),)),
    Check("messages", (python("scripts/messages.py"),)),
    Check("migrations", (python("manage.py", "makemigrations", "--check", "--dry-run"),)),
    Check(
        "deployment",
        (python("manage.py", "check", "--deploy", "--fail-level", "WARNING"),),
        environment=(("SITE_URL", "https://course.example.org"),),
    ),
    Check(
        "front end",
        (
            ["npm", "--prefix", FRONTEND, "ci", "--no-audit", "--no-fund", "--silent"],
            ["npm", "--prefix", FRONTEND, "run", "--silent", "build"],
            ["git", "diff", "--exit-code", "--stat", "--", BUILT],
        ),
        needs="npm",
    ),
)
FIXES = (
    Check("imports and lint", ([BIN / "ruff", "check", "--fix", "--quiet", "."],)),
    Check("format", ([BIN / "ruff", "format", "--quiet", "."],)),
    Check("templates", ([BIN / "djade", "--target-version", "5.2", *templates()], [BIN / "djangofmt", *templates()])),
)


def main(arguments: list[str]) -> int:
    """Run all checks, or those that are named; return 1 if one of them failed."""
    names = [word for word in arguments if not word.startswith("--")]
    wanted = FIXES if "--fix" in arguments else [check for check in CHECKS if not names or check.name in names]
    failed = [check.name for check in wanted if not passes(check)]
    if failed and "--fix" not in arguments:
        print(f"\nFAILED: {', '.join(failed)}")
    return 1 if failed and "--fix" not in arguments else 0


def passes(check: Check) -> bool:
    """Run one check and print how it went; its own words follow when it failed or has something to say."""
    if check.needs and not shutil.which(check.needs):
        print(f"{'FAILED' if REQUIRE_ALL else 'SKIPPED':<8} {check.name}: there is no {check.needs} here")
        return not REQUIRE_ALL
    started = time.monotonic()
    environment = {"NO_COLOR": "1", "SECRET_KEY": secrets.token_urlsafe(48), **os.environ, **dict(check.environment)}
    status, words = 0, ""
    for command in check.commands:
        finished = subprocess.run(
            [os.fspath(part) for part in command],
            cwd=ROOT,
            check=False,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        words += finished.stdout
        status = status or finished.returncode
        if status:
            break
    print(f"{'FAILED' if status else 'ok':<8} {check.name} ({time.monotonic() - started:.1f} s)", flush=True)
    if status or check.name == "locks":
        sys.stdout.write(words)
    return not status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
