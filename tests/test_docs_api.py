"""docs/lms/api.md names every address, scope, kind and error code, and no other."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from exercises.api.responses import KEYS
from exercises.enums import ApiScope

ROOT = Path(__file__).resolve().parents[1]
GUIDE = (ROOT / "docs" / "lms" / "api.md").read_text("utf-8")


def first_cells(heading: str) -> list[str]:
    section = GUIDE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return [row.split("|")[1].strip(" `") for row in section.splitlines() if row.startswith("| ")][1:]


def test_addresses():
    document = yaml.safe_load((ROOT / "docs" / "lms" / "openapi.yaml").read_text("utf-8"))
    offered = {
        (method.upper(), re.sub(r"_(slug|id)}", "}", address))
        for address, methods in document["paths"].items()
        for method in methods
    }
    rows = re.findall(r"^\| (GET|POST) \| `([^`]+)` \|", GUIDE, re.MULTILINE)
    assert sorted(rows) == sorted(offered)


def test_scopes():
    assert sorted(first_cells("Tokens")) == sorted(ApiScope.values)


def test_kinds_and_their_bodies():
    told = dict(re.findall(r"^\| `(\w+)` \| `{\"(\w+)\"", GUIDE, re.MULTILINE))
    assert told == {kind.value: key for kind, key in KEYS.items()}


def test_codes():
    sources = [path.read_text("utf-8") for path in (ROOT / "exercises" / "api").glob("*.py")]
    raised = {code for text in sources for code in re.findall(r'(?:refuse\(\s*\d+,|Fault\()\s*"(\w+)"', text)}
    table = GUIDE.split("\n## Errors\n")[1]
    told = {code for row in table.splitlines() if row.startswith("| ") for code in re.findall(r"`(\w+)`", row)}
    assert told == raised
