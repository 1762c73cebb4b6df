"""What of an author's Markdown cannot be shown as it is meant. Pages show a formula all the same, as well as they can."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final
from xml.etree import ElementTree as ET

from latex2mathml import commands
from markdown_it import MarkdownIt
from markdown_it.token import Token

from exercises.markup.lesson import BOXES
from exercises.markup.prose import build_parser
from exercises.markup.tex import tex_markup
from grader.bank.lessons import ITEM_PLACE

# A lesson's own containers; what stands in them is read like all else. Any other word makes no box, and is shown as it is.
_CONTAINER: Final = re.compile(rf"^:{{3,}}(?:[ \t]*(?:{'|'.join(BOXES)})\b.*)?[ \t]*$", re.MULTILINE)
_MISNAMED: Final = re.compile(r"^(?::::|\{\{).*$", re.MULTILINE)
_CODE: Final = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_ENVIRONMENT: Final = re.compile(r"\\begin\{(?P<name>[^}]*)\}")
_ENVIRONMENTS: Final = {name.removeprefix("\\") for name in commands.MATRICES} | {"aligned"}
# The converter hands on what it does not know.
_HANDED_ON: Final = re.compile(r"\\[A-Za-z]+|^[{}]$")
_PARTS: Final = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2, "msubsup": 3, "munderover": 3}
_KNOWN_SIGN: Final = "\\backslash"


def unreadable(markdown: str) -> list[str]:
    """Once each formula that is no TeX or not all of it known, each dollar that opens none, each box or place that is none."""
    told = _CONTAINER.sub("", markdown)
    misnamed = [found[0] for found in _MISNAMED.finditer(_CODE.sub("", ITEM_PLACE.sub("", told)))]
    tokens = _parser().parse(told)
    return list(dict.fromkeys([*misnamed, *(what for token in tokens for what in _unreadable_in(token))]))


@cache
def _parser() -> MarkdownIt:
    """Escaped dollars stay apart from those that stand for themselves."""
    return build_parser().disable("text_join")


def _unreadable_in(token: Token) -> Iterator[str]:
    if token.type in {"math_inline", "math_block"}:
        if not _is_readable(token.content):
            yield token.content.strip()
    elif token.type == "text" and "$" in token.content:
        yield token.content.strip()
    for child in token.children or []:
        yield from _unreadable_in(child)


def _is_readable(tex: str) -> bool:
    if not {found["name"] for found in _ENVIRONMENT.finditer(tex)} <= _ENVIRONMENTS:
        return False
    root = ET.fromstring(tex_markup(tex.replace(_KNOWN_SIGN, ""), display=False))  # noqa: S314 -- made here
    if _name(root) != "math":  # shown as it was written
        return False
    return all(_is_known(element) for element in root.iter())


def _is_known(element: ET.Element) -> bool:
    if len(element) < _PARTS.get(_name(element), 0):
        return False
    return _name(element) == "mo" or not _HANDED_ON.search(element.text or "")


def _name(element: ET.Element) -> str:
    """The name without its namespace."""
    return element.tag.rpartition("}")[2]
