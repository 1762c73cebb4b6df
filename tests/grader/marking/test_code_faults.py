"""Exceptions in words: the line, what usually lies behind it, and what to do next."""

from __future__ import annotations

import pytest

from grader.marking.code_faults import KNOWN, known_fault, raised_finding
from grader.marking.code_outcomes import Raised
from grader.marking.phrases import phrase

SIGNATURE = "project(x, W, b=None)"
AMBIGUOUS = "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
MATMUL = "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?)"


def told(kind: str, message: str, *, arrays: str = "", line: int | None = 3) -> tuple[str, str]:
    finding = raised_finding(Raised(kind, message, line, arrays), signature=SIGNATURE, is_shown=True)
    return finding.slug, finding.text.en


@pytest.mark.parametrize(
    ("kind", "message", "slug", "words"),
    [
        ("ModuleNotFoundError", "No module named 'torch'", "code_import", "There is no torch here"),
        ("ImportError", "cannot import name 'x' from 'numpy'", "code_import", "cannot import name 'x'"),
        ("EOFError", "EOF when reading a line", "code_input", "Nobody is here to answer input()"),
        ("NameError", "name 'np' is not defined", "code_raised", "Begin with import numpy as np"),
        ("NameError", "name 'logits' is not defined", "code_raised", "Line 3 uses logits"),
        ("ValueError", "assignment destination is read-only", "code_mutated", "x = x.copy()"),
        ("ValueError", AMBIGUOUS, "code_raised", "if b is not None"),
        ("AxisError", "axis 1 is out of bounds for array of dimension 1", "code_broadcast", "axis=-1"),
        ("IndexError", "too many indices for array: array is 1-dimensional", "code_broadcast", "axis=-1"),
        ("ValueError", "not enough values to unpack (expected 2, got 1)", "code_broadcast", "x.shape[-1]"),
        ("TypeError", "project() takes 2 positional arguments but 3 were given", "code_signature", SIGNATURE),
        ("TypeError", "unsupported operand type(s) for +: 'float' and 'NoneType'", "code_raised", "if b is not None"),
        ("UFuncTypeError", "Cannot cast ufunc 'add' output from dtype('float64')", "code_dtype", "x = x + b"),
        ("TypeError", "Cannot cast ufunc 'add' output", "code_dtype", "x = x + b"),
        ("RecursionError", "maximum recursion depth exceeded", "code_recursion", "never ends"),
        ("MemoryError", "Unable to allocate 12 GiB", "code_memory", "more memory than there is"),
        (
            "AttributeError",
            "'numpy.ndarray' object has no attribute 'unsqueeze'",
            "code_raised",
            "NumPy has other names",
        ),
        ("SystemExit", "0", "code_raised", "Use return"),
        ("ZeroDivisionError", "division by zero", "code_raised", "Line 3: division by zero"),
    ],
)
def test_an_exception_is_told_with_its_remedy(kind: str, message: str, slug: str, words: str):
    found, text = told(kind, message)

    assert (found, words in text) == (slug, True), text


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ("", "do not fit together: matmul: Input operand 1"),
        ("x (2, 3), W (4, 3)", "do not fit together: x (2, 3), W (4, 3). For @"),
        ("e (2, 3), s (2, 3)", "keepdims=True keeps it"),
    ],
)
def test_shapes_that_do_not_meet_are_told_by_the_arrays_of_the_line(arrays: str, words: str):
    assert words in told("ValueError", MATMUL, arrays=arrays)[1]


def test_an_exception_without_a_line_is_told_by_its_message():
    assert told("KeyError", "'d'", line=None) == ("code_raised", "'d'")


def test_a_check_of_ones_own_that_fails_while_loading_is_told_where_it_belongs():
    raised = Raised("AssertionError", "", 7)
    loading = raised_finding(raised, signature=SIGNATURE, is_shown=True, is_loading=True)
    calling = raised_finding(raised, signature=SIGNATURE, is_shown=True)

    assert "__main__" in loading.text.en
    assert calling.text.en == "Line 7: "


def test_of_a_hidden_call_only_the_kind_is_told():
    finding = raised_finding(Raised("ValueError", "secret", 12, "x (5, 7)"), signature=SIGNATURE, is_shown=False)

    assert "ValueError" in finding.title.en
    assert not any(word in str(finding) for word in ("secret", "12", "(5, 7)"))


def test_every_known_fault_has_a_phrase_and_only_misunderstandings_are_no_try():
    assert all(phrase(f"code.{fault.name}") for fault in KNOWN)
    assert {fault.slug for fault in KNOWN if not fault.is_counted} == {"import", "input"}
    assert known_fault(Raised("KeyError", "'d'", 1)) is None
