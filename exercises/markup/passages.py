"""The paragraphs of a lesson as bare text, to be searched and quoted, each with the heading that it stands under."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final

from django.utils.text import slugify
from markdown_it import MarkdownIt
from markdown_it.token import Token

from exercises.markup.prose import build_parser

_CONTAINER: Final = re.compile(r"^:::.*$", re.MULTILINE)
_TEX_WORDS: Final = {
    "cdot": "·", "times": "×", "sqrt": "√", "top": "T", "ne": "≠", "le": "≤", "ge": "≥", "approx": "≈", "to": "→",
    "sum": "Σ", "partial": "∂", "infty": "∞", "ln": "ln", "exp": "exp", "log": "log", "max": "max",
    **dict.fromkeys(["cdots", "ldots", "vdots", "dots"], "…"),
    **dict.fromkeys(["quad", "qquad", *",;: "], " "),
    **dict.fromkeys(["frac", "dfrac", "tfrac"], r"\frac"),
    **dict.fromkeys(["left", "right", "bigl", "bigr", "operatorname", "text", "mathit", "mathrm", "tilde", "hat", "bar", "!"], ""),
}  # fmt: skip
_TEX_FRACTION: Final = re.compile(r"\\frac(?:\{([^{}]*)\}\{([^{}]*)\}|(\d)(\d))")
_TEX_GROUP: Final = re.compile(r"(?<!frac)(?<!\})\{([^{}]*)\}")
_TEX_LINES: Final = re.compile(r"\\(?:begin|end)\{(?:align\*?|cases)\}")
_TEX_MATRIX: Final = re.compile(r"\\(begin|end)\{[a-z]*matrix\}")
_TEX_COMMAND: Final = re.compile(r"\\([A-Za-z]+|[,;:! ])")


@dataclass(frozen=True, slots=True)
class Passage:
    """One paragraph; `anchor` is that of its heading, and empty before the first."""

    anchor: str
    text: str


@lru_cache(maxsize=512)
def passages(markdown: str) -> tuple[Passage, ...]:
    """Headings are passages as well: what they say can be looked for."""
    anchor, found = "", []
    for opening, inline in pairwise(_parser().parse(_CONTAINER.sub("", markdown))):
        if inline.type != "inline":
            continue
        text = _bare(inline)
        if opening.type == "heading_open":
            anchor = f"s-{slugify(_words(inline), allow_unicode=True)}"
        found.append(Passage(anchor, text))
    return tuple(found)


@cache
def _parser() -> MarkdownIt:
    return build_parser()


def _words(inline: Token) -> str:
    """What the anchors of headings are made of, in `lesson` as well."""
    kept = {"text", "code_inline", "math_inline"}
    return "".join(child.content for child in inline.children or [] if child.type in kept)


def _bare(inline: Token) -> str:
    parts = (
        bare_tex(child.content) if child.type.startswith("math") else child.content or " " * ("break" in child.type)
        for child in inline.children or []
        if child.type != "html_inline"
    )
    return " ".join("".join(parts).split())


def bare_tex(tex: str) -> str:
    """A formula in a quotation: letters and signs in a row, a matrix as [1 2; 3 4].

    A command that is not known stays as a word, so that nothing is quoted with a hole in it.
    """
    row = _TEX_MATRIX.sub(lambda side: "[" if side[1] == "begin" else "]", _TEX_LINES.sub("", tex))
    row = row.replace(r"\\", "; ").replace("&", " ")
    row = _TEX_COMMAND.sub(lambda command: _TEX_WORDS.get(command[1], f"{command[1]} "), row)
    before = ""
    while row != before:
        before, row = row, _TEX_GROUP.sub(r"\1", _TEX_FRACTION.sub(_as_quotient, row))
    return re.sub(r"[{}$\\]", "", row)


def _as_quotient(found: re.Match[str]) -> str:
    above, below = (side for side in found.groups() if side is not None)
    return f"{above}/{below}"
