"""What makes two wrong answers the same answer, though each learner has other numbers.

An answer to numbers is told by what it is to the right one: so many times it, so much beside it, or off in some cells
alone. Any other answer is the same as one with the same parts on the same variant.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from grader.attention.projection import Array
from grader.derivation.graph import Values
from grader.derivation.typeset import number
from grader.marking.entry import read_answers
from grader.marking.items import ChoiceItem, CodeItem, Item, Line, MatchItem, NumericItem, OrderItem, PredictItem
from grader.marking.mark import FieldState, Mark
from grader.marking.phrases import phrase
from grader.marking.response import RawResponse
from grader.marking.text import Text
from grader.marking.variants import VariantJson, givens_of

# Of two ratios that differ by less, rounding alone can be the cause.
_LOOSE = 0.02


@dataclass(frozen=True, slots=True)
class Likeness:
    """The key that the same answers share, and in words what they are; `field` is the array that is wrong first."""

    key: str
    text: Text
    field: str = ""


def likeness(item: Item, variant: VariantJson, raw_response: RawResponse, mark: Mark) -> Likeness:
    """What the wrong answer has in common with others like it."""
    numeric = item.numeric if isinstance(item, PredictItem) else item
    wrong = [field.name for field in mark.fields if field.state is FieldState.WRONG]
    if isinstance(numeric, NumericItem) and wrong:
        return _of_numbers(numeric, givens_of(variant), raw_response, wrong[0])
    if isinstance(item, CodeItem):
        return _of_code(mark)
    return _as_sent(item, raw_response)


def _of_numbers(item: NumericItem, givens: Values, raw_response: RawResponse, name: str) -> Likeness:
    ask = next(ask for ask in item.derivation.asks if ask.name == name)
    typed = read_answers(item, givens, raw_response)[name].numbers
    right = ask.pick(item.derivation.evaluate(givens)[name])
    told = _relation(typed, right, 10.0**-ask.decimals)
    if told is None:
        shown = np.array2string(np.asarray(typed), separator=", ", max_line_width=10_000)
        return Likeness(f"{name} is {shown}", phrase("alike.values", values=shown), name)
    relation, value = told
    return Likeness(f"{name} {relation} {value}", phrase(f"alike.{relation}", value=value), name)


def _relation(typed: Array, right: Array, unit: float) -> tuple[str, str] | None:
    """The name of the relation and its number, as they are written."""
    off = typed - right
    wrong = np.abs(off) > unit
    if (ratio := _ratio(typed, right, unit)) is not None:
        return "times", number(ratio)
    if typed.size > 1 and wrong.all() and np.ptp(off) <= unit:
        return "beside", number(round(float(off.mean()), 3))
    if wrong.sum() == 1 and typed.size > 1:
        return "one_cell", number(round(float(off[wrong][0]), 3))
    return None


def _ratio(typed: Array, right: Array, unit: float) -> float | None:
    """What every number of the right answer was multiplied by; None where there is no one number, or too little to tell."""
    told = np.abs(right) > unit
    if told.sum() < min(2, right.size):
        return None
    ratios = typed[told] / right[told]
    ratio = float(np.median(ratios))
    rounded = round(ratio, 2)
    fits = np.abs(typed - rounded * right) <= unit + _LOOSE * np.abs(rounded * right)
    return rounded if rounded not in {0.0, 1.0} and fits.all() else None


def _of_code(mark: Mark) -> Likeness:
    """A program by what was found in it first."""
    if not mark.findings:
        return Likeness("nothing found", phrase("alike.nothing_found"))
    first = mark.findings[0]
    return Likeness(f"finding {first.slug}", first.title)


def _as_sent(item: Item, raw_response: RawResponse) -> Likeness:
    parts = {name: value for name, value in raw_response.items() if name != "guess"}
    key = json.dumps(parts, ensure_ascii=False, sort_keys=True)
    if isinstance(item, ChoiceItem):
        return Likeness(key, _joined(option.text for option in item.options if option.key in parts["chosen"]))
    if isinstance(item, MatchItem):
        return Likeness(key, _joined(_pairs(item, parts["pairs"])))
    if isinstance(item, OrderItem):
        lines = {line.key: _line(line) for line in (*item.lines, *item.distractors)}
        return Likeness(key, _joined((lines[each] for each in parts["order"] if each in lines), " → ", " → "))
    words = "; ".join(filter(None, map(_words, parts.values())))
    return Likeness(key, Text(words, words))


def _joined(texts: Iterable[Text], in_chinese: str = "；", in_english: str = "; ") -> Text:
    known = list(texts)
    return Text(in_chinese.join(text.zh_hans for text in known), in_english.join(text.en for text in known))


def _line(line: Line) -> Text:
    return Text(f"`{line.text.zh_hans}`", f"`{line.text.en}`") if line.is_code else line.text


def _pairs(item: MatchItem, pairs: Mapping[str, str]) -> Iterator[Text]:
    """The pairs that are wrong."""
    targets = {target.key: target.text for target in item.targets}
    for entry in item.entries:
        told = targets.get(pairs.get(entry.key, ""))
        if told is not None and pairs[entry.key] != entry.target:
            yield Text(f"{entry.text.zh_hans} → {told.zh_hans}", f"{entry.text.en} → {told.en}")


def _words(value: object) -> str:
    """A part as a reader would say it, without the braces of JSON."""
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {_words(inner)}" for name, inner in value.items())
    if isinstance(value, list):
        return f"[{', '.join(map(_words, value))}]"
    return str(value)
