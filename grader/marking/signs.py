r"""The plain sign for each sign that keyboards, word processors, spreadsheets and LaTeX put in its place.

What stands in a place stays in that place, so that a complaint can point at it; only marks that nobody sees are dropped.
Compatibility forms are not folded blindly: `10²` must not become 102, nor `①` become 1.
"""

from __future__ import annotations

import re

_FULL_WIDTH_FORMS = {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_UNSEEN = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe0e\ufe0f\ufeff"

_PLAIN = str.maketrans(
    {
        **_FULL_WIDTH_FORMS,
        **dict.fromkeys("−–—―‐‑‒﹣﹘", "-"),
        **dict.fromkeys("﹢", "+"),
        **dict.fromkeys("×✕·∙⋅∗", "*"),
        **dict.fromkeys("÷∕⁄", "/"),
        **dict.fromkeys("﹙", "("),
        **dict.fromkeys("﹚", ")"),
        **dict.fromkeys("【〔〖", "["),
        **dict.fromkeys("】〕〗", "]"),
        **dict.fromkeys("﹐", ","),
        **dict.fromkeys("﹔", ";"),
        **dict.fromkeys("﹒", "."),
        **dict.fromkeys("“”„", '"'),
        **dict.fromkeys("‘’", "'"),
        **dict.fromkeys(
            "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "
        ),
        **dict.fromkeys("\r\v\f\x85\u2028\u2029", "\n"),
    }
)
_DROPPED = re.compile(f"[{_UNSEEN}]|\r(?=\n)")
_IDEOGRAPHIC_POINT = re.compile(r"(?<=\d)[。｡](?=\d)", re.ASCII)

# LaTeX that means a sign or a blank; \frac is read by the grammar itself.
_COMMANDS = {
    **dict.fromkeys(["times", "cdot", "ast"], "*"),
    "div": "/",
    **dict.fromkeys(["frac", "dfrac", "tfrac", "cfrac"], r"\frac"),
    "sqrt": "sqrt",
    **dict.fromkeys(["left", "right", "quad", "qquad", "displaystyle", *",;:! "], ""),
}
_COMMAND = re.compile(r"\\\\|\\([A-Za-z]+|[,;:! ])")


def plain(text: str) -> str:
    """The same text with plain digits, signs, brackets, blanks and line ends; what means nothing plain stays as it is."""
    if not text.isascii() or "\r" in text:
        text = _IDEOGRAPHIC_POINT.sub(".", _DROPPED.sub("", text).translate(_PLAIN))
    return _COMMAND.sub(_plain_command, text) if "\\" in text else text


def _plain_command(found: re.Match[str]) -> str:
    """What a command means, at the right end of its place; the double backslash that ends a row stays."""
    return _COMMANDS.get(found[1], found[0]).rjust(len(found[0]))
