"""Marking shapes: of each asked array, in letters or in numbers; and what a wrong shape was taken for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from grader.derivation.graph import Derivation
from grader.derivation.operations import Shape
from grader.derivation.typeset import letters, symbol
from grader.marking.items import ShapeItem
from grader.marking.mark import CellState, FieldMark, FieldState, Finding, Mark, remark, verdict_for
from grader.marking.phrases import phrase
from grader.marking.points import share
from grader.marking.response import Problem, RawResponse, ResponseError, refuse
from grader.marking.shape_text import Size, Sizes, parse_shape

TRANSPOSED, LENGTH_IN_PARAMETER, HEADS_MULTIPLY, KEEPS_SUMMED, OF_OTHER_ARRAY = SHAPE_SLIPS = (
    "shape_transposed",
    "shape_length_in_parameter",
    "heads_multiply_width",
    "shape_keeps_summed",
    "shape_of_other_array",
)
# Learned parameters are told from activations by their letters, as the glossary has them.
PARAMETERS = ("W", "b")
# A size that no array has, but that tells how many heads share the width of the model.
HEADS = "n_heads"


def mark_shape(item: ShapeItem, raw_response: RawResponse) -> Mark:
    """Every asked shape earns its share. Raises ResponseError where a shape is not understood."""
    typed = read_shapes(item, raw_response)
    judge = _Judge(item, {name: resolve(item.derivation, sizes) for name, sizes in item.derivation.shapes().items()})
    marks = tuple(judge.field(name, typed.get(name)) for name in item.asks)
    right = sum(mark.state is FieldState.RIGHT for mark in marks)
    score = share(item.max_score, right, len(marks))
    findings = tuple(judge.finding(mark.name, typed[mark.name]) for mark in marks if mark.state is FieldState.WRONG)
    return Mark(verdict_for(score, item.max_score), score, item.max_score, marks, findings)


def read_shapes(item: ShapeItem, raw_response: RawResponse) -> dict[str, Sizes]:
    """The filled-in shapes by name of the array; one left blank is absent. Raises ResponseError."""
    fields = raw_response.get("fields")
    if not isinstance(fields, Mapping):
        raise refuse("form", expected='{"fields": {"…": "[…]"}}')
    typed: dict[str, Sizes] = {}
    problems: list[Problem] = []
    for name, value in fields.items():
        if name not in item.asks:
            raise refuse("unknown_field", field=str(name)[:40])
        text = _text(value)
        try:
            typed |= {name: parse_shape(text, letters_of(item.derivation), at=name)} if text.strip() else {}
        except ResponseError as error:
            problems += error.problems
    if problems:
        raise ResponseError(problems)
    if not typed:
        raise refuse("nothing")
    return typed


def letters_of(derivation: Derivation) -> tuple[str, ...]:
    """Every letter of the derivation's shapes, each once."""
    return tuple(dict.fromkeys(letter for given in derivation.givens for letter in given.shape))


def resolve(derivation: Derivation, sizes: Sizes | Shape) -> Sizes:
    """The sizes with a number in the place of each letter that has one."""
    numbers: Mapping[Size, int] = dict(derivation.sizes)
    return tuple(numbers.get(size, size) for size in sizes)


def shape_tex(sizes: Sizes | Shape) -> str:
    """A shape as TeX, written as the lessons write it: [768, S]."""
    return f"[{', '.join(map(_size_tex, sizes))}]"


def _size_tex(size: Size) -> str:
    letter, _, index = str(size).partition("_")
    if not index:
        return letter
    return rf"{letter}_{{\text{{{index}}}}}" if len(index) > 1 else f"{letter}_{{{index}}}"


def _text(value: object) -> str:
    """A list of JSON is read as it would be written."""
    if isinstance(value, str):
        return value
    if not isinstance(value, list) or not all(type(size) in {int, str} for size in value):
        raise refuse("form", expected='{"fields": {"…": "[…]"}}')
    return f"[{', '.join(map(str, value))}]"


@dataclass(frozen=True, slots=True)
class _Judge:
    """Holds what was typed against the shapes of all arrays, with numbers for letters wherever the item has them."""

    item: ShapeItem
    shapes: Mapping[str, Sizes]

    def field(self, name: str, typed: Sizes | None) -> FieldMark:
        if typed is None:
            state = FieldState.BLANK
        else:
            is_right = resolve(self.item.derivation, typed) == self.shapes[name]
            state = FieldState.RIGHT if is_right else FieldState.WRONG
        return FieldMark(name, state, ((CellState(state),),))

    def finding(self, name: str, typed: Sizes) -> Finding:
        """What a wrong shape was taken for, or where to look again."""
        words = {"used": shape_tex(typed), "array": symbol(name)}
        for slug, more in self._slips(name, resolve(self.item.derivation, typed)):
            named = self.item.misconceptions[slug]
            return Finding(slug, named.title, named.explanation.fill(**words, **more), name, is_misconception=True)
        text = phrase("remark.shape_wrong_given", **words)
        if name in {step.name for step in self.item.derivation.steps}:
            text = phrase("remark.shape_wrong", **words, formula=letters(self.item.derivation.step(name)))
        return remark("shape_wrong", phrase("remark.shape_wrong_title"), text, field=name)

    def _slips(self, name: str, typed: Sizes) -> Iterator[tuple[str, dict[str, str]]]:
        """Every slip that gives the typed shape, the most telling first, with what its words need."""
        if typed[::-1] == self.shapes[name]:
            yield TRANSPOSED, {}
        lengths = self._lengths() if name.startswith(PARAMETERS) else set()
        yield from ((LENGTH_IN_PARAMETER, {"size": _size_tex(size)}) for size in typed if size in lengths)
        if self._is_multiplied(name, typed):
            yield HEADS_MULTIPLY, {}
        summed = self._summed(name)
        yield from ((KEEPS_SUMMED, {"size": _size_tex(size)}) for size in typed if size in summed)
        yield from (
            (OF_OTHER_ARRAY, {"other": symbol(other)}) for other, sizes in self.shapes.items() if sizes == typed
        )

    def _is_multiplied(self, name: str, typed: Sizes) -> bool:
        """Whether sizes of the right shape were multiplied by the number of heads, as if each were as wide as the model."""
        heads = dict(self.item.derivation.sizes).get(HEADS, 1)
        right = self.shapes[name]
        return len(typed) == len(right) and all(
            size == expected or (isinstance(expected, int) and size == expected * heads)
            for size, expected in zip(typed, right, strict=True)
        )

    def _lengths(self) -> set[Size]:
        """The sizes that grow with the sequence: no learned parameter has them."""
        learned = {size for name, sizes in self.shapes.items() if name.startswith(PARAMETERS) for size in sizes}
        return {size for sizes in self.shapes.values() for size in sizes} - learned

    def _summed(self, name: str) -> set[Size]:
        """The sizes that a step adds up over, so that they are gone from its result."""
        arguments = (step.arguments for step in self.item.derivation.steps if step.name == name)
        taken = {size for names in arguments for argument in names for size in self.shapes[argument]}
        return taken - set(self.shapes[name])
