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
_TEX_WORDS: Final = {r"\cdot": "·", r"\times": "×", r"\sqrt": "√", r"\top": "T", r"\ne": "≠", r"\le": "≤", r"\ge": "≥"}
_TEX_COMMAND: Final = re.compile(r"\\[A-Za-z]+")
_TEX_SIGNS: Final = re.compile(r"[{}$\\]")


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
        _bare_tex(child.content) if child.type.startswith("math") else child.content or " " * ("break" in child.type)
        for child in inline.children or []
        if child.type != "html_inline"
    )
    return " ".join("".join(parts).split())


def _bare_tex(tex: str) -> str:
    """A formula in a quotation: letters and signs in a row."""
    words = _TEX_COMMAND.sub(lambda command: _TEX_WORDS.get(command[0].strip(), " "), tex)
    return _TEX_SIGNS.sub("", words)
