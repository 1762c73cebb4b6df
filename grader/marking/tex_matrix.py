r"""Rows and cells of a LaTeX matrix: \begin{bmatrix} 1 & \frac{1}{2} \\ 0 & 3 \end{bmatrix}, or only what is inside."""

from __future__ import annotations

import re

from grader.marking.notation_error import NotationError, outside

_ENVIRONMENT = re.compile(
    r"\\begin\{(?P<kind>[bpB]?matrix\*?|smallmatrix|array)\}(?:\[\w*\])?(?:\{[lcr|\s]*\})?"
    r"(?P<inside>.*)\\end\{(?P=kind)\}",
    re.DOTALL,
)
_BEGIN_OR_END = re.compile(r"\\(?:begin|end)(?![A-Za-z])")
_ROW_END = re.compile(r"\\\\(?:\[[\w. ]*\])?|\\cr(?![A-Za-z])")
_RULE = re.compile(r"\\hline(?![A-Za-z])")
# Delimiters around the matrix: $ … $, \[ … \], \left( … \right), whose words are blank by now.
_AROUND = "$[]()\\. \t\n"


def is_tex(body: str) -> bool:
    """Whether the text holds the marks of LaTeX's rows."""
    return "&" in body or "\\\\" in body or _BEGIN_OR_END.search(body) is not None


def tex_rows(body: str) -> list[list[str]]:
    """The cells between the marks, row by row. Raises NotationError."""
    rows = _ROW_END.split(_RULE.sub("", _inside(body)))
    if not rows[-1].strip():
        rows.pop()
    return [[cell.strip() for cell in row.split("&")] for row in rows]


def _inside(body: str) -> str:
    marks = len(_BEGIN_OR_END.findall(body))
    if marks == 0:
        return body.strip("$ \t\n")
    found = _ENVIRONMENT.search(body) if marks == len(("begin", "end")) else None
    if found is None:
        raise NotationError("tex")
    for around in (body[: found.start()], body[found.end() :]):
        if around.strip(_AROUND):
            raise outside(around)
    return found["inside"]
