"""A stretch of lesson prose: containers, figures and headings that can be linked to."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final

from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from mdit_py_plugins.container import container_plugin

from exercises.markup.allowlist import clean_html, clean_svg
from exercises.markup.prose import build_parser
from exercises.markup.punctuation import keep_marks
from exercises.markup.reference import NO_REFERENCE, Reference, link_reference
from exercises.markup.tables import shade_heatmaps
from grader.marking.either import in_convention, told
from grader.marking.items import Convention

_CONVENTIONS: Final = {
    "rows": {"zh-hans": "行约定：一行一个词元，x W", "en": "Row convention: one token a row, x W"},
    "columns": {"zh-hans": "列约定：一列一个词元，W x + b", "en": "Column convention: one token a column, W x + b"},
}
# A formula that reads both ways names the convention in which it is read.
_EITHER: Final = "either"
_LAYOUTS: Final = {Convention.ROW: "rows", Convention.COLUMN: "columns"}
_CARD_LABEL: Final = {"zh-hans": "本课概览", "en": "About this lesson"}
# Private-use characters, which no author types, mark a figure's place until the prose has been cleaned.
_FIGURE_PLACE: Final = "\ue000{}\ue001"
_FIGURE_MARK: Final = re.compile("\ue000([\\w-]+)\ue001")

_ANCHOR: Final = re.compile(r'<h[2-4] id="([^"]+)"')


@dataclass(frozen=True, slots=True)
class Heading:
    """One entry of a lesson's list of contents."""

    anchor: str
    text: str


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of prose as HTML, and the glossary's entries whose terms it links."""

    html: SafeString
    linked: frozenset[str]


def render_lesson_segment(
    markdown: str,
    language: str,
    figures: Mapping[str, Mapping[str, str]],
    convention: Convention | None = None,
    reference: Reference = NO_REFERENCE,
) -> Segment:
    """The prose between two items with its figures; `figures` is name -> language -> SVG.

    With a `convention` it is told in that; a lesson of which the convention is part of the matter has none.
    """
    layout = convention or Convention.ROW
    drawings = tuple(
        sorted((name, in_convention(_in_language(drawing, language), layout)) for name, drawing in figures.items())
    )
    words = told(markdown, convention) if convention else markdown
    return _render(words, language, drawings, layout, reference)


@lru_cache(maxsize=512)
def lesson_headings(markdown: str) -> tuple[Heading, ...]:
    """The second-level headings, for the list of contents."""
    tokens = _parser().parse(markdown, {"language": "en"})
    return tuple(
        Heading(anchor=str(opening.attrs["id"]), text=_plain_text(inline))
        for opening, inline in pairwise(tokens)
        if opening.type == "heading_open" and opening.tag == "h2"
    )


def lesson_anchors(markdown: str) -> frozenset[str]:
    """Every place of a lesson that can be linked to by its heading."""
    rendered = _parser().render(markdown, {"language": "en"})
    return frozenset(_ANCHOR.findall(rendered))


@lru_cache(maxsize=512)
def _render(
    markdown: str,
    language: str,
    drawings: tuple[tuple[str, str], ...],
    convention: Convention,
    reference: Reference,
) -> Segment:
    by_name = dict(drawings)
    env: EnvType = {"language": language, "convention": convention, "reference": reference}
    prose = clean_html(_parser().render(markdown, env))
    finished = _FIGURE_MARK.sub(lambda place: clean_svg(by_name.get(place[1], "")), prose)
    # Prose and drawings have each passed their allow-list.
    return Segment(mark_safe(finished), env["linked"])  # noqa: S308


def _in_language(by_language: Mapping[str, str], language: str) -> str:
    """The drawing with words in this language, or the one without words, or any."""
    return by_language.get(language) or by_language.get("") or next(iter(by_language.values()), "")


def _plain_text(inline: Token) -> str:
    return "".join(
        child.content for child in inline.children or [] if child.type in {"text", "code_inline", "math_inline"}
    )


def _name_headings(state: StateCore) -> None:
    """Give every heading an anchor made of its words."""
    for opening, inline in pairwise(state.tokens):
        if opening.type == "heading_open":
            opening.attrSet("id", f"s-{slugify(_plain_text(inline), allow_unicode=True)}")


def _card(_self: RendererHTML, tokens: Sequence[Token], index: int, _options: OptionsDict, env: EnvType) -> str:
    if tokens[index].nesting < 0:
        return "</aside>\n"
    label = _CARD_LABEL.get(str(env["language"]), _CARD_LABEL["en"])
    return f'<aside class="card" aria-label="{label}"><p class="box-title">{label}</p>\n'


def _formula(_self: RendererHTML, tokens: Sequence[Token], index: int, _options: OptionsDict, env: EnvType) -> str:
    if tokens[index].nesting < 0:
        return "</div>\n"
    convention = tokens[index].info.strip().partition(" ")[2].strip()
    if convention == _EITHER:
        convention = _LAYOUTS[env.get("convention", Convention.ROW)]
    names = _CONVENTIONS.get(convention, {})
    name = names.get(str(env["language"]), names.get("en", ""))
    caption = f'<p class="convention">{name}</p>' if name else ""
    return f'<div class="formula formula-{html.escape(convention or "plain")}">{caption}\n'


def _note(_self: RendererHTML, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
    return '<div class="note">\n' if tokens[index].nesting > 0 else "</div>\n"


def _heatmap(_self: RendererHTML, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
    return '<div class="heatmap">\n' if tokens[index].nesting > 0 else "</div>\n"


def _discussion(_self: RendererHTML, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
    if tokens[index].nesting < 0:
        return "</section>\n"
    title = tokens[index].info.strip().partition(" ")[2].strip()
    heading = f'<h3 id="s-{slugify(title, allow_unicode=True)}">{_parser().renderInline(title)}</h3>' if title else ""
    return f'<section class="discussion">{heading}\n'


def _figure(_self: RendererHTML, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
    if tokens[index].nesting < 0:
        return "</figcaption></figure>\n"
    name = tokens[index].info.strip().partition(" ")[2].strip()
    return f'<figure class="figure">{_FIGURE_PLACE.format(html.escape(name))}<figcaption>\n'


BOXES = {
    "card": _card,
    "formula": _formula,
    "note": _note,
    "heatmap": _heatmap,
    "discussion": _discussion,
    "figure": _figure,
}


@cache
def _parser() -> MarkdownIt:
    md = build_parser()
    for name, render in BOXES.items():
        container_plugin(md, name, render=render)
    md.core.ruler.push("name_headings", _name_headings)
    md.core.ruler.push("shade_heatmaps", shade_heatmaps)
    md.core.ruler.push("link_reference", link_reference)
    md.core.ruler.push("keep_marks", keep_marks)
    return md
