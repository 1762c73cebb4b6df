"""The calls that try a learner's function: visible ones fixed, witnesses and hidden ones drawn anew each time.

Numbers that a person will read are drawn from the item's own lists. Hidden ones are moved a little off them, so that two
different computations practically never agree; and a seed is passed over if a mistake that the plan can show would not
show in it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import cycle, islice

import numpy as np

from grader.attention.projection import Array
from grader.derivation.graph import Derivation, Given, Values
from grader.derivation.slips import Slip, slips_of
from grader.marking.case_judges import JUDGES
from grader.marking.closeness import code_tolerance, is_close
from grader.marking.items import CodeCase, CodeItem, names_in
from grader.marking.properties import CaseGroup

WITNESSES = 20
LARGEST_WITNESS_SIZE = 3
# How far hidden numbers lie off the item's own, as a share of them.
OFF = 1 / 8
TRIES = 200
# Draws on which it is tried out once which mistakes the hidden cases can show.
SAMPLES = 3

SlipKey = tuple[str, str, str, str]
Result = tuple[Array, ...]
Stream = random.Random
# An argument of the learner's function, as it is handed over.
Argument = Array | tuple["Argument", ...] | None


class NoTellingCaseError(ValueError):
    """No draw lets the judge tell a right result from a guess: the item's draw is too poor."""


@dataclass(frozen=True, slots=True)
class DrawnCase:
    """One call with its numbers. `expected`, what the function should return from left to right, never enters the sandbox.

    `slips` are the mistakes that these arguments allow.
    """

    plan: CodeCase
    givens: Values
    expected: Result
    returns: tuple[str, ...]
    slips: Mapping[SlipKey, Slip]

    @property
    def group(self) -> CaseGroup:
        """Who may see it."""
        return self.plan.group

    @property
    def is_single(self) -> bool:
        """Whether float32 is among what goes in."""
        return any(form.dtype == "float32" for _, form in self.plan.forms)

    def agrees(self, got: Array, with_value: Array) -> bool:
        """Whether an array that came back on this call equals another as far as its precision goes."""
        return is_close(got, with_value, code_tolerance(got, with_value, is_single=self.is_single))

    def wrong(self, *slips: Slip) -> Result | None:
        """What the slips together give here; None where that raises. It may hold NaN or infinity."""
        derivation = self.plan.derivation
        for slip in slips:
            derivation = slip.put_into(derivation)
        try:
            with np.errstate(all="ignore"):
                values = derivation.evaluate(self.givens)
        except (ValueError, IndexError):  # the shapes of these numbers do not meet
            return None
        return tuple(values[name] for name in self.returns)

    def shows(self, slip: Slip) -> bool:
        """Whether the slip gives anything else than the right result here."""
        return not same_result(self.wrong(slip), self.expected)


@dataclass(frozen=True, slots=True)
class DrawnCases:
    """All calls of one submission. The hidden ones come last, so that nothing of them can be in what is shown."""

    visible: tuple[DrawnCase, ...]
    witnesses: tuple[DrawnCase, ...]
    hidden: tuple[DrawnCase, ...]

    @property
    def in_order(self) -> tuple[DrawnCase, ...]:
        """The calls in the order in which they are made."""
        return (*self.visible, *self.witnesses, *self.hidden)


