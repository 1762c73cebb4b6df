"""Exceptions in words: what usually lies behind each, and what to do next."""

from __future__ import annotations

import re
from dataclasses import dataclass

from grader.marking.code_outcomes import Raised
from grader.marking.mark import Finding, remark
from grader.marking.phrases import phrase

MODULE = re.compile(r"No module named '([^']+)'")
SHAPE = re.compile(r"\([\d, ]*\)")
NAME = re.compile(r"name '([^']+)' is not defined")
ATTRIBUTE = re.compile(r"object has no attribute '([^']+)'")


@dataclass(frozen=True, slots=True)
class KnownFault:
    """An exception that we have words for: phrase code.<name>, under the slug code_<slug>."""

    name: str
    slug: str
    kinds: tuple[str, ...]
    pattern: str = ""
    is_counted: bool = True

    def is_it(self, raised: Raised) -> bool:
        """Whether this is the exception."""
        return raised.kind in self.kinds and bool(re.search(self.pattern, raised.message))


KNOWN = (
    KnownFault("import", "import", ("ModuleNotFoundError",), is_counted=False),
    KnownFault("import_name", "import", ("ImportError",), is_counted=False),
    KnownFault("input", "input", ("EOFError",), "EOF when reading", is_counted=False),
    KnownFault("numpy_missing", "raised", ("NameError",), "name 'np' is not defined"),
    KnownFault("name_missing", "raised", ("NameError",), NAME.pattern),
    KnownFault("read_only", "mutated", ("ValueError",), "read-only"),
    KnownFault("truth", "raised", ("ValueError",), "truth value of an array"),
    KnownFault("broadcast", "broadcast", ("ValueError",), "could not be broadcast|core dimension|not aligned|matmul"),
    KnownFault("dimensions", "broadcast", ("AxisError", "IndexError"), "axis .* out of bounds|too many indices"),
    KnownFault("unpack", "broadcast", ("ValueError",), "values to unpack"),
    KnownFault("signature", "signature", ("TypeError",), "positional argument|unexpected keyword"),
    KnownFault("operand_none", "raised", ("TypeError",), "NoneType"),
    KnownFault("integer", "dtype", ("UFuncTypeError", "_UFuncOutputCastingError"), "Cannot cast"),
    KnownFault("integer", "dtype", ("TypeError",), "Cannot cast ufunc"),
    KnownFault("recursion", "recursion", ("RecursionError",)),
    KnownFault("memory_error", "memory", ("MemoryError",)),
    KnownFault("attribute", "raised", ("AttributeError",), ATTRIBUTE.pattern),
    KnownFault("exit", "raised", ("SystemExit",)),
)


def known_fault(raised: Raised) -> KnownFault | None:
    """The first exception of the list that this one is."""
    return next((fault for fault in KNOWN if fault.is_it(raised)), None)


def raised_finding(raised: Raised, *, signature: str, is_shown: bool, is_loading: bool = False) -> Finding:
    """An exception with its remedy; of one on a hidden case neither text nor line is told, only its kind."""
    title = phrase("code.raised_title", kind=raised.kind)
    known = known_fault(raised)
    slug = f"code_{known.slug}" if known else "code_raised"
    if not is_shown:
        return remark(slug, title, phrase("code.raised_hidden", kind=raised.kind))
    details = {
        "line": str(raised.line or "?"),
        "message": raised.message,
        "arrays": raised.arrays,
        "signature": signature,
        "module": _first(MODULE, raised.message),
        "name": _first(NAME, raised.message) or _first(ATTRIBUTE, raised.message),
    }
    if known is not None:
        name = _broadcast(raised.arrays) if known.name == "broadcast" else known.name
        return remark(slug, title, phrase(f"code.{name}", **details))
    if is_loading and raised.kind == "AssertionError":
        return remark(slug, title, phrase("code.own_check", **details))
    return remark(slug, title, phrase("code.raised" if raised.line else "code.raised_no_line", **details))


def _broadcast(arrays: str) -> str:
    """What to say of shapes that do not meet; arrays of one shape in one line lost an axis on the way."""
    if not arrays:
        return "broadcast"
    return "keepdims" if len(set(SHAPE.findall(arrays))) == 1 else "broadcast_arrays"


def _first(pattern: re.Pattern[str], message: str) -> str:
    found = pattern.search(message)
    return found[1] if found else ""
