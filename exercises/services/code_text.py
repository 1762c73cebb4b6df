"""A program as text, whatever editor it comes from, so that text box, file and API all lead to the same program.

Windows editors put a byte order mark before the first line and end lines in their own way; old ones write UTF-16, or
GBK with and without saying so. Lines keep their numbers. Two characters make a program unreadable without being seen,
and those are named with their line.
"""

from __future__ import annotations

import codecs
import re

from grader.marking.phrases import phrase
from grader.marking.response import MAX_CODE_BYTES, Problem, ResponseError, refuse

BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"
# A character takes four bytes at most in any of the encodings; what is longer is no program for us.
MOST_FILE_BYTES = 4 * MAX_CODE_BYTES
MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
# What Python itself would read as the name of the encoding, in one of the first two lines (PEP 263).
CODING_LINE = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
# Those that text is written in. Python's list also holds archives and ciphers.
NAMED = frozenset({"utf-8", "ascii", "gbk", "gb2312", "gb18030", "big5", "iso8859-1", "cp1252"})
# The encoding that Chinese editors of Windows use without saying so; GBK and GB2312 are parts of it.
UNSAID = "gb18030"
# Python refuses these, and hardly an editor shows them.
INVISIBLE = {"\0": "NUL", "\x1a": "Ctrl-Z"}


def code_from_file(raw: bytes) -> str:
    """The text of a file. Raises ResponseError where it is no text in any encoding that people here use."""
    if len(raw) > MOST_FILE_BYTES:
        raise refuse("code_too_long", limit=str(MAX_CODE_BYTES // 1024), found=str(-(-len(raw) // 1024)))
    for encoding in _encodings(raw):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise refuse("code_not_text")


def readable_code(code: str) -> str:
    """The same program without a byte order mark and with plain line ends. Raises ResponseError for what nobody sees."""
    text = code.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n").replace("\r", "\n")
    problems = [_invisible(character, text) for character in INVISIBLE if character in text]
    if problems:
        raise ResponseError(problems)
    return text


def _encodings(raw: bytes) -> list[str]:
    for mark, encoding in MARKS.items():
        if raw.startswith(mark):
            return [encoding]
    lines = re.split(rb"\r\n|\r|\n", raw, maxsplit=2)[:2]
    named = [found[1].decode("ascii") for line in lines if (found := CODING_LINE.match(line))]
    return [*filter(_is_known, named), "utf-8", UNSAID]


def _is_known(encoding: str) -> bool:
    try:
        return codecs.lookup(encoding).name in NAMED
    except LookupError:
        return False


def _invisible(character: str, text: str) -> Problem:
    line = text[: text.index(character)].count("\n") + 1
    return Problem(
        phrase("response.code_invisible", line=str(line), name=INVISIBLE[character], code=f"U+{ord(character):04X}")
    )
