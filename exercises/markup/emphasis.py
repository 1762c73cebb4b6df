"""Emphasis that works between Chinese characters.

CommonMark lets `**` close only where a word or a space follows its punctuation, so
`**“注意力”**机制` stays plain. Here a Chinese character beside the asterisks counts like a
space for that rule, and full-width punctuation counts like a letter.
"""

from __future__ import annotations

import re
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.common.utils import isMdAsciiPunct, isPunctChar, isWhiteSpace
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Delimiter

_CJK: Final = re.compile(r"[\u2E80-\u303F\u3040-\u30FF\u3100-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\uFF00-\uFFEF]")


def cjk_friendly(md: MarkdownIt) -> None:
    """Plug in: emphasis beside Chinese text, and no blank where a line of Chinese is broken."""
    md.inline.ruler.before("emphasis", "cjk_emphasis", _tokenize_asterisks)
    md.core.ruler.push("cjk_soft_breaks", _join_broken_lines)


def _is_cjk(character: str) -> bool:
    return _CJK.match(character) is not None


def _is_punctuation(character: str) -> bool:
    return not _is_cjk(character) and (isMdAsciiPunct(ord(character)) or isPunctChar(character))


def _flanks(outside: str, inside: str) -> bool:
    """Whether asterisks between these two characters hug the inner one."""
    if isWhiteSpace(ord(inside)):
        return False
    open_outside = isWhiteSpace(ord(outside)) or _is_punctuation(outside) or _is_cjk(outside)
    return not _is_punctuation(inside) or open_outside


def _tokenize_asterisks(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 -- the parser's own signature
    """Push one delimiter per asterisk, as the built-in rule does, with our notion of flanking."""
    start = state.pos
    if silent or state.src[start] != "*":
        return False
    end = start
    while end < state.posMax and state.src[end] == "*":
        end += 1
    before = state.src[start - 1] if start > 0 else " "
    after = state.src[end] if end < state.posMax else " "
    for _ in range(end - start):
        state.push("text", "", 0).content = "*"
        state.delimiters.append(
            Delimiter(
                marker=ord("*"),
                length=end - start,
                token=len(state.tokens) - 1,
                end=-1,
                open=_flanks(before, after),
                close=_flanks(after, before),
            )
        )
    state.pos = end
    return True


def _join_broken_lines(state: StateCore) -> None:
    """Drop a soft line break that stands between two Chinese characters."""
    for block in state.tokens:
        children = block.children or []
        for before, token, after in zip(children, children[1:], children[2:], strict=False):
            if token.type == "softbreak" and _ends_cjk(before.content) and _starts_cjk(after.content):
                token.type, token.content = "text", ""


def _ends_cjk(text: str) -> bool:
    return bool(text) and _is_cjk(text[-1])


def _starts_cjk(text: str) -> bool:
    return bool(text) and _is_cjk(text[0])