class CasePlan:
    """What can be worked out of an item's cases once for all submissions."""

    def __init__(self, item: CodeItem) -> None:
        self.item = item
        self._returns = tuple(names_in(item.returns))
        self.visible = tuple(
            self._draw(case, Stream(case.seed)) for case in item.cases if case.group is CaseGroup.VISIBLE
        )
        self._hidden = tuple(case for case in item.cases if case.group is CaseGroup.HIDDEN)
        samples = [case for seed in range(SAMPLES) for case in self._draw_hidden(Stream(seed))]
        self._showable = {key for key in _keys(samples) if not _is_silent(key, samples)}

    def draw(self, seed: int) -> DrawnCases:
        """Every call for a seed. Raises NoTellingCaseError where the item's judge cannot be given a good case."""
        stream = Stream(seed)
        hidden = self._draw_hidden(stream)
        for _ in range(TRIES):
            if self.tells(hidden):
                break
            hidden = self._draw_hidden(stream)
        return DrawnCases(self.visible, self._draw_witnesses(stream), hidden)

    def draw_counted(self, seed: int) -> tuple[DrawnCase, ...]:
        """The calls that decide the mark."""
        drawn = self.draw(seed)
        return (*drawn.visible, *drawn.hidden)

    def tells(self, hidden: tuple[DrawnCase, ...]) -> bool:
        """Whether every mistake that hidden cases can show does show in one of these."""
        unseen = self._showable
        for case in hidden:
            unseen = {key for key in unseen if key not in case.slips or not case.shows(case.slips[key])}
        return not unseen

    def tell_on(self, seed: int) -> bool:
        """Whether the first draw of a seed is good already."""
        return self.tells(self._draw_hidden(Stream(seed)))

    def _draw_hidden(self, stream: Stream) -> tuple[DrawnCase, ...]:
        off = 0.0 if self.item.judge else OFF
        return tuple(self._draw(case, stream, off) for case in self._hidden)

    def _draw_witnesses(self, stream: Stream) -> tuple[DrawnCase, ...]:
        """Tiny calls of every shape and kind that the plan has, the smallest first."""
        if self.item.judge:  # its cases are of the sizes that let the judge tell
            return ()
        kinds = {(case.derivation.givens, case.forms): case for case in self.item.cases}
        drawn = [self._draw_tiny(case, stream) for case in islice(cycle(kinds.values()), WITNESSES)]
        return tuple(sorted(drawn, key=lambda case: sum(value.size for value in case.givens.values())))

    def _draw_tiny(self, case: CodeCase, stream: Stream) -> DrawnCase:
        """A witness; in the case's own sizes where tiny ones do not fit, a width that heads share say."""
        try:
            return self._draw(_tiny(case, stream), stream)
        except ValueError:
            return self._draw(replace(case, group=CaseGroup.WITNESS), stream)

    def _draw(self, case: CodeCase, stream: Stream, off: float = 0.0) -> DrawnCase:
        judge = JUDGES.get(self.item.judge)
        for _ in range(TRIES):
            givens = {given.name: _draw_given(case, given, stream, off) for given in case.derivation.givens}
            values = case.derivation.evaluate(givens)
            expected = tuple(values[name] for name in self._returns)
            if judge is None or judge.is_telling(expected[0]):
                slips = {} if judge else slips_by_key(case.derivation)
                return DrawnCase(case, givens, expected, self._returns, slips)
        raise NoTellingCaseError(f"none of {TRIES} draws lets {self.item.judge} tell a right result from a guess")


def slips_by_key(derivation: Derivation) -> Mapping[SlipKey, Slip]:
    """Every slip of a derivation by what tells it apart, the first of each key."""
    return _slips_by_key(without_numbers(derivation))


def without_numbers(derivation: Derivation) -> Derivation:
    """The derivation without sizes and draws: which slips it allows depends on neither."""
    return replace(derivation, givens=tuple(replace(given, draw=()) for given in derivation.givens), sizes=())


@lru_cache(maxsize=256)
def _slips_by_key(derivation: Derivation) -> Mapping[SlipKey, Slip]:
    found: dict[SlipKey, Slip] = {}
    for slip in slips_of(derivation):
        found.setdefault(slip.key, slip)
    return found


def same_result(one: Result | None, other: Result | None) -> bool:
    """Whether two computations come to the same: to equal arrays, or to an exception both."""
    if one is None or other is None:
        return one is other
    return all(is_close(mine, theirs, code_tolerance(mine, theirs)) for mine, theirs in zip(one, other, strict=True))


def _keys(cases: list[DrawnCase]) -> set[SlipKey]:
    return {key for case in cases for key in case.slips}


def _is_silent(key: SlipKey, cases: list[DrawnCase]) -> bool:
    return not any(key in case.slips and case.shows(case.slips[key]) for case in cases)


def _tiny(case: CodeCase, stream: Stream) -> CodeCase:
    sizes = tuple((letter, 1 + int(stream.random() * LARGEST_WITNESS_SIZE)) for letter, _ in case.derivation.sizes)
    return replace(case, group=CaseGroup.WITNESS, derivation=replace(case.derivation, sizes=sizes))


def _draw_given(case: CodeCase, given: Given, stream: Stream, off: float) -> Array:
    """The numbers of one array, as the derivation computes with them: those that its dtype can hold."""
    size = case.derivation.size(given)
    dtype = case.form(given.name).dtype
    moved = off if dtype.startswith("float") else 0.0
    numbers = [
        given.draw[int(stream.random() * len(given.draw))] * (1 + moved * stream.random())
        for _ in range(int(np.prod(size, dtype=int)))
    ]
    drawn = np.array(numbers).reshape(size)
    if dtype == "bool" and any(given.draw):
        _let_look_somewhere(drawn, stream)
    return drawn.astype(dtype).astype(np.float64)


def _let_look_somewhere(mask: Array, stream: Stream) -> None:
    """In every row that would hide all keys one is shown: what then comes out is a rule of its own, tried by its own case."""
    for row in mask.reshape(-1, mask.shape[-1]):
        if not row.any():
            row[int(stream.random() * len(row))] = 1


def arguments_of(item: CodeItem, case: CodeCase, givens: Values) -> tuple[Argument, ...]:
    """What the function is called with, in the order of its parameters; None where the case leaves one out."""
    pairs = dict(item.pairs)

    def argument(name: str) -> Argument:
        if name in pairs:
            parts = tuple(map(argument, pairs[name]))
            return None if any(part is None for part in parts) else parts
        return givens[name].astype(case.form(name).dtype) if name in givens else None

    return tuple(map(argument, item.parameters))
