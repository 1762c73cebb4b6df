"""The lock files: write them from the `.in` files, or check that they still follow from them.

Only the indexes of the packages can answer that, so without a network the check says that it could not be made.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The later ones build on the first.
LOCKS = ("requirements", "requirements-grader", "requirements-dev")
UV = Path(sys.executable).parent / "uv"
NETWORK_WORDS = ("error sending request", "dns error", "Connection refused", "Could not connect", "timed out")


class OfflineError(Exception):
    """The package index cannot be reached."""


def main(arguments: list[str]) -> int:
    """Write (`--write`), raising versions with `--upgrade`; else check."""
    try:
        if "--write" in arguments:
            for name in LOCKS:
                compile_lock(name, ROOT / f"{name}.txt", upgrade="--upgrade" in arguments)
            return 0
        return check()
    except OfflineError:
        print("locks: the package index cannot be reached, so the lock files were NOT checked")
        return 0
    except subprocess.CalledProcessError as error:
        print(f"locks: {error.stderr.strip()}")
        return 1


def check() -> int:
    """Compile each lock anew from what it pins, and compare."""
    status = 0
    for name in LOCKS:
        lock = ROOT / f"{name}.txt"
        with tempfile.TemporaryDirectory() as directory:
            # The present pins are the preference: only a change of an .in file makes a difference.
            fresh = Path(directory) / lock.name
            fresh.write_bytes(lock.read_bytes())
            compile_lock(name, fresh, upgrade=False)
            if pins(fresh) != pins(lock):
                print(f"locks: {lock.name} does not follow from {name}.in: run `make lock`")
                status = 1
    return status


def compile_lock(name: str, target: Path, *, upgrade: bool) -> None:
    """Let uv resolve one `.in` file for every Python from 3.11 on."""
    command = [str(UV), "pip", "compile", "--quiet", "--universal", "--python-version", "3.11", "--generate-hashes"]
    options = ["--no-header", *(["--upgrade"] if upgrade else []), f"{name}.in", "-o", str(target)]
    finished = subprocess.run([*command, *options], cwd=ROOT, check=False, capture_output=True, text=True)
    if finished.returncode:
        if any(words in finished.stderr for words in NETWORK_WORDS):
            raise OfflineError
        raise subprocess.CalledProcessError(finished.returncode, command, stderr=finished.stderr)


def pins(lock: Path) -> list[str]:
    """The lines of a lock that pip reads."""
    lines = lock.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.lstrip().startswith("#")]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
