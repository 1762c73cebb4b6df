"""Exceptions about shapes: what each says in NumPy's words, and the sizes that it names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from grader.marking.code_outcomes import Raised

_SHAPE = re.compile(r"\((?:[\d,\s]|newaxis)*\)")
_NAMED = re.compile(r"(\w+) (\([\d, ]*\))")
_SIZES = re.compile(r"size (\d+) is different from (\d+)")
NUMBER = "()"
TWO = 2


@dataclass(frozen=True, slots=True)
class NamedShape:
    """A shape as Python writes it, and the learner's name for the array; "" for one that the line only works out."""

    name: str
    shape: str

    def __str__(self) -> str:
        return f"{self.name} {self.shape}".strip()

    @property
    def sizes(self) -> tuple[str, ...]:
        """The sizes, axis by axis."""
        return tuple(re.findall(r"-?\d+", self.shape))


def shape_details(raised: Raised) -> dict[str, str]:
    """What a phrase about shapes may name: the arrays that do not meet, else two sizes that differ, else nothing."""
    shapes = _told(raised) or _named(raised)
    sizes = _SIZES.search(raised.message)
    return {
        "arrays": ", ".join(f"`{shape}`" for shape in shapes),
        "one": sizes[1] if sizes else "",
        "other": sizes[2] if sizes else "",
    }


def broadcast_phrase(raised: Raised) -> str:
    """Which phrase tells that shapes do not meet: it depends on what is known of them."""
    told = _told(raised)
    if len(told) == TWO and _lacks_an_axis(*told):
        return "keepdims"
    if len(told or _named(raised)) >= TWO:
        return "broadcast_arrays"
    return "broadcast_sizes" if _SIZES.search(raised.message) else "broadcast"


def _named(raised: Raised) -> list[NamedShape]:
    """The arrays that the failing line names; a lone number fits everything and explains nothing."""
    return [NamedShape(name, shape) for name, shape in _NAMED.findall(raised.arrays) if shape != NUMBER]


def _told(raised: Raised) -> list[NamedShape]:
    """The shapes of the exception's own text, each with its name where the line has one for it."""
    if not re.search("broadcast|aligned", raised.message):
        return []
    names = {named.shape: named.name for named in reversed(_named(raised))}
    # Of `einsum` the second of each pair is how it laid the array out for itself.
    text = re.sub(r"->\([^)]*\)", "", raised.message)
    shapes = [written(shape) for shape in _SHAPE.findall(text)]
    return [NamedShape(names.get(shape, ""), shape) for shape in shapes if shape != NUMBER]


def written(shape: str) -> str:
    """A shape as Python writes it: NumPy's own texts leave out blanks, and say newaxis for -1."""
    sizes = [size.strip() for size in shape.strip("()").replace("newaxis", "-1").split(",") if size.strip()]
    return f"({', '.join(sizes)}{',' if len(sizes) == 1 else ''})"


def _lacks_an_axis(one: NamedShape, other: NamedShape) -> bool:
    """Whether the second shape is the first without one of its axes, as a sum leaves it."""
    sizes = one.sizes
    return any(other.sizes == (*sizes[:axis], *sizes[axis + 1 :]) for axis in range(len(sizes)))
