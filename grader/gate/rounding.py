"""Whoever rounds as the item asks must be right.

Two things can stand in the way: words that ask for other decimals than the field does, and a step that nobody asks for
but that a learner has to write down, rounded, on the way. A number that ends after a few decimals is copied as it is;
one that fits no shorter decimal is rounded like the next asked one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from grader.attention.projection import Array
from grader.derivation.graph import Derivation, Values
from grader.derivation.tolerance import ends_early, next_ask
from grader.gate.report import Fault
from grader.marking.entry import on_page
from grader.marking.items import NumericItem
from grader.marking.judge import mark_response
from grader.marking.text import LANGUAGES
from grader.marking.verdict import Verdict

TRIED = 50

_NUMERALS = {
    **dict(zip(("one", "two", "three", "four", "five", "six"), range(1, 7), strict=True)),
    **dict(zip("一二三四五六", range(1, 7), strict=True)),
    "两": 2,
}
_NAMED = re.compile(
    r"(?P<en>\d|one|two|three|four|five|six)\s+decimals?\b|(?P<zh>[\d一二两三四五六])\s*位小数|小数点后\s*(?P<after>[\d一二两三四五六])\s*位",
    re.IGNORECASE,
)


def check_rounding(item: NumericItem, variants: Sequence[Values]) -> Iterator[Fault]:
    """Refuse words that name other decimals, and honest rounding that is marked wrong."""
    asked = {ask.decimals for ask in item.derivation.asks}
    for language in LANGUAGES:
        for number in _decimals_named(item.prompt.in_language(language)):
            if number not in asked:
                fields = ", ".join(f"{ask.name} {ask.decimals}" for ask in item.derivation.asks)
                yield Fault(("prompt", language), f"the words ask for {number} decimals, the fields for {fields}")
    tried = variants[:TRIED]
    wrong = sum(not _is_honest_work_right(item, givens) for givens in tried)
    if wrong:
        yield Fault(
            ("ask",),
            f"whoever rounds {_rounded_unasked(item.derivation, tried)} is wrong on {wrong} of {len(tried)} variants; "
            "ask for it as well, or for fewer decimals after it",
        )


def _decimals_named(words: str) -> Iterator[int]:
    for found in _NAMED.finditer(words):
        (number,) = (part for part in found.groups() if part)
        yield _NUMERALS.get(number.lower()) or int(number)


def _is_honest_work_right(item: NumericItem, givens: Values) -> bool:
    values = _honest(item.derivation, givens)
    fields = {}
    for ask in item.derivation.asks:
        rows = on_page(ask.pick(values[ask.name]), item.convention)
        fields[ask.name] = [[f"{cell:.{ask.decimals}f}" for cell in row] for row in rows]
    variant = {"seed": 0, "values": {name: value.tolist() for name, value in givens.items()}}
    return mark_response(item, variant, {"fields": fields}).verdict is Verdict.CORRECT


def _honest(derivation: Derivation, givens: Values) -> dict[str, Array]:
    """The computation of a learner who writes every step down, rounded, and goes on from what is written."""
    values = dict(givens)
    for step in derivation.steps:
        exact = step.run(values)
        ask = next_ask(derivation, step.name)
        is_copied = ask is None or (ask.name != step.name and ends_early(exact))
        values[step.name] = exact if ask is None or is_copied else np.round(exact, ask.decimals)
    return values


def _rounded_unasked(derivation: Derivation, variants: Sequence[Values]) -> str:
    asked = {ask.name for ask in derivation.asks}
    return " and ".join(
        f"{step.name} to {ask.decimals} decimals"
        for step in derivation.steps
        if step.name not in asked and (ask := next_ask(derivation, step.name))
        if not all(ends_early(derivation.evaluate(givens)[step.name]) for givens in variants)
    )
