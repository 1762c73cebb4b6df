"""What programs print around the brackets of a matrix, taken away so that every sign left keeps its place.

A name (`Q = …`), a call (`array(…, dtype=float32)`, `tensor(…, grad_fn=<MmBackward0>)`), NumPy's own scalars
(`np.float64(0.5)`), tuples, MATLAB's last semicolon and its `...` that carries a row on to the next line.
"""

from __future__ import annotations

import re

from grader.marking.notation_error import NotationError, outside

_NAMED = re.compile(r"\s*[^\W\d]\w*\s*=(?!=)")
_CALL = re.compile(
    r"\s*(?:Parameter containing:\s*)?(?:[^\W\d]\w*\.)?(?:array|asarray|matrix|Array|tensor|as_tensor|Tensor)\s*\("
)
_SCALAR_CALL = re.compile(r"\b(?:(?:np|numpy|torch)\.)?(?:float|int|uint|bfloat)\d+\(([^()]*+)\)")
# What stands between the last bracket and the end of the call: np.float32, dtype=…, device=…, grad_fn=<…>, shape=(…).
_REST = re.compile(
    r"(?:\s*+,\s*+(?:[a-z_]++\s*+=\s*+(?:\([\d\s,]*+\)|[^\s,()\[\]]++)|[^\W\d][\w.]*+))*+\s*+,?\s*+\)\s*+"
)
_TUPLE = re.compile(r"\(([^(),;]*+[,;][^()]*+)\)")
_CONTINUED = re.compile(r"\.\.\.[ \t]*\n")
_MOST_NESTED_TUPLES = 3


def bare(text: str) -> str:
    """The brackets and cells alone, everything around them blank. Raises NotationError."""
    body = _join_continued(_without_name(text))
    if "(" not in body:
        return body
    body = _SCALAR_CALL.sub(lambda call: call[1].rjust(len(call[0]) - 1) + " ", body)
    return _tuples_as_lists(_without_call(body))


def _without_call(body: str) -> str:
    call = _CALL.match(body)
    if call is None:
        return body
    end = body.rfind("]") + 1 or _end_of_scalar(body, call.end())
    if not _REST.fullmatch(body, end):
        raise outside(body[end:]) if ")" in body[end:] else NotationError("bracket", place=str(call.end()))
    return " " * call.end() + body[call.end() : end]


def _end_of_scalar(body: str, start: int) -> int:
    """Where the lone number of `array(0.5)` ends."""
    ends = [place for sign in ",)" if (place := body.find(sign, start)) >= 0]
    return min(ends, default=len(body))


def _tuples_as_lists(body: str) -> str:
    """Round brackets that hold several cells are a row, not a grouping."""
    for _ in range(_MOST_NESTED_TUPLES):
        body = _TUPLE.sub(r"[\1]", body)
    return body


def _join_continued(body: str) -> str:
    """MATLAB's line continuation joins two lines; any other `...` stands for numbers that were left out."""
    if body.count("[") <= 1:
        body = _CONTINUED.sub(lambda dots: " " * len(dots[0]), body)
    elided = re.search(r"\.\.\.|…|\\[cdv]?dots", body)
    if elided:
        raise NotationError("elided", text=elided[0])
    return body


def _without_name(text: str) -> str:
    """The text without the `Q =` before it and the `;` after it."""
    named = _NAMED.match(text)
    body = " " * named.end() + text[named.end() :] if named else text
    stripped = body.rstrip()
    return stripped[:-1] if stripped.endswith(";") else body
