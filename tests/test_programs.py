"""The course's own programs: each goes through the real sandbox, gets its own name, and the page of them is current."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.bank import parse_item, read_content
from grader.gate import programs as gate
from grader.gate.program_report import RIGHT
from grader.marking.items import CodeItem
from grader.marking.text import LANGUAGES
from grader.sandbox import Sandbox

ROOT = Path(__file__).resolve().parent.parent
CONTENT = ROOT / "content"
PAGE = ROOT / "docs" / "developer" / "programs.md"
FEWEST_RIGHT, FEWEST_WRONG = 5, 12

PROGRAMS = gate.reference_programs(CONTENT)
DEFINITIONS = {
    item.slug: item.definition
    for curriculum in read_content(CONTENT)
    for lesson in curriculum.lessons
    for item in lesson.items
    if item.kind == "code"
}


def bodies() -> Iterator[str]:
    """Every program as Python reads it, without what its docstrings say."""
    for program in PROGRAMS:
        tree = ast.parse(program.code)
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and ast.get_docstring(node):
                node.body = node.body[1:] or [ast.Pass()]
        yield ast.dump(tree)


@pytest.mark.jail
def test_every_program_gets_its_name_and_its_credit_and_the_page_of_them_is_current(jail: Sandbox):
    report = gate.check_programs(CONTENT)

    assert report.unavailable == ""
    assert [str(refusal) for refusal in report.refusals] == []
    assert len(report.tried) == len(PROGRAMS)
    assert "\n".join(report.page()) == PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("slug", DEFINITIONS)
def test_every_code_item_is_tried_by_right_and_wrong_programs_enough(slug: str):
    kinds = Counter(program.path.stem.partition("_")[0] for program in PROGRAMS if program.item == slug)

    assert set(kinds) == {"right", "wrong"}
    assert kinds["right"] >= FEWEST_RIGHT
    assert kinds["wrong"] >= FEWEST_WRONG


def test_the_name_of_a_file_says_what_its_first_line_says():
    assert [
        program for program in PROGRAMS if program.path.stem.startswith("right_") != (program.expected == RIGHT)
    ] == []


def test_every_program_says_what_it_does_and_no_two_are_the_same():
    assert [program.path.name for program in PROGRAMS if not program.idea] == []
    assert [times for times in Counter(bodies()).values() if times > 1] == []


@pytest.mark.parametrize("slug", DEFINITIONS)
def test_a_starter_is_python_that_defines_the_function_and_its_parameters(slug: str):
    item = parse_item(DEFINITIONS[slug])
    assert isinstance(item, CodeItem)
    for language in LANGUAGES:
        functions = {
            node.name: [argument.arg for argument in node.args.args]
            for node in ast.parse(item.starter.in_language(language)).body
            if isinstance(node, ast.FunctionDef)
        }
        assert functions[item.function] == list(item.parameters)
        assert item.function in item.prompt.in_language(language)
