"""Code that never got to its first call: what to mend, in words that name the line and the character.

The text is searched for a character, never parsed: Python's own reading happens in the jail alone.
"""

from __future__ import annotations

import platform
import re
import unicodedata
from collections.abc import Mapping

from grader.marking.items import CodeItem
from grader.marking.mark import Finding, remark
from grader.marking.phrases import phrase
from grader.marking.text import Text, code_span

_CODE_POINT = re.compile(r"\(U\+([0-9A-F]{4,6})\)|non-printable character U\+([0-9A-F]{4,6})")
# What to type instead of a character that a full-width keyboard or a web page puts in; "" means: delete it.
ASCII: Mapping[str, str] = {
    **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    **dict.fromkeys("\N{NO-BREAK SPACE}\N{IDEOGRAPHIC SPACE}\N{EN SPACE}\N{EM SPACE}\N{NARROW NO-BREAK SPACE}", " "),
    **dict.fromkeys(
        "\N{ZERO WIDTH SPACE}\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NO-BREAK SPACE}\N{WORD JOINER}\x1a\x00", ""
    ),
    **dict.fromkeys("“”„″", '"'),
    **dict.fromkeys("‘’′", "'"),
    **dict.fromkeys("−–—‐", "-"),
    "、": ",",
    "。": ".",
    "【": "[",
    "】": "]",
    "×": "*",
    "·": "*",
    "÷": "/",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "…": "...",
}
# Python's words for frequent mistakes, by how they begin, and what we say of them.
SYNTAX: tuple[tuple[str, str], ...] = (
    ("expected ':'", "syntax_colon"),
    ("expected an indented block", "syntax_indent_missing"),
    ("unexpected indent", "syntax_indent"),
    ("unindent does not match", "syntax_indent"),
    ("inconsistent use of tabs", "syntax_tabs"),
    ("unterminated", "syntax_quote"),
    ("invalid syntax. Maybe you meant '=='", "syntax_equals"),
    ("invalid syntax. Perhaps you forgot a comma", "syntax_comma"),
    ("'return' outside function", "syntax_return"),
    ("'await' outside", "syntax_await"),
)
BRACKETS = (
    (re.compile(r"'(.)' was never closed"), "syntax_open"),
    (re.compile(r"(?:unmatched|closing parenthesis) '(.)'"), "syntax_closed"),
)
# What comes along when code is copied from elsewhere, by how the line begins.
PASTED = (
    (re.compile("```|~~~"), "syntax_fence"),
    (re.compile(r">>>|\.\.\. |(?:In|Out) ?\[\d*\]:"), "syntax_prompt"),
    (re.compile("[!%]|pip install"), "syntax_shell"),
)
UNSAID = "invalid syntax"
# What Python raises where brackets or signs are nested beyond what it can read.
TOO_DEEP = frozenset({"MemoryError", "RecursionError"})
METHOD = "."
# Of a line that Python cannot make sense of.
LONGEST_SHOWN = 60


def unread(code: str, kind: str, message: str, line: int | None) -> Finding:
    """Code that Python cannot read."""
    character = _odd_character(message)
    if kind in TOO_DEEP or message.startswith("too many nested"):
        text = phrase("code.too_deep")
    elif character:
        text = _odd_character_text(code, character, line)
    else:
        text = _unsaid(code, message, line)
    return remark("code_syntax", phrase("code.syntax_title"), text)


def _unsaid(code: str, message: str, line: int | None) -> Text:
    """Our words for what was written there, else for what Python says of it."""
    shown, place = _line_of(code, line).strip(), str(line or "?")
    known = _pasted(shown, place) or _known(message, place)
    if known is not None:
        return known
    name = "syntax_unsaid" if message == UNSAID and shown else "syntax"
    details = {"message": code_span(message), "shown": code_span(shown[:LONGEST_SHOWN])}
    return phrase(f"code.{name}", python=python_version(), line=place, **details)


def _line_of(code: str, line: int | None) -> str:
    """The line that Python complains of; nothing where there is none."""
    lines = code.splitlines()
    return lines[line - 1] if line and line <= len(lines) else ""


def _pasted(shown: str, line: str) -> Text | None:
    """Our words for a line that was never meant as Python."""
    for pattern, name in PASTED:
        found = pattern.match(shown)
        if found:
            return phrase(f"code.{name}", line=line, shown=code_span(found[0].strip()))
    return None


def _known(message: str, line: str) -> Text | None:
    """Our words for a frequent mistake."""
    for start, name in SYNTAX:
        if message.startswith(start):
            return phrase(f"code.{name}", line=line)
    for pattern, name in BRACKETS:
        bracket = pattern.search(message)
        if bracket:
            return phrase(f"code.{name}", bracket=code_span(bracket[1]), line=line)
    return None


def python_version() -> str:
    """The Python of the sandbox, which is this one."""
    return platform.python_version()


def _odd_character(message: str) -> str:
    found = _CODE_POINT.search(message)
    if found:
        return chr(int(found[1] or found[2], 16))
    return "\x00" if "null byte" in message else ""


def _odd_character_text(code: str, character: str, line: int | None) -> Text:
    """Line, column, the character and the one to type."""
    shown = _line_of(code, line) or code
    details = {
        "line": str(line or "?"),
        "column": str(shown.find(character) + 1),
        "character": character if character.isprintable() and not character.isspace() else "",
        "code": f"U+{ord(character):04X}",
        "name": unicodedata.name(character, "CONTROL CHARACTER").lower(),
    }
    instead = ASCII.get(character)
    if instead is None:
        return phrase("code.character_unknown", **details)
    if not instead:
        return phrase("code.character_delete", **details)
    if instead == " ":
        return phrase("code.character_blank", **details)
    return phrase("code.character", instead=code_span(instead), **details)


def untouched(item: CodeItem, code: str) -> Finding | None:
    """The starter as the page gave it, which nobody means as a try; None for anything else."""
    if code.split() not in (item.starter.zh_hans.split(), item.starter.en.split()):
        return None
    name = "starter_bug" if item.bug else "starter"
    return remark("code_starter", phrase("code.starter_title"), phrase(f"code.{name}"))


def missing(function: str, defined: tuple[str, ...], signature: str, code: str = "") -> Finding:
    """There is no such function at the top; `defined` names what there is, methods as "Layer.project"."""
    title = phrase("code.missing_title", function=function)
    methods = [name for name in defined if name.endswith(f"{METHOD}{function}")]
    outer = ", ".join(code_span(name) for name in defined if METHOD not in name)
    if methods:
        owner = methods[0].rpartition(METHOD)[0]
        text = phrase("code.missing_method", function=function, owner=owner, signature=signature)
    elif re.search(rf"^[ \t]+(async )?def {function}\b", code, re.MULTILINE):
        text = phrase("code.missing_inside", function=function, signature=signature)
    elif outer:
        text = phrase("code.missing_other", function=function, defined=outer, signature=signature)
    else:
        text = phrase("code.missing", function=function, signature=signature)
    return remark("code_missing", title, text)


def not_callable(function: str, signature: str) -> Finding:
    """The name stands for something that is no function."""
    details = {"function": function, "signature": signature}
    return remark("code_missing", phrase("code.missing_title", **details), phrase("code.not_callable", **details))
