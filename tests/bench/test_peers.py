"""Other sandboxes in the bench: one that works takes part, one that does not is left out with its own reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import peers


def put_on_path(folder: Path, name: str, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = folder / name
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


@pytest.mark.parametrize("name", ["isolate", "runc", "runsc"])
def test_a_peer_that_is_found_and_fails_is_left_out_with_its_reason(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put_on_path(tmp_path, name, "echo no rights to do that >&2; exit 1", monkeypatch)

    with peers.found_here() as found:
        assert name not in found

    assert f"{name} was found and does not work here: no rights to do that\n" in capsys.readouterr().err


def test_isolate_is_asked_for_a_box_a_run_and_its_removal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    passes_on = 'while [ "$#" -gt 0 ]; do if [ "$1" = -- ]; then shift; exec "$@"; fi; shift; done'
    put_on_path(tmp_path, "isolate", f'echo "$1" >> {tmp_path}/said; {passes_on}', monkeypatch)

    with peers.found_here() as found:
        assert "isolate" in found

    said = (tmp_path / "said").read_text(encoding="utf-8").splitlines()
    assert (said[0], said[-1], len(said)) == ("--init", "--cleanup", 3)


def test_a_peer_that_runs_something_else_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_on_path(tmp_path, "runc", "echo hello", monkeypatch)

    with peers.found_here() as found:
        assert "runc" not in found
