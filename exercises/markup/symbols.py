r"""Which symbol an element of a formula is: `W_Q`, `q_` for a query of any token, `d_k`.

The name goes into a class, so that the page can tell what stands under the pointer; the glossary's symbols are named by
the same rule. An index that only counts tokens (i, j, 1, 2 …) is left out: q_1, q_2 and q_i are one symbol. A letter set
by `\mathit{}` is the author's own, and no symbol of the glossary.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from xml.etree import ElementTree as ET

CLASS: Final = "sym-"
_CLASSES: Final = re.compile(r'(?<=[" ])sym-([^" ]+)')
_LETTER: Final = re.compile(r"[A-Za-z]")
_INDEX: Final = re.compile(r"[ijlmnt0-9,]+")
_NAME: Final = re.compile(r"[A-Za-z]+")
_PRIMES: Final = frozenset({"′", "'"})
_ACCENTS: Final = {"~": "-tilde", "^": "-hat", "¯": "-bar"}


def mark_symbols(root: ET.Element) -> None:
    """Name each symbol of a formula in its class."""
    for element, name in _symbols(root):
        element.set("class", f"{element.get('class', '')} {CLASS}{name}".strip())


def symbols_in(markup: str) -> frozenset[str]:
    """The names of all symbols that stand in the formulas of a page's markup."""
    return frozenset(_CLASSES.findall(markup))


def only_symbol(root: ET.Element) -> str:
    """The name of the one symbol that a formula consists of; empty where there is more, or none."""
    element = root
    while element.tag in {"math", "mrow"} and len(element) == 1:
        element = element[0]
    return _name(element)


def _symbols(element: ET.Element) -> Iterator[tuple[ET.Element, str]]:
    name = _name(element)
    if name:
        yield element, name
        return
    for place, child in enumerate(element):
        if not _is_mark(element, place):
            yield from _symbols(child)


def _is_mark(element: ET.Element, place: int) -> bool:
    """Whether a part only tells a letter apart from its like: all that stands below one, a lone letter above one."""
    if element.tag in {"msub", "msubsup"} and place == 1:
        return True
    return element.tag in {"msup", "msubsup"} and place > 0 and element[place].tag == "mi"


def _name(element: ET.Element) -> str:
    if element.tag in {"mi", "mover"}:
        return _letter(element)
    if element.tag not in {"msub", "msup", "msubsup"}:
        return ""
    prime = "" if element.tag == "msub" else _prime(element[-1])
    letter = _letter(element[0])
    name = letter if element.tag == "msup" and prime else _with_index(letter, element)
    return f"{name}{prime}" if name else ""


def _letter(element: ET.Element) -> str:
    """A letter, perhaps with an accent."""
    if element.tag == "mrow" and len(element) == 1:
        return _letter(element[0])
    if element.tag == "mover":
        accent = _ACCENTS.get(_text(element[1]), "")
        return f"{_letter(element[0])}{accent}" if accent and _letter(element[0]) else ""
    text = _text(element)
    return text if element.tag == "mi" and _LETTER.fullmatch(text) else ""


def _with_index(letter: str, element: ET.Element) -> str:
    """The letter with what stands below it; empty where only a power stands above it."""
    said = _text(element[1])
    if not letter or element.tag == "msup":
        return ""
    if _INDEX.fullmatch(said):
        return f"{letter}_"
    return f"{letter}_{said}" if _NAME.fullmatch(said) else ""


def _prime(script: ET.Element) -> str:
    return "-prime" if _text(script) in _PRIMES else ""


def _text(element: ET.Element) -> str:
    return "".join("".join(element.itertext()).split())
