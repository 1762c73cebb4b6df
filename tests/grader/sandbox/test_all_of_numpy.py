"""Nothing that numpy loads on demand is missing in the jail, and nothing else there makes it behave otherwise."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from grader.sandbox import Limits, RunStatus, Sandbox
from tests.grader.sandbox.running import frame, job

pytestmark = pytest.mark.jail

PROGRAM = Path(__file__).with_name("all_of_numpy.py")
AT_LEISURE = Limits(
    cpu_time=timedelta(seconds=60), wall_time=timedelta(seconds=120), memory_bytes=1 << 30, output_bytes=4_000_000
)
# There is no file to open, and what would write one cannot.
OF_FILES = {f"numpy.{name}" for name in ("fromfile", "genfromtxt", "load", "loadtxt", "savez", "savez_compressed")}
# Text that is taken for the name of an encoding, of which there is none.
NO_ENCODINGS = {"encodings.a", "encodings.b", "encodings.f8"}


def test_every_call_of_numpy_ends_in_the_jail_as_it_does_outside(sandbox: Sandbox, tmp_path: Path) -> None:
    alone = (sys.executable, "-I", PROGRAM)
    outside = json.loads(subprocess.run(alone, cwd=tmp_path, capture_output=True, check=True).stdout)
    result = sandbox.run(job(PROGRAM.read_text(encoding="utf-8"), frame(1), function="everything", limits=AT_LEISURE))
    assert (result.status, result.fault) == (RunStatus.RETURNED, None)
    inside = json.loads(result.stdout)

    assert len(inside["ends"]) > 1_500
    assert inside["ends"].keys() == outside["ends"].keys()
    assert {name for name, ends in inside["ends"].items() if ends != outside["ends"][name]} == OF_FILES
    assert {end for name in OF_FILES for end in inside["ends"][name]} <= {
        end for name in OF_FILES for end in outside["ends"][name]
    } | {"PermissionError"}
    assert set(inside["asked"]) <= NO_ENCODINGS
