"""Exceptions in words: what usually lies behind each, and what to do next."""

from __future__ import annotations

import re
from dataclasses import dataclass

from grader.marking.code_outcomes import Raised
from grader.marking.code_shape_faults import broadcast_phrase, shape_details, written
from grader.marking.mark import Finding, remark
from grader.marking.phrases import phrase
from grader.marking.text import code_span

DIMENSION = r"dimension\(s\)"
SIZE_AXIS = r"along dimension (?P<axis>\d+), .* has size (?P<one>\d+) and .* has size (?P<other>\d+)"
BROADCAST = "could not be broadcast|core dimension|not aligned|matmul|shape-mismatch for sum"
LISTS_COMPUTED = (
    "can't multiply sequence by non-int|operand type.* '(list|tuple)'|can only concatenate (list|tuple)"
    "|(list|tuple) indices must be integers or slices, not tuple|bad operand type for unary -: '(list|tuple)'"
)
EMPTY = "zero-size array to reduction|of an empty sequence|need at least one array|empty sequence|argument is empty"
# What other libraries, or lists, call what NumPy writes otherwise.
NUMPY_FOR = {
    **dict.fromkeys(("matmul", "mm", "bmm", "multiply", "product"), "x @ W"),
    **dict.fromkeys(("append", "extend", "cat", "insert"), "np.vstack([K, k])"),
    **dict.fromkeys(("softmax", "log_softmax"), "e / e.sum(axis=-1, keepdims=True)"),
    **dict.fromkeys(("masked_fill", "masked_fill_"), "np.where(mask, s, -np.inf)"),
    **dict.fromkeys(("exp", "sqrt", "tril", "triu", "log"), "np.{name}(x)"),
    **dict.fromkeys(("tensor", "Tensor", "from_numpy"), "np.array(x)"),
    **dict.fromkeys(("numpy", "detach", "cpu", "contiguous"), "x"),
    **dict.fromkeys(("float", "double", "to"), "x.astype(float)"),
    **dict.fromkeys(("view",), "x.reshape(S, -1)"),
    **dict.fromkeys(("length", "len"), "len(x)"),
    "t": "x.T",
    "unsqueeze": "x[None]",
    "permute": "np.transpose(x, axes)",
    "norm": "np.linalg.norm(x)",
}
OTHERS = "|".join(NUMPY_FOR)


@dataclass(frozen=True, slots=True)
class KnownFault:
    """An exception that we have words for: phrase code.<name>, under the slug code_<slug>.

    What the pattern names of the exception's own text fills the blanks of the phrase.
    """

    name: str
    slug: str
    kinds: tuple[str, ...]
    pattern: str = ""
    is_counted: bool = True

    def is_it(self, raised: Raised) -> bool:
        """Whether this is the exception."""
        return raised.kind in self.kinds and self._found(raised) is not None

    def details(self, raised: Raised) -> dict[str, str]:
        """What the exception's text says that the phrase may name."""
        found = self._found(raised)
        named = found.groupdict() if found else {}
        told = {name: written(value) if value.startswith("(") else value for name, value in named.items() if value}
        return {**told, "instead": NUMPY_FOR.get(told.get("name", ""), "").format(**told)}

    def _found(self, raised: Raised) -> re.Match[str] | None:
        return re.search(self.pattern, raised.message, re.DOTALL)


