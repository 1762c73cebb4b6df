"""Make `.venv` hold exactly what a lock file says; do nothing when it already does.

`make` starts this with the machine's own Python, so nothing but the standard library is at hand.
A stamp per lock (the SHA-256 of its text and of the interpreter) inside `.venv` makes the second start cheap.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
SITE_LOCK = "requirements.txt"
DEVELOPMENT_LOCK = "requirements-dev.txt"


class SetupError(Exception):
    """Why the environment cannot be made, as one sentence for the person at the terminal."""


def main(arguments: list[str]) -> int:
    """Set up for the site (no argument) or for development (`--dev`)."""
    lock = DEVELOPMENT_LOCK if "--dev" in arguments else SITE_LOCK
    try:
        set_up(lock)
    except SetupError as error:
        print(f"setup: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("setup: stopped; the next start goes on from here", file=sys.stderr)
        return 130
    return 0


def set_up(lock: str) -> None:
    """Install what `lock` pins, unless the stamp says that it is installed."""
    make_venv()
    if stamp_path(lock).exists() and stamp_path(lock).read_text() == stamp(lock):
        return
    print(f"setup: installing {lock} into {VENV} (once per change of that file)", flush=True)
    install(lock)
    # The development lock contains the site's, so one installation satisfies both.
    for satisfied in {lock, SITE_LOCK}:
        stamp_path(satisfied).write_text(stamp(satisfied))


def make_venv() -> None:
    """Create the virtual environment where it is missing or was left half made."""
    if (VENV / "bin" / "python").exists() and (VENV / "bin" / "pip").exists():
        return
    made = subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], check=False, capture_output=True, text=True)
    if made.returncode:
        if "ensurepip" in made.stdout + made.stderr:
            message = "this Python has no venv module with pip; on Debian or Ubuntu run `apt-get install python3-venv`"
            raise SetupError(message)
        last_line = (made.stderr or made.stdout).strip().splitlines()[-1:]
        raise SetupError(f"could not create {VENV}: {''.join(last_line)}")


def install(lock: str) -> None:
    """Let pip install the lock; say in one sentence what stopped it."""
    command = [str(VENV / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    finished = subprocess.run(
        [*command, "--require-hashes", "-r", str(ROOT / lock)],
        check=False,
        stderr=subprocess.PIPE,
        text=True,
        env=environment_that_compiles(),
    )
    if finished.returncode:
        raise SetupError(reason_in(finished.stderr, lock))


def environment_that_compiles() -> dict[str, str]:
    """The caller's environment, without the switch that would make every later start compile everything anew."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def reason_in(errors: str, lock: str) -> str:
    """Turn pip's report into one sentence."""
    if "No space left on device" in errors:
        return f"the disk that holds {VENV} is full; free about 1 GB and start again"
    lines = [line.removeprefix("ERROR: ") for line in errors.splitlines() if line.startswith("ERROR: ")]
    for line in lines:
        if "No matching distribution found" in line or "not a supported wheel" in line:
            wanted = line.rpartition(" for ")[2].split(" ")[0]
            return f"no wheel of {wanted} is to be had for this machine or from here (see {lock}; is the network reachable?)"
    return f"pip could not install {lock}: {lines[-1] if lines else errors.strip()[-300:]}"


def stamp_path(lock: str) -> Path:
    """Where the stamp of one lock lies."""
    return VENV / f".installed-{lock}"


def stamp(lock: str) -> str:
    """What identifies an installation: the lock's text and the interpreter it was made for."""
    return (
        f"{hashlib.sha256((ROOT / lock).read_bytes()).hexdigest()} {sys.version_info.major}.{sys.version_info.minor}\n"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
