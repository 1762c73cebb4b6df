"""Naming a mistake: which slip of the derivation gives the numbers that the learner gave."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grader.attention.projection import Array
from grader.derivation.graph import Ask, Derivation, Values
from grader.derivation.slips import Slip, before, outcome, slip_pairs
from grader.derivation.tolerance import half_unit, tolerances
from grader.derivation.typeset import letters, number
from grader.derivation.variants import slip_classes
from grader.marking.closeness import is_close
from grader.marking.items import Item
from grader.marking.mark import Finding, remark
from grader.marking.phrases import phrase
from grader.marking.slip_finder import Accident, Found

# More half units than rounding on the way can add up to.
FAR_OFF = 1_000


def matching_slip(derivation: Derivation, givens: Values, known: Values, ask: Ask, typed: Array) -> Slip | None:
    """The slip whose outcome the typed field equals, worked from the learner's own earlier values or from the exact ones.

    Rounding can move one slip's outcome as far as another's exact one, so of several that fit the nearest is named.
    """
    for put_in in (known, {}) if known else ({},):
        right = derivation.evaluate(givens, known=put_in)
        to_run = _steps_to_run(derivation, put_in, ask)
        fitting = {
            distance: slip
            for slip in reversed(slip_classes(derivation))
            if _makes(slip, to_run)
            for settled in [{**before(derivation, slip, right), **put_in}]
            if (distance := _distance(derivation, slip, givens, settled, ask, typed)) < np.inf
        }
        if fitting:
            return fitting[min(fitting)]
    return None


def matching_pair(derivation: Derivation, givens: Values, known: Values, ask: Ask, typed: Array) -> tuple[Slip, ...]:
    """The two slips that together give the typed field; none unless all pairs that fit are the same two mistakes."""
    right = derivation.evaluate(givens, known=known)
    to_run = _steps_to_run(derivation, known, ask)
    found = [
        (first, second)
        for first, second in slip_pairs(derivation)
        if _makes(first, to_run) and _makes(second, to_run)
        for settled in [{**before(derivation, first, right), **known}]
        if _distance(first.put_into(derivation), second, givens, settled, ask, typed) < np.inf
    ]
    return found[0] if len({(first.slug, second.slug) for first, second in found}) == 1 else ()


def _steps_to_run(derivation: Derivation, known: Values, ask: Ask) -> set[str]:
    """The steps up to the field that are not taken over: no other can be what went wrong."""
    names = [step.name for step in derivation.steps]
    return set(names[: names.index(ask.name) + 1]) - known.keys()


def _makes(slip: Slip, to_run: set[str]) -> bool:
    return any(step.name in to_run for step in slip.steps)


def _distance(derivation: Derivation, slip: Slip, givens: Values, known: Values, ask: Ask, typed: Array) -> float:
    """How far the typed numbers lie from those that the derivation gives with the slip in it; infinity if it is too far."""
    wrong = outcome(derivation, slip, givens, known=known)
    if wrong is None or not ask.is_in(wrong[ask.name]):
        return np.inf
    got = ask.pick(wrong[ask.name])
    if not is_close(typed, got, FAR_OFF * half_unit(ask)):  # tolerances are dear; what is this far off needs none
        return np.inf
    with np.errstate(all="ignore"):  # a slip that leaps may do so to infinity
        allowed = tolerances(slip.put_into(derivation), givens, known=known, values=wrong)
    return float(np.abs(typed - got).max()) if is_close(typed, got, allowed[ask.name]) else np.inf


def name_slip(item: Item, derivation: Derivation, slip: Slip, *, field: str) -> Finding:
    """The slip in words: what was computed, and what the question asks for."""
    misconception = item.misconceptions[slip.slug]
    asked = derivation.step(slip.wrong.name)
    return Finding(
        slug=slip.slug,
        title=misconception.title,
        text=misconception.explanation.fill(used=letters(slip.wrong), asked=letters(asked)),
        field=field,
        is_misconception=True,
    )


def name_accidents(item: Item, found: Found, *, field: str, is_column: bool) -> Iterator[Finding]:
    """Each accident in words: by name if it is certain, else as a question that counts as no misconception."""
    for accident in found.accidents:
        details = _details(accident, is_column=is_column)
        if found.is_certain:
            named = item.misconceptions[accident.slug]
            yield Finding(accident.slug, named.title, named.explanation.fill(**details), field, is_misconception=True)
        else:
            yield remark(
                "maybe", phrase("remark.maybe_title"), phrase(f"remark.maybe_{accident.slug}", **details), field=field
            )


def _details(accident: Accident, *, is_column: bool) -> dict[str, str]:
    row, column = _place(accident.cell, is_column=is_column)
    other_row, other_column = _place(accident.other or accident.cell, is_column=is_column)
    return {
        "row": row,
        "column": column,
        "term": number(accident.term),
        "other_row": other_row,
        "other_column": other_column,
    }


def _place(cell: tuple[int, ...], *, is_column: bool) -> tuple[str, str]:
    """Row and column on the page, counting from 1; a vector is laid out by the convention."""
    if len(cell) == 1:
        cell = (*cell, 0) if is_column else (0, *cell)
    return str(cell[0] + 1), str(cell[1] + 1)
