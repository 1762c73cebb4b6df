"""Exceptions in words: the line, what usually lies behind it, and what to do next."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from grader.marking.code_faults import KNOWN, known_fault, raised_finding
from grader.marking.code_outcomes import Raised
from grader.marking.phrases import phrase

SIGNATURE = "project(x, W, b=None)"
AMBIGUOUS = "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
MATMUL = "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?)"


def told(kind: str, message: str, *, arrays: str = "", line: int | None = 3) -> tuple[str, str]:
    finding = raised_finding(Raised(kind, message, line, arrays), signature=SIGNATURE, is_shown=True)
    return finding.slug, finding.text.en.replace("`", "")


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
        ("ValueError", "not enough values to unpack (expected 2, got 1)", "code_broadcast", "2 names on the left"),
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
            "Write something like x[None]",
        ),
        ("AttributeError", "'numpy.ndarray' object has no attribute 'append'", "code_raised", "np.vstack([K, k])"),
        ("AttributeError", "'numpy.ndarray' object has no attribute 'sqrt'", "code_raised", "np.sqrt(x)"),
        ("AttributeError", "module 'numpy' has no attribute 'softmax'", "code_raised", "e / e.sum(axis=-1"),
        ("AttributeError", "module 'numpy' has no attribute 'expp'", "code_raised", "NumPy has no np.expp"),
        ("AttributeError", "'Layer' object has no attribute 'W'", "code_raised", "NumPy has other names"),
        ("AttributeError", "'list' object has no attribute 'T'", "code_raised", "computes with a list"),
        ("TypeError", "can't multiply sequence by non-int of type 'float'", "code_raised", "computes with a list"),
        ("TypeError", "list indices must be integers or slices, not tuple", "code_raised", "computes with a list"),
        ("ValueError", "zero-size array to reduction operation maximum which", "code_broadcast", "K[: i + 1]"),
        ("ValueError", "need at least one array to concatenate", "code_broadcast", "joins no arrays"),
        ("TypeError", "only 0-dimensional arrays can be converted to Python scalars", "code_raised", "np.exp works on"),
        ("TypeError", "only length-1 arrays can be converted to Python scalars", "code_raised", "np.exp works on"),
        ("TypeError", "slice indices must be integers or None", "code_raised", "write // or int"),
        ("TypeError", "'float' object cannot be interpreted as an integer", "code_raised", "write // or int"),
        ("IndexError", "only integers, slices (`:`), ellipsis are valid indices", "code_raised", "write // or int"),
        ("TypeError", "'tuple' object is not callable", "code_raised", "x.shape and x.T take none"),
        ("TypeError", "'numpy.ndarray' object is not callable", "code_raised", "no function (numpy.ndarray)"),
        ("TypeError", "'builtin_function_or_method' object is not subscriptable", "code_raised", "np.array([1, 2])"),
        ("UnboundLocalError", "cannot access local variable 'q' where it is not", "code_raised", "reads q before"),
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
        ("", "do not fit together. Put lines such as print(x.shape)"),
        ("x (2, 3), W (4, 3)", "do not fit together: x (2, 3), W (4, 3). For @"),
        ("axis (), x (2, 3), W (4, 3)", "do not fit together: x (2, 3), W (4, 3). For @"),
    ],
)
def test_shapes_that_do_not_meet_are_told_by_the_arrays_of_the_line(arrays: str, words: str):
    assert words in told("ValueError", MATMUL, arrays=arrays)[1]


ONES = np.ones


def assign(shape: tuple[int, ...], place: Any, value: Any) -> None:
    array = ONES(shape)
    array[place] = value


def add_in_place(one: Any, other: Any) -> None:
    one += other


# What learners write, and the words that tell of it: no text of NumPy's own is among them.
SHAPE_FAULTS: list[tuple[Callable[[], object], str, str]] = [
    (lambda: ONES((2, 3)) @ ONES((2, 3)), "", "summed over are 3 and 2"),
    (lambda: ONES((2, 3)) @ ONES((2, 3)), "x (2, 3)", "summed over are 3 and 2"),
    (lambda: np.tensordot(ONES((2, 3)), ONES((2, 3)), axes=1), "", "print(x.shape)"),
    (lambda: ONES((2, 3)) @ ONES((2, 3)), "x (2, 3), W (2, 3)", "`x (2, 3)`, `W (2, 3)`. For @"),
    (lambda: ONES((2, 3)).dot(ONES((2, 3))), "W (2, 3)", "`W (2, 3)`, `W (2, 3)`. For @"),
    (lambda: ONES((2, 3)) / ONES((4, 3)), "e (2, 3)", "`e (2, 3)`, `(4, 3)`. For @"),
    (lambda: ONES((2, 3)) / ONES((2, 3)).sum(axis=-1), "e (2, 3)", "`e (2, 3)`, `(2,)`. The second has one axis less"),
    (lambda: np.where(ONES((2, 3)) > 0, ONES((2, 2)), 0), "", "`(2, 3)`, `(2, 2)`. For @"),
    (
        lambda: np.einsum("ij,jk->ik", ONES((2, 3)), ONES((2, 3))),
        "x (2, 3)",
        "two different sizes: `x (2, 3)`, `x (2, 3)`",
    ),
    (lambda: np.einsum("ij,jk->ik", ONES((2, 3)), ONES(3)), "", "another number of axes than letters"),
    (lambda: np.einsum("j,jk->k", ONES((2, 3)), ONES((3, 2))), "", "another number of axes than letters"),
    (lambda: np.matmul(3, ONES(3)), "", "is a lone number"),
    (lambda: np.split(ONES((3, 4)), 2), "", "cuts an axis into equal parts"),
    (lambda: np.concatenate([ONES((2, 3)), ONES((2, 4))]), "", "along axis 1 (counted from 0): 3 and 4"),
    (lambda: np.vstack([ONES((2, 3)), ONES((1, 4))]), "", "along axis 1 (counted from 0): 3 and 4"),
    (lambda: np.concatenate([ONES((2, 3)), ONES(3)]), "", "one has 2 axes and another 1"),
    (lambda: np.concatenate([np.float64(1), np.float64(2)]), "", "joins lone numbers"),
    (lambda: np.stack([ONES((2, 3)), ONES((2, 4))]), "", "stacks arrays of different shapes"),
    (lambda: ONES((2, 3)).reshape(4, 2), "", "lays 6 numbers out as `(4, 2)`"),
    (lambda: ONES((2, 3)).reshape(4, -1), "", "lays 6 numbers out as `(4, -1)`"),
    (lambda: np.array([[1, 2], [3]]), "", "rows of different lengths"),
    (lambda: assign((2, 3), (0, 0), ONES(4)), "", "a whole array into one cell"),
    (lambda: assign((2, 3), 0, ONES(4)), "", "an array of shape `(4,)` into a place of shape `(3,)`"),
    (lambda: assign((2, 3), ONES((2, 3)) > 0, ONES(4)), "", "selects 6 cells and gives them 4 numbers"),
    (lambda: add_in_place(ONES(3), ONES((2, 3))), "", "gives the shape `(2, 3)`, and the array has `(3,)`"),
    (lambda: ONES((2, 3)).transpose(0, 2, 1), "", "another number of axes than the array has"),
    (lambda: np.squeeze(ONES((2, 3)), 0), "", "an axis whose size is not 1"),
    (lambda: ONES((2, 3))[ONES((3, 3)) > 0], "", "has the size 3 along axis 0 (counted from 0)"),
    (lambda: ONES((2, 3))[[0, 1, 0], [0, 1]], "", "`(3,)`, `(2,)`. For @"),
    (lambda: ONES(3).sum(axis=1), "", "uses axis 1, and the array has 1 in all"),
    (lambda: np.swapaxes(ONES(3), -1, -2), "", "uses axis -2, and the array has 1 in all"),
    (lambda: ONES((2, 3))[0, 1, 2], "", "3 indices to an array with 2 axes"),
    (lambda: np.float64(3)[0], "", "an index on a lone number"),
    (lambda: ONES((2, 3))[3], "", "takes entry 3, and axis 0 has the size 2"),
    (lambda: ONES(3).shape[1], "", "`x.shape[-1]` is the last size"),
]


@pytest.mark.parametrize(("wrong", "arrays", "words"), SHAPE_FAULTS)
def test_what_numpy_says_of_shapes_is_said_in_our_words_with_its_sizes(
    wrong: Callable[[], object], arrays: str, words: str
):
    with pytest.raises((ValueError, IndexError)) as caught:
        wrong()
    finding = raised_finding(
        Raised(type(caught.value).__name__, str(caught.value), 3, arrays), signature=SIGNATURE, is_shown=True
    )

    assert finding.slug == "code_broadcast"
    assert words in finding.text.en
    for text in (finding.text.en, finding.text.zh_hans):
        assert not re.search(r"\{\w+\}", text)
        assert str(caught.value) not in text
        assert "()" not in text


def test_an_exception_without_a_line_is_told_by_its_message():
    assert told("KeyError", "'d'", line=None) == ("code_raised", "'d'")


def test_a_check_of_ones_own_that_fails_while_loading_is_told_where_it_belongs():
    raised = Raised("AssertionError", "", 7)
    loading = raised_finding(raised, signature=SIGNATURE, is_shown=True, is_loading=True)
    calling = raised_finding(raised, signature=SIGNATURE, is_shown=True)

    assert "__main__" in loading.text.en
    assert calling.text.en == "It was raised in line 7, without a message."


def test_of_a_hidden_call_only_the_kind_is_told():
    finding = raised_finding(Raised("ValueError", "secret", 12, "x (5, 7)"), signature=SIGNATURE, is_shown=False)

    assert "ValueError" in finding.title.en
    assert not any(word in str(finding) for word in ("secret", "12", "(5, 7)"))


def test_every_known_fault_has_a_phrase_and_only_misunderstandings_are_no_try():
    assert all(phrase(f"code.{fault.name}") for fault in KNOWN)
    assert {fault.slug for fault in KNOWN if not fault.is_counted} == {"import", "input"}
    assert known_fault(Raised("KeyError", "'d'", 1)) is None
