"""The floors that import contracts cannot see: what the standard library and third parties are to each of them.

The contracts in pyproject.toml say which of our own floors may look at which (`make check` runs them).
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OURS = frozenset({"grader", "exercises", "qkvcourse"})

# What a floor may import besides the standard library and the floors below it.
ALLOWED = {
    "grader/attention": {"numpy"},
    "grader/derivation": {"numpy"},
    "grader/marking": {"numpy"},
    "grader/bank": {"numpy"},
    "grader/weights": {"numpy"},
    "grader/sandbox": set(),
    "grader/sandbox/inside.py": {"numpy"},
    "grader/sandbox/submission.py": {"numpy"},
    "grader": {"numpy", "celery", "redis"},
}


def python_files(place: str) -> Iterator[Path]:
    path = ROOT / place
    yield from [path] if path.is_file() else sorted(path.rglob("*.py"))


def third_parties(source: str) -> set[str]:
    """The names of packages that a module imports anywhere in its text, ours and Python's own left out."""
    roots = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            roots |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            roots.add((node.module or "").partition(".")[0])
    return roots - OURS - sys.stdlib_module_names


def loaded_by(statement: str) -> set[str]:
    """The modules in memory after a fresh Python has run the statement."""
    run = subprocess.run(
        [sys.executable, "-c", f"{statement}; import json, sys; print(json.dumps(sorted(sys.modules)))"],
        cwd=ROOT,
        env={**os.environ, "REDIS_URL": "redis://127.0.0.1:1", "DJANGO_SETTINGS_MODULE": "qkvcourse.settings"},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(json.loads(run.stdout.splitlines()[-1]))


def test_third_parties_are_found_wherever_they_are_imported() -> None:
    planted = "import os\nimport numpy.typing as npt\ndef late():\n    from django.db import models\n"
    assert third_parties(planted) == {"numpy", "django"}


@pytest.mark.parametrize("place", ALLOWED)
def test_floor_imports_only_what_it_may(place: str) -> None:
    exempt = {ROOT / inner for inner in ALLOWED if inner != place and inner.startswith(place)}
    breaches = {
        str(file.relative_to(ROOT)): extra
        for file in python_files(place)
        if file not in exempt and (extra := third_parties(file.read_text()) - ALLOWED[place])
    }
    assert breaches == {}


def test_attention_stands_on_numpy_alone() -> None:
    own = {
        node.module
        for file in python_files("grader/attention")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("grader")
    }
    assert {name for name in own if not str(name).startswith("grader.attention")} == set()


def test_the_sandbox_worker_starts_where_there_is_no_django_and_no_site() -> None:
    """None in sys.modules makes an import fail; Celery's kombu looks for Django, and does without."""
    missing = "sys.modules.update(dict.fromkeys(['django', 'rest_framework', 'exercises', 'qkvcourse']))"
    assert {"grader.tasks", "celery"} <= loaded_by(f"import sys; {missing}; import grader.worker")


def test_the_side_of_the_sandbox_that_never_sees_numbers_loads_no_numpy() -> None:
    loaded = loaded_by("import grader.sandbox")
    assert "grader.sandbox.sandbox" in loaded
    assert "numpy" not in loaded


def test_the_whole_site_loads_no_part_that_runs_code() -> None:
    loaded = loaded_by(
        "import django; django.setup(); import qkvcourse.urls, qkvcourse.wsgi, qkvcourse.celery, exercises.tasks"
    )
    assert "grader.marking.judge" in loaded
    closed = ("grader.sandbox", "grader.grading", "grader.tasks", "grader.worker")
    assert {name for name in loaded if name.startswith(closed)} == set()


def test_requirements_of_the_sandbox_worker_are_what_it_imports() -> None:
    lines = (ROOT / "requirements-grader.in").read_text().splitlines()
    assert {line for line in lines if line and line[0] not in "#-"} == ALLOWED["grader"]


def test_every_module_of_a_layered_package_has_its_place_in_a_contract() -> None:
    """An `exhaustive` contract refuses a module without a place; none may have lost that word."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    inner = {contract["containers"][0]: contract for contract in contracts if "containers" in contract}
    assert {container: contract.get("exhaustive") for container, contract in inner.items()} == {
        "grader": True,
        "exercises": True,
    }


def test_content_holds_data_and_only_reference_programs_are_python() -> None:
    programs = [path.relative_to(ROOT / "content") for path in (ROOT / "content").rglob("*.py")]
    assert [str(path) for path in programs if path.parts[1] != "reference"] == []
