"""Programs: whether the case plan of a code item shows every mistake, and tells the mistakes from each other.

Besides the item's own cases there are imagined ones, of the same arrays with all sizes equal and with all sizes
different. Two behaviours that differ on an imagined case alone are two computations that the plan does not tell apart:
it lacks a case. Those that agree everywhere are one computation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from grader.derivation.graph import Derivation
from grader.derivation.slips import Slip
from grader.derivation.variants import draw
from grader.gate.numbers import SMALLEST_SHARE
from grader.gate.report import Fault, Findings, SlipClass, describe
from grader.marking.code_cases import CasePlan as Plan
from grader.marking.code_cases import DrawnCase, NoTellingCaseError, Result, SlipKey, same_result, slips_by_key
from grader.marking.items import CodeCase, CodeItem, names_in
from grader.marking.properties import CaseGroup, Property

DRAWS = 3
SEEDS = 40
EQUAL, FIRST_UNEQUAL = 3, 2
# What imagined cases are drawn from, so that a poor draw of the item's own is seen: no number is made of the others.
TELLING = (-1.3, -0.7, 0.45, 0.8, 1.1)

# What comes back on one case after the other; None where the call raises, or gives what is no number.
Behaviour = tuple[Result | None, ...]


@dataclass(frozen=True, slots=True)
class CasePlan:
    """The mistakes of a code item as its cases show them."""

    share: float
    slips: int
    classes: tuple[SlipClass, ...]
    findings: Findings


@dataclass(frozen=True, slots=True)
class _Shown:
    """A slip with what it does on the item's cases and on the imagined ones."""

    slip: Slip
    here: Behaviour
    anywhere: Behaviour


def check_cases(item: CodeItem) -> CasePlan:
    """Refuse a plan that would let a mistake pass, or call one mistake by the name of another."""
    try:
        plan = Plan(item)
    except NoTellingCaseError as error:
        return CasePlan(0, 0, (), Findings((Fault(("given",), str(error)),)))
    share = sum(map(plan.tell_on, range(SEEDS))) / SEEDS
    if share < SMALLEST_SHARE:  # numbers for the hidden cases might never be found
        return CasePlan(share, 0, (), Findings((Fault(("case",), _too_few(share)),)))
    cases = [case for seed in range(DRAWS) for case in plan.draw_counted(seed)]
    imagined = list(_imagined(item))
    shown = [
        _Shown(slip, tuple(_returns(case, key) for case in cases), tuple(_returns(case, key) for case in imagined))
        for key, slip in _slips([*cases, *imagined]).items()
    ]
    right = tuple(case.expected for case in cases)
    unseen = [one for one in shown if _alike(one.here, right)]
    groups = _grouped([one for one in shown if one not in unseen])
    passing = _passing(unseen, imagined)
    faults = (*passing.faults, *_mistakable(groups, imagined))
    classes = tuple(SlipClass(tuple(one.slip for one in group)) for group in groups)
    return CasePlan(share, len(shown), classes, Findings(faults, passing.notes))


def _too_few(share: float) -> str:
    return f"the hidden cases show every mistake on {share:.1%} of {SEEDS} seeds, and on {SMALLEST_SHARE:.0%} it must"


def _passing(unseen: Sequence[_Shown], imagined: Sequence[DrawnCase]) -> Findings:
    """Mistakes that no case tells from the right answer."""
    right = tuple(case.expected for case in imagined)
    faults, notes = [], []
    for one in unseen:
        case = _first_difference(imagined, one.anywhere, right)
        if case is None:
            notes.append(f"{describe(one.slip)} is no mistake here: it gives the right numbers")
        else:
            reason = f"no case tells {describe(one.slip)} from the right answer; one with {case} would"
            faults.append(Fault(("case",), reason))
    return Findings(tuple(faults), tuple(notes))


def _mistakable(groups: Sequence[Sequence[_Shown]], imagined: Sequence[DrawnCase]) -> Iterator[Fault]:
    """Mistakes of different names that no case tells from each other, though they are two computations."""
    for one, other in (pair for group in groups for pair in combinations(group, 2)):
        case = _first_difference(imagined, one.anywhere, other.anywhere)
        if one.slip.slug != other.slip.slug and case is not None:
            reason = f"no case tells {describe(one.slip)} from {describe(other.slip)}; one with {case} would"
            yield Fault(("case",), reason)


def _slips(cases: Sequence[DrawnCase]) -> dict[SlipKey, Slip]:
    """Every slip that some case allows, the first of each key."""
    found: dict[SlipKey, Slip] = {}
    for case in cases:
        found = {**case.slips, **found}
    return found


def _returns(case: DrawnCase, key: SlipKey) -> Result | None:
    """A slip that a case does not allow, one of a bias that is not there say, gives the right answer on it."""
    result = case.making(key)
    return result if result is not None and all(np.isfinite(value).all() for value in result) else None


def _imagined(item: CodeItem) -> Iterator[DrawnCase]:
    """The arrays of every case, and of the item itself, in all sizes equal and all sizes different."""
    plans = {
        tuple((given.name, given.shape) for given in derivation.givens): derivation
        for derivation in (item.derivation, *(case.derivation for case in item.cases))
    }
    for derivation in plans.values():
        letters = list(dict.fromkeys(letter for given in derivation.givens for letter in given.shape))
        for sizes in (dict.fromkeys(letters, EQUAL), {x: FIRST_UNEQUAL + n for n, x in enumerate(letters)}):
            yield from _drawn(item, replace(derivation, sizes=tuple(sizes.items())))


def _drawn(item: CodeItem, derivation: Derivation) -> Iterator[DrawnCase]:
    """The case with its numbers; none where the sizes do not fit, a width that heads share say."""
    masks = {name for case in item.cases for name, form in case.forms if form.dtype == "bool"}
    telling = (
        given if given.name in masks or not given.shape else replace(given, draw=TELLING) for given in derivation.givens
    )
    givens = draw(replace(derivation, givens=tuple(telling)), seed=0)
    try:
        values = derivation.evaluate(givens)
    except ValueError:
        return
    returns = tuple(names_in(item.returns))
    plan = CodeCase(CaseGroup.WITNESS, Property.VALUES, derivation)
    slips = {} if item.judge else slips_by_key(derivation)
    yield DrawnCase(plan, givens, values, returns, slips)


def _grouped(shown: Sequence[_Shown]) -> list[list[_Shown]]:
    groups: list[list[_Shown]] = []
    for one in shown:
        group = next((group for group in groups if _alike(one.here, group[0].here)), None)
        if group is None:
            groups.append([one])
        else:
            group.append(one)
    return groups


def _first_difference(cases: Sequence[DrawnCase], one: Behaviour, other: Behaviour) -> str | None:
    """The arguments of the first case on which two behaviours differ, as shapes; None where they never do."""
    for case, mine, theirs in zip(cases, one, other, strict=True):
        if not same_result(mine, theirs):
            return ", ".join(f"{name} {list(value.shape)}" for name, value in case.givens.items())
    return None


def _alike(one: Behaviour, other: Behaviour) -> bool:
    return all(same_result(mine, theirs) for mine, theirs in zip(one, other, strict=True))
