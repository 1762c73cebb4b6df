"""The failing case that a learner wrote: arguments on which a faulty program goes wrong.

What came back is a stranger's: it is held to the derivation's shapes and to small finite numbers before anything is worked
out on it.
"""

from __future__ import annotations

import numpy as np

from grader.derivation.graph import Values
from grader.derivation.slips import outcome as slip_outcome
from grader.marking.closeness import code_tolerance, is_close
from grader.marking.code_faults import raised_finding
from grader.marking.code_outcomes import Outcome, Raised, Returned
from grader.marking.items import Bug, CodeItem
from grader.marking.mark import Finding, remark
from grader.marking.phrases import phrase
from grader.marking.text import Text

LARGEST_SIZE = 8


def judge_example(item: CodeItem, outcome: Outcome) -> Finding | None:
    """What is wrong with the learner's example; None where nothing is, or none was asked."""
    if item.bug is None or outcome is None:
        return None if item.bug is None else _example(phrase("code.example_missing", function=item.bug.shown_by))
    if isinstance(outcome, Raised):
        return raised_finding(outcome, signature=f"{item.bug.shown_by}()", is_shown=True)
    if not isinstance(outcome, Returned):
        arguments = ", ".join(item.parameters)
        return _example(phrase("code.example_form", function=item.bug.shown_by, arguments=arguments, got=outcome.kind))
    names = (part for name in item.parameters for part in dict(item.pairs).get(name, (name,)))
    givens = {name: value.astype(np.float64) for name, value in zip(names, outcome.values, strict=True)}
    refusal = _misfit(item, givens)
    if refusal is not None:
        return _example(refusal)
    return None if _shows(item, item.bug, givens) else _example(phrase("code.example_silent"))


def _example(text: Text) -> Finding:
    return remark("code_example", phrase("code.example_title"), text)


def _misfit(item: CodeItem, givens: Values) -> Text | None:
    """What does not fit; sizes are bound letter by letter."""
    bound: dict[str, int] = {}
    for given in item.derivation.givens:
        value = givens[given.name]
        details = {"name": given.name, "shape": str(value.shape), "letters": f"({', '.join(given.shape)})"}
        if value.ndim != len(given.shape):
            return phrase("code.example_shape", **details)
        for letter, size in zip(given.shape, value.shape, strict=True):
            if bound.setdefault(letter, size) != size:
                return phrase("code.example_sizes", letter=letter, one=str(bound[letter]), other=str(size))
            if not 1 <= size <= LARGEST_SIZE:
                return phrase("code.example_large", limit=str(LARGEST_SIZE), **details)
        if not np.isfinite(value).all():
            return phrase("code.example_not_finite", **details)
    return None


def _shows(item: CodeItem, bug: Bug, givens: Values) -> bool:
    """Whether the faulty program comes to another result on these arguments, or to none."""
    asked = item.derivation.asks[0].name
    with np.errstate(all="ignore"):
        right = item.derivation.evaluate(givens)[asked]
        wrong = slip_outcome(item.derivation, bug.slip, givens)
    if not np.isfinite(right).all():
        return False
    return wrong is None or not is_close(wrong[asked], right, code_tolerance(right, right))
