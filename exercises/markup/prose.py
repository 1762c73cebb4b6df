"""Markdown of prompts, messages and titles; the lesson's own containers are added in `lesson`."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Final

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from mdit_py_plugins.dollarmath import dollarmath_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from exercises.markup.allowlist import clean_html
from exercises.markup.emphasis import cjk_friendly
from exercises.markup.punctuation import keep_marks
from exercises.markup.reference import NO_REFERENCE, Reference, link_reference
from exercises.markup.tables import name_table_cells
from exercises.markup.tex import tex_markup

_SCROLL_LABELS: Final = {
    "formula": {"zh-hans": "公式", "en": "Formula"},
    "table": {"zh-hans": "表格", "en": "Table"},
    "code": {"zh-hans": "代码", "en": "Code"},
}


def build_parser() -> MarkdownIt:
    """A CommonMark parser with tables, `$maths$` and Chinese-aware emphasis; raw HTML is text."""
    md = MarkdownIt("commonmark", {"html": False}).enable("table")
    # Its rule about digits takes the end of a text for what stands before its beginning; that of blanks spares money.
    dollarmath_plugin(md, allow_space=False)
    cjk_friendly(md)
    md.core.ruler.push("table_cells", name_table_cells)
    md.add_render_rule("math_inline", _math_inline)
    md.add_render_rule("math_block", _math_block)
    md.add_render_rule("table_open", _table_open)
    md.add_render_rule("table_close", _table_close)
    md.add_render_rule("fence", _fence)
    return md


@cache
def _parser() -> MarkdownIt:
    md = build_parser()
    md.core.ruler.push("link_reference", link_reference)
    md.core.ruler.push("keep_marks", keep_marks)
    return md


def render_prose(markdown: str, language: str, reference: Reference = NO_REFERENCE) -> SafeString:
    """Paragraphs, lists, tables and formulas, with links to the entries of a reference."""
    return _render_prose(markdown, language, reference)[0]


def render_in_turn(texts: Sequence[str], language: str, reference: Reference) -> Iterator[SafeString]:
    """The same of texts that are read one after the other: what one has linked the next ones leave alone."""
    for markdown in texts:
        markup, met = _render_prose(markdown, language, reference)
        reference = reference.without_symbols(met)
        yield markup


@lru_cache(maxsize=2048)
def _render_prose(markdown: str, language: str, reference: Reference) -> tuple[SafeString, frozenset[str]]:
    env: EnvType = {"language": language, "reference": reference}
    markup = clean_html(_parser().render(markdown, env))
    return mark_safe(markup), env["met"]  # noqa: S308 -- allow-listed


@lru_cache(maxsize=2048)
def render_inline(markdown: str) -> SafeString:
    """One line: a title, an option, a message beside a cell."""
    return mark_safe(clean_html(_parser().renderInline(markdown)))  # noqa: S308 -- allow-listed


def scroll_region(kind: str, language: str) -> str:
    """The opening tag of a box that scrolls sideways and can be reached by keyboard."""
    label = _SCROLL_LABELS[kind].get(language, _SCROLL_LABELS[kind]["en"])
    return f'<div class="scroll scroll-{kind}" role="group" tabindex="0" aria-label="{label}">'


def _language(env: EnvType) -> str:
    return str(env.get("language", "en"))


def _math_inline(_self: RendererHTML, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
    return tex_markup(tokens[index].content, display=False)


def _math_block(_self: RendererHTML, tokens: Sequence[Token], index: int, _options: OptionsDict, env: EnvType) -> str:
    formula = tex_markup(tokens[index].content.strip(), display=True)
    return f"{scroll_region('formula', _language(env))}{formula}</div>\n"


def _table_open(_self: RendererHTML, _tokens: Sequence[Token], _index: int, _options: OptionsDict, env: EnvType) -> str:
    return f"{scroll_region('table', _language(env))}<table>\n"


def _table_close(*_: object) -> str:
    return "</table></div>\n"


def _fence(_self: RendererHTML, tokens: Sequence[Token], index: int, _options: OptionsDict, env: EnvType) -> str:
    token = tokens[index]
    code = _highlight(token.content, token.info.strip())
    return f"{scroll_region('code', _language(env))}<pre><code>{code}</code></pre></div>\n"


def _highlight(code: str, name: str) -> str:
    """Colour Python by classes; anything else stays plain."""
    if name not in {"python", "py"}:
        return html.escape(code)
    return highlight(code, PythonLexer(), HtmlFormatter(nowrap=True, classprefix="hl-"))
