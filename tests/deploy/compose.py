"""docker-compose.yml as a dictionary, and its secrets as files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from scripts.deploy_secrets import make_secrets

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "docker-compose.yml"
INSIDE = "/run/secrets/"


def compose() -> dict[str, Any]:
    """The whole file, anchors resolved."""
    return yaml.safe_load(FILE.read_text(encoding="utf-8"))


def services() -> dict[str, dict[str, Any]]:
    """Its services by name."""
    return compose()["services"]


def environment_of(service: str, directory: Path) -> dict[str, str]:
    """The variables of a service, with its secrets in a directory of this machine instead of /run/secrets."""
    make_secrets(directory)
    told = services()[service]["environment"]
    return {name: str(value).replace(INSIDE, f"{directory}/") for name, value in told.items()}


def options_of(command: list[str]) -> dict[str, str]:
    """--option=value and --option value alike."""
    found = {}
    for place, word in enumerate(command):
        name, _, value = word.partition("=")
        following = command[place + 1] if place + 1 < len(command) else ""
        if name.startswith("--") and len(name) > len("--"):
            found[name] = value or ("" if following.startswith("-") else following)
    return found
