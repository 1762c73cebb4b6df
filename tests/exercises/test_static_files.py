"""What a page costs to load, and what the files promise each other."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "exercises" / "static" / "exercises"
TEMPLATES = ROOT / "exercises" / "templates"


@pytest.mark.parametrize(
    ("name", "most_bytes"),
    [
        ("site.js", 21_500),
        ("code.js", 2_000),
        ("site.css", 12_000),
        ("icons.svg", 2_000),
        ("lab.js", 12_000),
        ("editor.js", 118_000),
        ("entry.js", 4_000),
    ],
)
def test_file_keeps_its_budget_compressed(name: str, most_bytes: int) -> None:
    assert len(gzip.compress((STATIC / name).read_bytes(), 9)) <= most_bytes


def test_all_that_a_lesson_may_load_keeps_the_budget_of_its_scripts() -> None:
    sizes = [len(gzip.compress((STATIC / name).read_bytes(), 9)) for name in ("site.js", "entry.js")]

    assert sum(sizes) <= 25_000


def test_font_keeps_its_budget() -> None:
    assert (STATIC / "qkv-maths.woff2").stat().st_size <= 40_000


def test_every_icon_that_is_named_is_drawn() -> None:
    drawn = set(re.findall(r'<symbol id="(\w+)"', (STATIC / "icons.svg").read_text(encoding="utf-8")))
    templates = "".join(path.read_text(encoding="utf-8") for path in TEMPLATES.rglob("*.html"))
    words = (ROOT / "exercises" / "web" / "words.py").read_text(encoding="utf-8")

    named = set(re.findall(r'{% icon "(\w+)" %}', templates)) | set(
        re.findall(r'Sign\("\w+", _\("[^"]+"\), "(\w+)"\)', words)
    )
    assert (named - drawn, drawn - named) == (set(), set())


def test_templates_hold_no_script_style_or_handler() -> None:
    found = [
        (path.name, match)
        for path in TEMPLATES.rglob("*.html")
        for match in re.findall(
            r"<style|<script(?![^>]*\s(?:src=|type=\"application/json\"))|\sstyle=|\son\w+=|hx-on|javascript:",
            # A name that a template gives to a value is no attribute.
            re.sub(r"{%.*?%}", "", path.read_text(encoding="utf-8"), flags=re.DOTALL),
        )
    ]

    assert found == []


def test_styles_and_scripts_name_no_other_site() -> None:
    files = [STATIC / name for name in ("site.js", "code.js", "site.css", "entry.js", "lab.js")]
    addresses = {
        address for file in files for address in re.findall(r"https?://[\w.]+", file.read_text(encoding="utf-8"))
    }

    assert addresses <= {"http://www.w3.org"}
