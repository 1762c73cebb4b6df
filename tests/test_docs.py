"""The documentation holds: links lead somewhere, files it names exist, and nothing that people use is left out."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from bench.__main__ import SUITES

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
DEVELOPER = ROOT / "docs" / "developer"

LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)\s]+)\)")
HEADING = re.compile(r"^#+\s+(.*)$", re.MULTILINE)
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
# A path between backticks that begins with a folder of ours.
NAMED_PATH = re.compile(
    r"`((?:grader|exercises|qkvcourse|content|frontend|bench|tests|deploy|docs|scripts)(?:/[\w.-]+)+)`"
)
READERS = {
    "text",
    "required",
    "flag",
    "whole_number",
    "choice",
    "words",
    "secret",
    "directory",
    "directories",
    "site_url",
    "redis_url",
    "database",
}
# Made by whoever follows the page that names them.
TO_BE_MADE = {"deploy/secrets", "content/qkv/reference/cd-project/wrong_bias_subtracted.py"}


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def prose(path: Path) -> str:
    return FENCE.sub("", text_of(path))


@cache
def all_pages() -> str:
    return "\n".join(text_of(page) for page in PAGES)


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as readers of Markdown make them."""
    words = [re.sub(r"[^\w\s-]", "", heading.lower()) for heading in HEADING.findall(prose(page))]
    return {word.strip().replace(" ", "-") for word in words}


def settings_read() -> Iterator[str]:
    """The names that the typed readers are called with, and those that the sandbox worker reads by itself."""
    for file in (ROOT / "qkvcourse").rglob("*.py"):
        for node in ast.walk(ast.parse(text_of(file))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in READERS:
                is_reader = isinstance(node.func.value, ast.Name) and node.func.value.id == "env"
                if is_reader and node.args and isinstance(node.args[0], ast.Constant):
                    yield str(node.args[0].value)
    for file in (ROOT / "grader").rglob("*.py"):
        yield from re.findall(r"environ\.get\(\"(\w+?)(?:_FILE)?\"", text_of(file))


def layers(container: str) -> list[str]:
    contracts = tomllib.loads(text_of(ROOT / "pyproject.toml"))["tool"]["importlinter"]["contracts"]
    (found,) = [contract for contract in contracts if contract.get("containers") == [container]]
    return [str(layer) for layer in found["layers"]]


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_links_lead_somewhere(page: Path):
    broken = []
    for link in LINK.finditer(prose(page)):
        target, _, anchor = link["target"].partition("#")
        if "://" in target:
            continue
        path = (page.parent / target).resolve() if target else page
        if not path.exists() or (anchor and anchor not in anchors(path)):
            broken.append(link["target"])
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_files_that_a_page_names_exist(page: Path):
    named = set(NAMED_PATH.findall(prose(page)))
    assert sorted(name for name in named - TO_BE_MADE if not (ROOT / name).exists()) == []


@pytest.mark.parametrize("name", ["README.md", "README.zh-hans.md"])
def test_readme_is_read_in_five_minutes(name: str):
    lines = text_of(ROOT / name).splitlines()
    assert len(lines) < 100
    assert {"make serve", "make smoke"} <= set(lines)


def test_both_readmes_lead_to_the_same_pages():
    english, chinese = (
        [link["target"] for link in LINK.finditer(text_of(ROOT / name))] for name in ("README.md", "README.zh-hans.md")
    )
    pages = [
        [
            target.replace(f".{own}.md", ".md")
            for target in targets
            if target.startswith("docs/") and target.endswith(".md")
        ]
        for own, targets in (("en", english), ("zh-hans", chinese))
    ]
    assert pages[0] == pages[1] != []


def test_every_setting_is_explained_to_operators():
    explained = set(re.findall(r"`([A-Z][A-Z_]+)`", text_of(ROOT / "docs" / "operator" / "running.md")))
    read = set(settings_read())
    assert {"SECRET_KEY", "REDIS_URL", "SANDBOX_MIN_TIER", "HOST"} <= read
    assert read - explained == set()


def test_every_make_target_is_told():
    targets = re.findall(r"^([a-z-]+):[^#\n]*## ", text_of(ROOT / "Makefile"), re.MULTILINE)
    assert "serve" in targets
    assert [target for target in targets if f"make {target}" not in all_pages()] == []


def test_every_management_command_is_explained_to_operators():
    commands = {path.stem for path in (ROOT / "exercises" / "management" / "commands").glob("[a-z]*.py")}
    told = set(re.findall(r"^## manage\.py (\w+)$", text_of(ROOT / "docs" / "operator" / "commands.md"), re.MULTILINE))
    assert told == commands


def test_every_bench_suite_is_explained_to_operators():
    page = text_of(ROOT / "docs" / "operator" / "commands.md")
    assert [name for name in SUITES if f"-m bench {name}" not in page] == []


def test_table_of_misconceptions_is_that_of_the_content():
    table = prose(DEVELOPER / "add-a-misconception.md").partition("## Those there are")[2]
    rows = [line.split("|") for line in table.splitlines() if line.startswith("| ")][1:]
    told = [slug for row in rows for slug in re.findall(r"`(\w+)`", row[2])]
    content = tomllib.loads(text_of(ROOT / "content" / "misconceptions.toml"))
    assert sorted(told) == sorted(content)


def test_families_of_misconceptions_are_those_of_the_code():
    told = set(
        re.findall(r"`(\w+\.py)`", prose(DEVELOPER / "add-a-misconception.md").partition("## Those there are")[2])
    )
    written = {path.name for path in (ROOT / "grader" / "derivation" / "slips").glob("*.py")}
    assert told == written - {"__init__.py", "wrong_forward.py"}


@pytest.mark.parametrize("package", ["grader", "exercises"])
def test_architecture_draws_the_floors_as_the_contracts_have_them(package: str):
    page = text_of(DEVELOPER / "architecture.md")
    drawing = re.search(r"```text\n(.*?)```", page, re.DOTALL)
    assert drawing
    drawn = " ".join(drawing[1].split())
    assert f"{package} {' > '.join(layers(package))}" in drawn
    modules = [module.strip() for layer in layers(package) for module in layer.split("|")]
    assert [module for module in modules if not re.search(rf"`{package}/{module}(\.py)?`", page)] == []
