"""The operations that a derivation may name: functions of the attention core, with their shapes and their formulas.

A shape rule is written as NumPy writes the signature of a generalised universal function: "(...,d),(d,k)->(...,k)" says
that the last size of the first array is the first of the second. `...` stands for any leading sizes, the same each time,
and () for a single number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from grader.attention.attention import (
    causal_softmax,
    dot_logits,
    dot_logits_columns,
    mix,
    mix_columns,
    scale_logits,
    scale_logits_columns,
)
from grader.attention.heads import attend_by_heads
from grader.attention.kv_cache import append_column, append_row
from grader.attention.projection import Array, project_columns, project_rows
from grader.attention.softmax import masked_softmax, softmax

Shape = tuple[str, ...]


class ShapeError(ValueError):
    """Arrays of these symbolic shapes do not fit the operation."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One function of the core. `letters` holds {0}, {1}, … for the symbols of its arguments.

    `letters_with_all` is its formula when it gets the argument that may be left out: a bias, a mask, an axis.
    `leaps_in` is the place of an argument of which a hair more or less can change the result by far: a choice of the
    largest, a sign, a division by what may be zero. Nothing in the core leaps; a slip may.
    """

    name: str
    forward: Callable[..., Array]
    signatures: tuple[str, ...]
    letters: str
    letters_with_all: str = ""
    leaps_in: int | None = None

    def shape(self, arguments: Sequence[Shape]) -> Shape:
        """The symbolic shape of the result. Raises ShapeError where no signature fits."""
        for signature in self.signatures:
            shape = _fit(signature, arguments)
            if shape is not None:
                return shape
        given = ", ".join("(" + ", ".join(shape) + ")" for shape in arguments)
        raise ShapeError(f"{self.name} takes {' or '.join(self.signatures)}, not {given}")


def _fit(signature: str, arguments: Sequence[Shape]) -> Shape | None:
    """The result's shape if the arguments fit the signature, else None."""
    inputs, output = signature.split("->")
    patterns = [tuple(filter(None, part.strip("()").split(","))) for part in inputs.split("),(")]
    if len(patterns) != len(arguments):
        return None
    bound: dict[str, Shape] = {}
    for pattern, shape in zip(patterns, arguments, strict=True):
        if not _bind(pattern, shape, bound):
            return None
    return tuple(size for letter in output.strip("()").split(",") for size in _sizes(letter, bound))


def _sizes(letter: str, bound: Mapping[str, Shape]) -> Shape:
    """What an output letter stands for: what it was bound to, one more than that ("S+1"), or itself ("1")."""
    stem, plus, more = letter.partition("+")
    return (f"{bound[stem][0]}{plus}{more}",) if plus else bound.get(letter, (letter,))


def _bind(pattern: Shape, shape: Shape, bound: dict[str, Shape]) -> bool:
    """Note what each letter of the pattern stands for; False where it already stands for something else."""
    leading = len(shape) - len(pattern) + 1
    if pattern and pattern[0] == "...":
        if leading < 0:
            return False
        parts = [shape[:leading], *((size,) for size in shape[leading:])]
    else:
        parts = [(size,) for size in shape]
    if len(parts) != len(pattern):
        return False
    return all(bound.setdefault(letter, part) == part for letter, part in zip(pattern, parts, strict=True))


# The numbers of a derivation are all floats; a whole number or a truth among them becomes one here.


def _softmax(logits: Array, axis: Array | int = -1) -> Array:
    return softmax(logits, axis=int(axis))


def _masked_softmax(logits: Array, mask: Array | None = None) -> Array:
    return softmax(logits) if mask is None else masked_softmax(logits, np.asarray(mask, dtype=bool))


def _attend_by_heads(Q: Array, K: Array, V: Array, n_heads: Array) -> Array:
    return attend_by_heads(Q, K, V, int(n_heads))


OPERATIONS = (
    Operation(
        name="project_rows",
        forward=project_rows,
        signatures=("(...,d),(d,k)->(...,k)", "(...,d),(d,k),(k)->(...,k)"),
        letters="{0} {1}",
        letters_with_all="{0} {1} + {2}",
    ),
    Operation(
        name="project_columns",
        forward=project_columns,
        signatures=("(k,d),(d)->(k)", "(k,d),(d,S)->(k,S)", "(k,d),(d),(k)->(k)", "(k,d),(d,S),(k)->(k,S)"),
        letters="{0} {1}",
        letters_with_all="{0} {1} + {2}",
    ),
    Operation(
        name="dot_logits",
        forward=dot_logits,
        signatures=("(k),(K,k)->(K)", "(...,Q,k),(...,K,k)->(...,Q,K)"),
        letters=r"{0} {1}^{{\top}}",
    ),
    Operation(
        name="dot_logits_columns",
        forward=dot_logits_columns,
        signatures=("(k,Q),(k,K)->(Q,K)",),
        letters=r"{0}^{{\top}} {1}",
    ),
    Operation(
        name="scale_logits",
        forward=scale_logits,
        signatures=("(K),(K,d)->(K)", "(...,Q,K),(...,K,d)->(...,Q,K)"),
        letters=r"{0} / \sqrt{{d_{{{1}}}}}",
    ),
    Operation(
        name="scale_logits_columns",
        forward=scale_logits_columns,
        signatures=("(K),(d,K)->(K)", "(Q,K),(d,K)->(Q,K)"),
        letters=r"{0} / \sqrt{{d_{{{1}}}}}",
    ),
    Operation(
        name="softmax",
        forward=_softmax,
        signatures=("(...,K)->(...,K)", "(...,K),()->(...,K)"),
        letters=r"\operatorname{{softmax}}({0})",
        letters_with_all=r"\operatorname{{softmax}}_{{{1}}}({0})",
    ),
    Operation(
        name="masked_softmax",
        forward=_masked_softmax,
        signatures=("(...,K)->(...,K)", "(...,Q,K),(Q,K)->(...,Q,K)"),
        letters=r"\operatorname{{softmax}}({0})",
        letters_with_all=r"\operatorname{{softmax}}_{{{1}}}({0})",
    ),
    Operation(
        name="causal_softmax",
        forward=causal_softmax,
        signatures=("(...,Q,K)->(...,Q,K)",),
        letters=r"\operatorname{{softmax}}_{{j \le i}}({0})",
    ),
    Operation(
        name="mix",
        forward=mix,
        signatures=("(K),(K,v)->(v)", "(...,Q,K),(...,K,v)->(...,Q,v)"),
        letters="{0} {1}",
    ),
    Operation(
        name="mix_columns",
        forward=mix_columns,
        signatures=("(v,K),(Q,K)->(v,Q)",),
        letters=r"{0} {1}^{{\top}}",
    ),
    Operation(
        name="attend_by_heads",
        forward=_attend_by_heads,
        signatures=("(Q,w),(K,w),(K,v),()->(Q,v)",),
        letters=r"\operatorname{{heads}}({0}, {1}, {2})",
    ),
    Operation(
        name="append_row",
        forward=append_row,
        signatures=("(k)->(1,k)", "(S,k),(k)->(S+1,k)", "(S,k),(1,k)->(S+1,k)"),
        letters=r"({0})",
        letters_with_all=r"({0} ; {1})",
    ),
    Operation(
        name="append_column",
        forward=append_column,
        signatures=("(k,S),(k,1)->(k,S+1)",),
        letters=r"({0} , {1})",
    ),
)

OPERATION_BY_NAME = {operation.name: operation for operation in OPERATIONS}
