"""The table of all slips for docs/developer/slips.md: what each computes, and the items that tell it apart."""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.bank.content import MISCONCEPTIONS
from grader.bank.toml_file import read_toml
from grader.derivation.operations import OPERATION_BY_NAME
from grader.derivation.slips import WRONG_FORWARDS, Slip
from grader.derivation.typeset import symbol
from grader.gate.report import ContentReport
from grader.marking.text import Text

HEAD = """\
# Slips

Every named wrong computation, and the items whose variants or cases tell it apart from the right answer and from every
other. Made by `manage.py content_check --table`; a test keeps it current. How to add one:
[add a misconception](add-a-misconception.md).
"""
COLUMNS = "| name | operation | computes | in English | 中文 | told apart in |\n|---|---|---|---|---|---|"
ROLES = {
    "wrong_matrix": "another $W$ of the same shape",
    "wrong_bias": "another $b$ of the same shape",
    "wrong_vector": "another array of the same shape",
    "scale_by_other_width": "the width of another array",
}


# Where a slip comes from: its name, and the operation and formula that it has in the code. A swapped role has neither.
Origin = tuple[str, str, str]


def slip_table(directories: Sequence[Path], report: ContentReport) -> str:
    """The whole page as Markdown; a slip that this content has no words for is left out."""
    files = [path for directory in directories if (path := directory / MISCONCEPTIONS).exists()]
    words = {slug: entry for file in map(read_toml, files) for slug, entry in file.values.items()}
    titles = {slug: Text.from_json(words[slug]["title"]) for slug in words}
    items = _items_by_origin(report)
    rows = [
        _row(origin, titles[origin[0]], items[origin]) for origin in dict.fromkeys(_origins()) if origin[0] in titles
    ]
    return "\n".join([HEAD, COLUMNS, *rows]) + "\n"


def _origins() -> Iterator[Origin]:
    for wrong in WRONG_FORWARDS:
        yield wrong.slug, wrong.operation, wrong.letters
    for slug in ROLES:
        yield slug, "", ""


def _items_by_origin(report: ContentReport) -> dict[Origin, list[str]]:
    items = defaultdict(list)
    for item in report.items:
        told_apart = (slip for found in item.classes for slip in found.slips)
        for origin in dict.fromkeys(map(_origin, told_apart)):
            items[origin].append(item.place.rpartition("/")[2])
    return items


def _origin(slip: Slip) -> Origin:
    operation = slip.wrong.operation
    return (slip.slug, "", "") if slip.swap else (slip.slug, operation.name, operation.letters)


def _row(origin: Origin, title: Text, items: list[str]) -> str:
    slug, operation, _ = origin
    computes = _formulas(origin) if operation else ROLES[slug]
    cells = (f"`{slug}`", f"`{operation}`" if operation else "any", computes, title.en, title.zh_hans)
    return f"| {' | '.join(cells)} | {' '.join(f'`{item}`' for item in items) or 'no item'} |"


def _formulas(origin: Origin) -> str:
    """With the letters of the operation's own parameters; a mistake that does with and without a bias has two.

    One mistake may have several forward functions of the same formula, with an axis and without say.
    """
    found = [wrong for wrong in WRONG_FORWARDS if (wrong.slug, wrong.operation, wrong.letters) == origin]
    parameters = inspect.signature(OPERATION_BY_NAME[found[0].operation].forward).parameters
    arguments = [symbol(name) for name in parameters]
    formulas = (letters for wrong in found for letters in (wrong.letters, wrong.letters_with_all) if letters)
    return ", ".join(f"${letters.format(*arguments)}$" for letters in dict.fromkeys(formulas))
