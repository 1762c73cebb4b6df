from __future__ import annotations

import os
import subprocess
import sys

import pytest
from django.core.management import call_command


def by_hand() -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "grader.sandbox", "check"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("minimum", ["1", "3", "9"])
def test_the_command_prints_and_ends_as_the_sandbox_does(
    minimum: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(os.environ, "SANDBOX_MIN_TIER", minimum)

    with pytest.raises(SystemExit) as ended:
        call_command("sandbox_check")

    said, direct = capsys.readouterr(), by_hand()
    assert (ended.value.code, said.out.split("\n")[0], said.err) == (
        direct.returncode,
        direct.stdout.split("\n")[0],
        direct.stderr,
    )
    assert (direct.returncode == 2) is (minimum == "9")
