"""Marking numbers worked out by hand.

A field is right if it fits the exact values, or if it fits the derivation continued from the learner's own earlier
fields: one wrong step costs one step. What fits neither is held against every slip of the derivation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from grader.attention.projection import Array
from grader.derivation.graph import Ask, Values
from grader.derivation.tolerance import HAIR, tolerances
from grader.derivation.typeset import letters
from grader.marking.closeness import close_cells
from grader.marking.diagnosis import matching_pair, matching_slip, name_accidents, name_slip
from grader.marking.entry import Answer, on_page, read_answers
from grader.marking.items import Convention, NumericItem
from grader.marking.mark import CellState, FieldMark, FieldState, Finding, Mark, remark, verdict_for
from grader.marking.phrases import phrase
from grader.marking.points import rounded
from grader.marking.response import RawResponse
from grader.marking.slip_finder import Found, find_accidents

States = NDArray[np.str_]


def mark_numeric(item: NumericItem, givens: Values, raw_response: RawResponse) -> Mark:
    """Judge every field of a response. Raises ResponseError where it is not understood, which counts as no try."""
    answers = read_answers(item, givens, raw_response)
    exact = item.derivation.evaluate(givens)
    judge = _Judge(item, givens, exact, tolerances(item.derivation, givens, values=exact))
    marks = tuple(judge.field(ask, answers.get(ask.name)) for ask in item.derivation.asks)
    score = _score(item.max_score, marks)
    return Mark(verdict_for(score, item.max_score), score, item.max_score, marks, tuple(judge.findings))


def _score(max_score: Decimal, marks: Sequence[FieldMark]) -> Decimal:
    """A chain is scored by steps; a single field by its cells."""
    if len(marks) == 1:
        cells = [cell for row in marks[0].cells for cell in row]
        share = Decimal(cells.count(CellState.RIGHT)) / len(cells)
    else:
        share = Decimal(sum(mark.state in {FieldState.RIGHT, FieldState.FOLLOWS} for mark in marks)) / len(marks)
    return rounded(max_score * share)


@dataclass(slots=True)
class _Judge:
    """Goes through the fields in the order of the derivation.

    `exact` are all right values, `allowed` their tolerances. `put_in` are the learner's wrong values so far. `settled` are all that were filled in, the right ones exact: a slip
    at a step that is settled cannot be what went wrong later.
    """

    item: NumericItem
    givens: Values
    exact: Values
    allowed: Values
    put_in: dict[str, Array] = field(default_factory=dict)
    settled: dict[str, Array] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def field(self, ask: Ask, answer: Answer | None) -> FieldMark:
        """Judge one field, and remember what later fields and the learner need to know of it."""
        exact = ask.pick(self.exact[ask.name])
        if answer is None:
            return self._field_mark(ask, FieldState.BLANK, np.full(exact.shape, CellState.BLANK))
        right = close_cells(answer.numbers, exact, self.allowed[ask.name])
        if right.all():
            self.settled[ask.name] = self.exact[ask.name]
            return self._field_mark(ask, FieldState.RIGHT, _states(right))
        continued, allowed = self._continued(self.put_in)
        follows = close_cells(answer.numbers, ask.pick(continued[ask.name]), allowed[ask.name])
        earlier = dict(self.settled)
        self.put_in[ask.name] = self.settled[ask.name] = ask.put(answer.numbers, continued[ask.name])
        if follows.all():
            self._say(ask, "follows")
            return self._field_mark(ask, FieldState.FOLLOWS, _states(follows))
        return self._wrong(ask, answer, right | follows, earlier)

    def _continued(self, known: Values) -> tuple[Values, Values]:
        """All values and tolerances where the learner's own numbers stand in for some steps."""
        if not known:
            return self.exact, self.allowed
        values = self.item.derivation.evaluate(self.givens, known=known)
        return values, tolerances(self.item.derivation, self.givens, known=known, values=values)

    def _wrong(self, ask: Ask, answer: Answer, right: NDArray[np.bool_], earlier: Values) -> FieldMark:
        derivation = self.item.derivation
        slip = matching_slip(derivation, self.givens, earlier, ask, answer.numbers)
        slips = (slip,) if slip else matching_pair(derivation, self.givens, earlier, ask, answer.numbers)
        states = _states(right)
        # An old version of an item has no words for mistakes that were added later.
        if slips and all(slip.slug in self.item.misconceptions for slip in slips):
            self.findings += [name_slip(self.item, derivation, slip, field=ask.name) for slip in slips]
        elif (rounding := self._rounding(ask, answer, right)) is not None:
            states[~right] = CellState.ROUNDED_EARLY
            self._say(ask, rounding, title="rounding_title", decimals=str(ask.decimals))
        elif (accidents := self._accidents(ask, answer, earlier)) is not None:
            is_column = self.item.convention is Convention.COLUMN
            self.findings += name_accidents(self.item, accidents, field=ask.name, is_column=is_column)
        else:
            step = derivation.step(ask.name)
            counts = {"right": str(int(right.sum())), "total": str(right.size)}
            self._say(ask, "unexplained_cells", title="unexplained_title", formula=letters(step), **counts)
        return self._field_mark(ask, FieldState.WRONG, states)

    def _accidents(self, ask: Ask, answer: Answer, earlier: Values) -> Found | None:
        """What small accident explains the field, worked from the learner's own earlier values or from the exact ones."""
        step = self.item.derivation.step(ask.name)
        for known in (earlier, {}) if earlier else ({},):
            values, allowed = self._continued(known)
            found = find_accidents(step, values, ask, answer.numbers, allowed[ask.name])
            if found is not None:
                return found
        return None

    def _rounding(self, ask: Ask, answer: Answer, right: NDArray[np.bool_]) -> str | None:
        """The phrase for a field whose only fault is how its numbers were rounded, else None.

        To one decimal at least: 2 for 2.5 is a slip and 1 for 0.7 another answer, while 2 for 1.9991 lost its zeros.
        """
        exact = ask.pick(self.exact[ask.name])
        unit = 10.0**-ask.decimals
        cut_off = np.trunc(exact / unit + np.copysign(HAIR, exact)) * unit
        if (right | (np.abs(answer.numbers - cut_off) <= HAIR)).all():
            return "rounding_cut"
        typed = [ask.decimals if places is None else min(max(places, 1), ask.decimals) for places in answer.decimals]
        units = 10.0 ** -np.array(typed, dtype=float).reshape(exact.shape)
        if (right | (np.abs(answer.numbers - exact) <= units / 2 + HAIR)).all():
            return "rounding_few"
        return None

    def _say(self, ask: Ask, name: str, *, title: str = "", **values: str) -> None:
        heading = phrase(f"remark.{title or name + '_title'}")
        self.findings.append(remark(name, heading, phrase(f"remark.{name}", **values), field=ask.name))

    def _field_mark(self, ask: Ask, state: FieldState, states: States) -> FieldMark:
        page = on_page(states, self.item.convention)
        return FieldMark(ask.name, state, tuple(tuple(CellState(cell) for cell in row) for row in page))


def _states(right: NDArray[np.bool_]) -> States:
    return np.where(right, CellState.RIGHT, CellState.WRONG).astype("U16")
