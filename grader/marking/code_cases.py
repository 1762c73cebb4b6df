"""The calls that try a learner's function: visible ones fixed, witnesses and hidden ones drawn anew each time.

Numbers that a person will read are drawn from the item's own lists. Hidden ones are moved a little off them, so that two
different computations practically never agree; and a seed is passed over if a mistake that the plan can show would not
show in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import cycle, islice

import numpy as np

from grader.attention.projection import Array
from grader.derivation.graph import Derivation, Values
from grader.derivation.slips import Slip, before, slips_of
from grader.marking.case_judges import JUDGES
from grader.marking.closeness import code_tolerance, is_close
from grader.marking.code_draws import Stream, draw_givens
from grader.marking.code_turns import Turns
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
# An argument of the learner's function, as it is handed over.
Argument = Array | tuple["Argument", ...] | None


class NoTellingCaseError(ValueError):
    """No draw lets the judge tell a right result from a guess: the item's draw is too poor."""


@dataclass(frozen=True, slots=True)
class PlannedCase:
    """A case of the plan with the mistakes that its arguments allow, which depend on no number."""

    plan: CodeCase
    slips: Mapping[SlipKey, Slip]


@dataclass(frozen=True, slots=True)
class DrawnCase:
    """One call with its numbers. `expected`, what the function should return from left to right, never enters the sandbox.

    `values` are all arrays of the right computation, `slips` the mistakes that these arguments allow.
    """

    plan: CodeCase
    givens: Values
    values: Values
    returns: tuple[str, ...]
    slips: Mapping[SlipKey, Slip]
    _made: dict[tuple[SlipKey, ...], Result | None] = field(default_factory=dict, repr=False, compare=False)

    @property
    def expected(self) -> Result:
        """What the function should return."""
        return tuple(self.values[name] for name in self.returns)

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

    def making(self, *keys: SlipKey) -> Result | None:
        """What a function returns that makes these mistakes: None where it raises, and else perhaps NaN or infinity.

        A mistake that this call does not allow is not made. Worked out once for each call.
        """
        made = tuple(key for key in keys if key in self.slips)
        if made not in self._made:
            self._made[made] = self._wrong([self.slips[key] for key in made]) if made else self.expected
        return self._made[made]

    def _wrong(self, slips: Sequence[Slip]) -> Result | None:
        derivation = self.plan.derivation
        known = before(derivation, slips[0], self.values)
        try:
            with np.errstate(all="ignore"):
                steps = [step for slip in slips for step in slip.steps]
                values = derivation.evaluate(self.givens, known=known, instead=steps)
        except (ValueError, IndexError):  # the shapes of these numbers do not meet
            return None
        return tuple(values[name] for name in self.returns)

    def shows(self, key: SlipKey) -> bool:
        """Whether the mistake gives anything else than the right result here."""
        return not same_result(self.making(key), self.expected)


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
        self._judge = JUDGES.get(item.judge)
        self._returns = tuple(names_in(item.returns))
        planned = [PlannedCase(case, {} if item.judge else _nameable(item, case)) for case in item.cases]
        self.visible = self._draw_in_order([one for one in planned if one.plan.group is CaseGroup.VISIBLE])
        self._hidden = [one for one in planned if one.plan.group is CaseGroup.HIDDEN]
        # One of each kind; a judge's cases are of the sizes that let it tell, so it has no tiny ones.
        kinds = {} if item.judge else {(one.plan.derivation.givens, one.plan.forms): one for one in planned}
        self._tiny = list(islice(cycle(kinds.values()), WITNESSES))
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
            unseen = {key for key in unseen if key not in case.slips or not case.shows(key)}
        return not unseen

    def tell_on(self, seed: int) -> bool:
        """Whether the first draw of a seed is good already."""
        return self.tells(self._draw_hidden(Stream(seed)))

    def _draw_hidden(self, stream: Stream) -> tuple[DrawnCase, ...]:
        return self._draw_in_order(self._hidden, stream, off=0.0 if self._judge else OFF)

    def _draw_in_order(
        self, planned: Sequence[PlannedCase], stream: Stream | None = None, off: float = 0.0
    ) -> tuple[DrawnCase, ...]:
        """One call after the other, each with what an earlier one left for it. Without a stream each has its own."""
        turns, drawn = Turns(), []
        for one in planned:
            turn = one.plan.turn
            case = self._draw(one, stream or Stream(one.plan.seed), off, turns.handed(turn) if turn else {})
            drawn.append(case)
            if turn:
                turns.played(turn, case.values)
        return tuple(drawn)

    def _draw_witnesses(self, stream: Stream) -> tuple[DrawnCase, ...]:
        """Tiny calls of every shape and kind that the plan has, the smallest first."""
        drawn = [self._draw_tiny(one, stream) for one in self._tiny]
        return tuple(sorted(drawn, key=lambda case: sum(value.size for value in case.givens.values())))

    def _draw_tiny(self, planned: PlannedCase, stream: Stream) -> DrawnCase:
        """A witness; in the case's own sizes where tiny ones do not fit, a width that heads share say."""
        try:
            return self._draw(replace(planned, plan=_tiny(planned.plan, stream)), stream)
        except ValueError:
            return self._draw(replace(planned, plan=_witness(planned.plan, planned.plan.derivation)), stream)

    def _draw(self, planned: PlannedCase, stream: Stream, off: float = 0.0, handed: Values | None = None) -> DrawnCase:
        case = planned.plan
        for _ in range(TRIES):
            givens = draw_givens(case, stream, off, handed or {})
            values = case.derivation.evaluate(givens)
            if self._judge is None or self._judge.is_telling(values[self._returns[0]]):
                return DrawnCase(case, givens, values, self._returns, planned.slips)
        raise NoTellingCaseError(f"none of {TRIES} draws lets {self.item.judge} tell a right result from a guess")


def _nameable(item: CodeItem, case: CodeCase) -> dict[SlipKey, Slip]:
    """The mistakes for which the item has words: an old version of it has none for those that were added later."""
    return {key: slip for key, slip in slips_by_key(case.derivation).items() if slip.slug in item.misconceptions}


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
    return not any(key in case.slips and case.shows(key) for case in cases)


def _tiny(case: CodeCase, stream: Stream) -> CodeCase:
    sizes = tuple((letter, 1 + int(stream.random() * LARGEST_WITNESS_SIZE)) for letter, _ in case.derivation.sizes)
    return _witness(case, replace(case.derivation, sizes=sizes))


def _witness(case: CodeCase, derivation: Derivation) -> CodeCase:
    """A call by itself, of whatever sizes."""
    return replace(case, group=CaseGroup.WITNESS, derivation=derivation, turn=None)


def arguments_of(item: CodeItem, case: CodeCase, givens: Values) -> tuple[Argument, ...]:
    """What the function is called with, in the order of its parameters; None where the case leaves one out."""
    pairs = dict(item.pairs)

    def argument(name: str) -> Argument:
        if name in pairs:
            parts = tuple(map(argument, pairs[name]))
            return None if any(part is None for part in parts) else parts
        return givens[name].astype(case.form(name).dtype) if name in givens else None

    return tuple(map(argument, item.parameters))
