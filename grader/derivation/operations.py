"""The operations that a derivation may name: functions of the attention core, with their shapes and their formulas.

A shape rule is written as NumPy writes the signature of a generalised universal function: "(...,d),(d,k)->(...,k)" says
that the last size of the first array is the first of the second. `...` stands for any leading sizes, the same each time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader.attention.attention import (
    causal_softmax,
    dot_logits,
    dot_logits_columns,
    mix,
    mix_columns,
    scale_logits,
    scale_logits_columns,
)
from grader.attention.projection import Array, project_columns, project_rows
from grader.attention.softmax import softmax

Shape = tuple[str, ...]


class ShapeError(ValueError):
    """Arrays of these symbolic shapes do not fit the operation."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One function of the core. `letters` holds {0}, {1}, … for the symbols of its arguments."""

    name: str
    forward: Callable[..., Array]
    signatures: tuple[str, ...]
    letters: str
    letters_with_bias: str = ""

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
    patterns = [tuple(part.strip("()").split(",")) for part in inputs.split("),(")]
    if len(patterns) != len(arguments):
        return None
    bound: dict[str, Shape] = {}
    for pattern, shape in zip(patterns, arguments, strict=True):
        if not _bind(pattern, shape, bound):
            return None
    return tuple(size for letter in output.strip("()").split(",") for size in bound[letter])


def _bind(pattern: Shape, shape: Shape, bound: dict[str, Shape]) -> bool:
    """Note what each letter of the pattern stands for; False where it already stands for something else."""
    leading = len(shape) - len(pattern) + 1
    if pattern[0] == "...":
        if leading < 0:
            return False
        parts = [shape[:leading], *((size,) for size in shape[leading:])]
    else:
        parts = [(size,) for size in shape]
    if len(parts) != len(pattern):
        return False
    return all(bound.setdefault(letter, part) == part for letter, part in zip(pattern, parts, strict=True))


OPERATIONS = (
    Operation(
        name="project_rows",
        forward=project_rows,
        signatures=("(...,d),(d,k)->(...,k)", "(...,d),(d,k),(k)->(...,k)"),
        letters="{0} {1}",
        letters_with_bias="{0} {1} + {2}",
    ),
    Operation(
        name="project_columns",
        forward=project_columns,
        signatures=("(k,d),(d)->(k)", "(k,d),(d,S)->(k,S)", "(k,d),(d),(k)->(k)", "(k,d),(d,S),(k)->(k,S)"),
        letters="{0} {1}",
        letters_with_bias="{0} {1} + {2}",
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
        forward=softmax,
        signatures=("(...,K)->(...,K)",),
        letters=r"\operatorname{{softmax}}({0})",
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
)

OPERATION_BY_NAME = {operation.name: operation for operation in OPERATIONS}
