from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from qkvcourse.serve.plan import ROOT


def make(*words: str, path: str = os.environ["PATH"]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/usr/bin/make", *words],
        cwd=ROOT,
        env={"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def test_help_lists_every_target_with_one_line() -> None:
    phony = re.search(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert phony
    targets = set(phony[1].split()) - {"python"}

    listed = [line.split()[1] for line in make("help").stdout.splitlines()]

    assert set(listed) == targets
    assert len(listed) == len(targets)


def test_an_old_python_is_one_sentence(tmp_path: Path) -> None:
    for name in ("python3", "python3.11", "python3.12", "python3.13"):
        (tmp_path / name).write_text("#!/bin/sh\nexit 1\n")
        (tmp_path / name).chmod(0o755)

    finished = make("serve", path=f"{tmp_path}:/bin")

    assert finished.stderr.splitlines()[0] == (
        "setup: Python 3.11 or newer is needed, and none was found;"
        " install it, or say where it is: make PYTHON=/path/to/python3"
    )
