from __future__ import annotations

from pathlib import Path

import pytest

from grader.weights import extra


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "a_model_for_tests"
    (folder / "model").mkdir(parents=True)
    (folder / "__init__.py").write_text("raise RuntimeError('the package is never run')")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(extra, "PACKAGE", folder.name)
    return folder


def test_model_of_an_installed_package_is_found_without_running_it(package: Path) -> None:
    file = package / "model" / "model.safetensors"
    file.touch()

    assert extra.installed_model() == file


def test_package_without_a_model_is_none(package: Path) -> None:
    assert extra.installed_model() is None


def test_package_that_is_not_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extra, "PACKAGE", "no_such_package_anywhere")

    assert extra.installed_model() is None
