"""Which mistake a function makes: the slips of the derivation whose behaviour it shows on call after call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grader.derivation.slips import Slip, slip_pairs
from grader.marking.code_cases import DrawnCase, SlipKey, same_result, without_numbers
from grader.marking.code_outcomes import Outcome, Raised, Returned, Tried, is_finite
from grader.marking.properties import Property
from grader.marking.run_report import CaseState

PairKeys = tuple[SlipKey, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """The slips, one or two, that give what the function gave; and on how many calls that is not the right result."""

    keys: PairKeys
    slips: tuple[Slip, ...]
    calls: int

    def fits(self, tried: Tried) -> bool:
        """Whether it explains this call as well."""
        return _behaves(tried.case, self.keys, tried.outcome)


def explain(tried: Sequence[Tried]) -> Explanation | None:
    """The slip that explains every call; else the one, or the two, that explain every ordinary call.

    A function may divide by the wrong width and overflow as well: extreme numbers, other dtypes and odd shapes then tell
    nothing of the slip.
    """
    reached = [one for one in tried if one.outcome is not None]
    ordinary = [one for one in reached if one.case.plan.property is Property.VALUES]
    return _explain_by(_single(reached), reached) or (
        _explain_by(_single(ordinary), ordinary) or _explain_by(_pairs(ordinary), ordinary)
    )


def _single(tried: Sequence[Tried]) -> dict[PairKeys, None]:
    return dict.fromkeys((key,) for one in tried for key in one.case.slips)


def _pairs(tried: Sequence[Tried]) -> dict[PairKeys, None]:
    derivations = dict.fromkeys(without_numbers(one.case.plan.derivation) for one in tried)
    return dict.fromkeys((first.key, second.key) for each in derivations for first, second in slip_pairs(each))


def _explain_by(candidates: dict[PairKeys, None], tried: Sequence[Tried]) -> Explanation | None:
    """The first candidate that every call agrees with, and that makes at least one call go wrong."""
    for keys in candidates:
        if all(_behaves(one.case, keys, one.outcome) for one in tried):
            shown = [one for one in tried if one.state is CaseState.WRONG and not _is_harmless(one.case, keys)]
            if shown:
                slips = tuple(shown[0].case.slips[key] for key in keys if key in shown[0].case.slips)
                return Explanation(keys, slips, len(shown))
    return None


def _is_harmless(case: DrawnCase, keys: PairKeys) -> bool:
    return same_result(case.making(*keys), case.expected)


def _behaves(case: DrawnCase, keys: PairKeys, outcome: Outcome) -> bool:
    result = case.making(*keys)
    if result is None:
        return isinstance(outcome, Raised)
    if not is_finite(result):
        return isinstance(outcome, Raised) or (isinstance(outcome, Returned) and not is_finite(outcome.values))
    return isinstance(outcome, Returned) and all(
        case.agrees(value, wrong) for value, wrong in zip(outcome.values, result, strict=True)
    )