KNOWN = (
    KnownFault("import", "import", ("ModuleNotFoundError",), r"No module named '(?P<module>[^']+)'", is_counted=False),
    KnownFault("import_name", "import", ("ImportError", "ModuleNotFoundError"), is_counted=False),
    KnownFault("input", "input", ("EOFError",), "EOF when reading", is_counted=False),
    KnownFault("numpy_missing", "raised", ("NameError",), "name 'np' is not defined"),
    KnownFault("name_missing", "raised", ("NameError",), r"name '(?P<name>[^']+)' is not defined"),
    KnownFault("read_only", "mutated", ("ValueError",), "read-only"),
    KnownFault("truth", "raised", ("ValueError",), "truth value of an array"),
    KnownFault(
        "assigned",
        "broadcast",
        ("ValueError",),
        r"broadcast input array from shape (?P<one>\(.*?\)) into shape (?P<other>\(.*?\))",
    ),
    KnownFault(
        "grown", "broadcast", ("ValueError",), r"output operand with shape (?P<one>\(.*?\)) .*(?P<other>\(.*?\))"
    ),
    KnownFault("einsum", "broadcast", ("ValueError",), r"remapped shapes \[original->remapped\]: .*->"),
    KnownFault(
        "einsum_letters", "broadcast", ("ValueError",), "too many subscripts|more dimensions than subscripts given"
    ),
    KnownFault("number_in_product", "broadcast", ("ValueError",), r"not have enough dimensions \(has 0"),
    KnownFault("broadcast", "broadcast", ("ValueError", "IndexError"), BROADCAST),
    KnownFault("split", "broadcast", ("ValueError",), "not result in an equal division"),
    KnownFault("joined", "broadcast", ("ValueError",), SIZE_AXIS),
    KnownFault(
        "joined_axes",
        "broadcast",
        ("ValueError",),
        rf"same number of dimensions, .* has (?P<one>\d+) {DIMENSION} and .* has (?P<other>\d+) {DIMENSION}",
    ),
    KnownFault("joined_numbers", "broadcast", ("ValueError",), "zero-dimensional arrays cannot be concatenated"),
    KnownFault("stacked", "broadcast", ("ValueError",), "all input arrays must have the same shape"),
    KnownFault("reshaped", "broadcast", ("ValueError",), r"array of size (?P<one>\d+) into shape (?P<other>\(.*?\))"),
    KnownFault("rows_uneven", "broadcast", ("ValueError",), "inhomogeneous shape"),
    KnownFault("one_cell", "broadcast", ("ValueError",), "setting an array element with a sequence"),
    KnownFault("transposed", "broadcast", ("ValueError",), "axes don't match array"),
    KnownFault("squeezed", "broadcast", ("ValueError",), "axis to squeeze out"),
    KnownFault(
        "masked_index",
        "broadcast",
        ("IndexError",),
        r"along axis (?P<axis>\d+); size of axis is (?P<one>\d+) .* boolean axis is (?P<other>\d+)",
    ),
    KnownFault(
        "masked_assigned", "broadcast", ("ValueError",), r"assign (?P<one>\d+) input values to the (?P<other>\d+)"
    ),
    KnownFault(
        "dimensions",
        "broadcast",
        ("AxisError",),
        r"axis (?P<axis>-?\d+) is out of bounds for array of dimension (?P<count>\d+)",
    ),
    KnownFault(
        "indices", "broadcast", ("IndexError",), r"array is (?P<one>\d+)-dimensional, but (?P<other>\d+) were indexed"
    ),
    KnownFault("indices_of_number", "broadcast", ("IndexError",), "invalid index to scalar variable|too many indices"),
    KnownFault(
        "index",
        "broadcast",
        ("IndexError",),
        r"index (?P<place>-?\d+) is out of bounds for axis (?P<axis>\d+) with size (?P<count>\d+)",
    ),
    KnownFault("shape_index", "broadcast", ("IndexError",), "tuple index out of range"),
    KnownFault("unpack", "broadcast", ("ValueError",), r"values to unpack \(expected (?P<count>\d+)"),
    KnownFault("empty", "broadcast", ("ValueError",), EMPTY),
    KnownFault("scalar_only", "raised", ("TypeError",), "only .* arrays can be converted to Python scalars"),
    KnownFault(
        "whole_needed",
        "raised",
        ("TypeError", "IndexError"),
        "slice indices must be integers|'float' object cannot be interpreted as an integer|only integers, slices",
    ),
    KnownFault("list_computed", "raised", ("TypeError",), LISTS_COMPUTED),
    KnownFault("list_computed", "raised", ("AttributeError",), r"'(list|tuple)' object has no attribute"),
    KnownFault("called", "raised", ("TypeError",), r"'(?P<name>[\w.]+)' object is not callable"),
    KnownFault(
        "square_brackets",
        "raised",
        ("TypeError",),
        r"'(builtin_function_or_method|function|method|type)' object is not subs",
    ),
    KnownFault("unbound", "raised", ("UnboundLocalError",), r"local variable '(?P<name>[^']+)'"),
    KnownFault("signature", "signature", ("TypeError",), "positional argument|unexpected keyword"),
    KnownFault("operand_none", "raised", ("TypeError",), "NoneType"),
    KnownFault("integer", "dtype", ("UFuncTypeError", "_UFuncOutputCastingError"), "Cannot cast"),
    KnownFault("integer", "dtype", ("TypeError",), "Cannot cast ufunc"),
    KnownFault("recursion", "recursion", ("RecursionError",)),
    KnownFault("memory_error", "memory", ("MemoryError",)),
    KnownFault(
        "attribute_instead",
        "raised",
        ("AttributeError",),
        rf"(ndarray' object|module 'numpy') has no attribute '(?P<name>{OTHERS})'",
    ),
    KnownFault("attribute_numpy", "raised", ("AttributeError",), r"module 'numpy' has no attribute '(?P<name>[^']+)'"),
    KnownFault("attribute", "raised", ("AttributeError",), r"object has no attribute '(?P<name>[^']+)'"),
    KnownFault("exit", "raised", ("SystemExit",)),
)
# What is raised by writing into an array in place: one that was handed in, or one that cannot hold the result.
IN_PLACE = frozenset({"read_only", "integer"})


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
        "message": code_span(raised.message),
        "signature": code_span(signature),
        **shape_details(raised),
        **(known.details(raised) if known else {}),
    }
    if known is not None:
        name = broadcast_phrase(raised) if known.name == "broadcast" else known.name
        return remark(slug, title, phrase(f"code.{name}", **details))
    if is_loading and raised.kind == "AssertionError":
        return remark(slug, title, phrase("code.own_check", **details))
    name = "raised" if raised.line else "raised_no_line"
    return remark(slug, title, phrase(f"code.{name}" if raised.message else "code.raised_silent", **details))
