"""The solutions that learners are shown of code items are programs that the content proves right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grader.bank import parse_item, read_content
from grader.gate.programs import RIGHT, reference_programs
from grader.marking.items import CodeItem

CONTENT = Path(__file__).resolve().parent.parent / "content"
CODE = re.compile(r"```python\n(.*?)```", re.DOTALL)
ITEMS = [
    item
    for curriculum in read_content(CONTENT)
    for lesson in curriculum.lessons
    for source in lesson.items
    if isinstance(item := parse_item(source.definition), CodeItem)
]
PROVEN: dict[str, set[str]] = {}
for program in reference_programs(CONTENT):
    if program.expected == RIGHT:
        PROVEN.setdefault(program.item, set()).add(program.code.partition("\n")[2].strip())


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.slug)
def test_a_program_that_is_shown_as_the_solution_is_one_that_earns_full_marks(item: CodeItem) -> None:
    for words in (item.solution.zh_hans, item.solution.en):
        assert [code.strip() in PROVEN[item.slug] for code in CODE.findall(words)] == [True]
