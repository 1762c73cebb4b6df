"""What marking says, in both languages. The words stand in phrases.toml, so that a translator meets no code."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from grader.marking.text import Text


@cache
def _phrasebook() -> dict[str, dict[str, dict[str, str]]]:
    return tomllib.loads(Path(__file__).with_name("phrases.toml").read_text(encoding="utf-8"))


def phrase(name: str, /, **values: str) -> Text:
    """The phrase "group.name" with its blanks filled. Raises KeyError for a phrase that is not in the book."""
    group, _, key = name.partition(".")
    return Text.from_json(_phrasebook()[group][key]).fill(**values)
