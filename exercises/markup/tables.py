"""Tables: alignment by class, headers that say what they head, shades that follow the numbers of a heat map."""

from __future__ import annotations

from itertools import pairwise

from markdown_it.rules_core import StateCore
from markdown_it.token import Token


def name_table_cells(state: StateCore) -> None:
    """Mark column headers; where the corner is left empty, the first cell of each row is that row's header."""
    is_cornered = False
    before, tag = "", ""
    for token, inline in pairwise(state.tokens):
        if token.type in {"th_open", "td_open"}:
            is_first = before == "tr_open"
            if is_first and token.type == "th_open":
                is_cornered = inline.content == ""
            _align_by_class(token)
            _set_header(token, is_corner=is_first and is_cornered, says_words=_says_words(inline))
            tag = token.tag
        elif token.type in {"th_close", "td_close"}:
            token.tag = tag
        before = token.type


def shade_heatmaps(state: StateCore) -> None:
    """In a heat map each cell with a percentage gets the class of its tenth, heat-0 to heat-9."""
    is_heatmap = False
    for token, inline in pairwise(state.tokens):
        if token.type.startswith("container_heatmap_"):
            is_heatmap = token.nesting > 0
        elif is_heatmap and token.type == "td_open" and inline.content.isdecimal():
            token.attrSet("class", f"heat-{min(int(inline.content) // 10, 9)}")


def _align_by_class(cell: Token) -> None:
    # Our content security policy allows no inline style.
    alignment = str(cell.attrs.pop("style", "")).removeprefix("text-align:")
    if alignment:
        cell.attrSet("class", f"align-{alignment}")


def _set_header(cell: Token, *, is_corner: bool, says_words: bool) -> None:
    """An empty corner heads nothing; below it stand the headers of rows, which need words to be headers by."""
    if cell.type == "th_open" and is_corner:
        cell.tag = "td"
    elif cell.type == "th_open":
        cell.attrSet("scope", "col")
    elif is_corner and says_words:
        cell.tag = "th"
        cell.attrSet("scope", "row")


def _says_words(inline: Token) -> bool:
    """Whether a cell holds more than formulas, which not every reading aid takes for text."""
    return any(child.content.strip() for child in inline.children or [] if child.type in {"text", "code_inline"})
