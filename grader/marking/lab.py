"""Marking a lab: the arrays are worked out anew from what was sent, whatever the learner's page had computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from grader.attention.analysis import asymmetry
from grader.attention.projection import Array
from grader.derivation.graph import Values
from grader.marking.items import Goal, GoalKind, Item, Lab, LabItem
from grader.marking.lab_goals import is_reached, longest, put_in, quoted, run_lab, say_seen, shown
from grader.marking.mark import CellState, FieldMark, FieldState, Finding, Mark, remark, verdict_for
from grader.marking.matrix_text import refuse_misshapen, split_matrix
from grader.marking.notation import NotationError, parse_number
from grader.marking.phrases import phrase
from grader.marking.points import share
from grader.marking.predict import answer_guess, read_guess
from grader.marking.response import Problem, RawResponse, ResponseError, refuse
from grader.marking.text import Text

MOST = 1000
# Scores that differ by less are the same scores, computed in another order.
_SAME = 1e-9


def mark_lab(item: LabItem, raw_response: RawResponse) -> Mark:
    """Every goal earns an equal part. Raises ResponseError where guess, numbers or a named token are not understood."""
    guess = read_guess(item.guesses, raw_response)
    changed = read_arrays(item.lab, raw_response)
    named = _read_named(item, raw_response)
    arrays = run_lab(item.lab, changed)
    reached = [_reaches(item.lab, goal, arrays, named.get(goal_name(place))) for place, goal in enumerate(item.goals)]
    score = share(item.max_score, sum(reached), len(reached))
    findings = [answer_guess(guess, is_seen=all(reached), kept="guess_kept_lab")]
    findings += [
        _say(item.lab, goal, arrays, place, holds=holds, named=named.get(goal_name(place)))
        for place, (goal, holds) in enumerate(zip(item.goals, reached, strict=True))
    ]
    findings += _remarks(item, arrays, reached)
    marks = tuple(_goal_mark(place, holds=holds) for place, holds in enumerate(reached))
    return Mark(verdict_for(score, item.max_score), score, item.max_score, marks, tuple(findings))


def goal_name(place: int) -> str:
    """The name of a goal in marks, and of the token named for it in a response: goal-1 is the first."""
    return f"goal-{place + 1}"


def names_asked(item: LabItem) -> tuple[str, ...]:
    """The goals for which the learner names a token."""
    return tuple(goal_name(place) for place, goal in enumerate(item.goals) if goal.kind is GoalKind.LOOKS_MOST)


def lab_problems(item: Item, raw_response: RawResponse) -> tuple[Problem, ...]:
    """What of a guess or of numbers is not understood, before the tables can be worked out; other kinds have none."""
    if not isinstance(item, LabItem):
        return ()
    try:
        read_guess(item.guesses, raw_response)
        read_arrays(item.lab, raw_response)
    except ResponseError as error:
        return error.problems
    return ()


def read_arrays(lab: Lab, raw_response: RawResponse) -> dict[str, Array]:
    """What was changed, each in the shape of what is given; what is left out is as it was. Raises ResponseError."""
    fields = raw_response.get("fields", {})
    if not isinstance(fields, Mapping):
        raise refuse("form", expected='{"fields": {"…": [["…"]]}}')
    read: dict[str, Array] = {}
    problems: list[Problem] = []
    for name, cells in fields.items():
        if name not in lab.changeable:
            raise refuse("unknown_field", field=str(name)[:40])
        try:
            read[name] = _read_matrix(name, cells, np.array(lab.given[name]).shape)
        except NotationError as error:
            problems.append(Problem(error.text, name, error.row, error.column))
        except ResponseError as error:
            problems += error.problems
    if problems:
        raise ResponseError(problems)
    return read


def _read_matrix(name: str, cells: object, expected: tuple[int, ...]) -> Array:
    rows = split_matrix(cells) if isinstance(cells, str) else cells
    if not isinstance(rows, list) or not rows or not all(isinstance(row, list) and row for row in rows):
        raise NotationError("not_text")
    refuse_misshapen(rows)
    found = (len(rows), len(rows[0]))
    if found != expected:
        raise NotationError("shape", found=_by(found), expected=_by(expected))
    numbers = np.zeros(expected)
    problems = []
    for place in np.ndindex(expected):
        try:
            numbers[place] = _number(rows[place[0]][place[1]])
        except NotationError as error:
            problems.append(Problem(error.text, name, *place))
    if problems:
        raise ResponseError(problems)
    return numbers


def _number(cell: object) -> float:
    """A number of JSON is read as it would be written."""
    if isinstance(cell, bool) or not isinstance(cell, str | int | float):
        raise NotationError("not_text")
    value = parse_number(cell).value if isinstance(cell, str) else cell
    if not abs(value) <= MOST:
        raise NotationError("too_far", limit=str(MOST))
    return value


def _by(shape: tuple[int, ...]) -> str:
    return " × ".join(map(str, shape))


def _read_named(item: LabItem, raw_response: RawResponse) -> dict[str, int]:
    """The token named for each goal that asks for one, by its place. Raises ResponseError."""
    asked = names_asked(item)
    given = raw_response.get("named", {})
    if not isinstance(given, Mapping) or set(given) - set(asked):
        raise refuse("form", expected='{"named": {"goal-1": 1}}')
    named = {}
    for name in asked:
        number = str(given.get(name, "")).strip()
        if not number:
            raise refuse("lab_name_token", at=name)
        if not (number.isascii() and number.isdecimal() and 1 <= int(number[:4]) <= len(item.lab.tokens)):
            raise refuse("lab_no_token", at=name, count=str(len(item.lab.tokens)))
        named[name] = int(number) - 1
    return named


def _reaches(lab: Lab, goal: Goal, arrays: Values, named: int | None) -> bool:
    if goal.kind is not GoalKind.LOOKS_MOST:
        return is_reached(lab, goal, arrays)
    weights = arrays["attn_weights"][lab.queries.index(goal.query)]
    return named is not None and bool(weights[named] == weights.max())


def _say(lab: Lab, goal: Goal, arrays: Values, place: int, *, holds: bool, named: int | None) -> Finding:
    about = goal if named is None else Goal(goal.kind, goal.query, named)
    title = phrase("lab.holds_title" if holds else "lab.missing_title")
    slug = "goal_holds" if holds else "goal_missing"
    return remark(slug, title, say_seen(lab, about, arrays, holds=holds), field=goal_name(place))


def _goal_mark(place: int, *, holds: bool) -> FieldMark:
    state, cell = (FieldState.RIGHT, CellState.RIGHT) if holds else (FieldState.WRONG, CellState.WRONG)
    return FieldMark(goal_name(place), state, ((cell,),))


def _remarks(item: LabItem, arrays: Values, reached: Sequence[bool]) -> Iterator[Finding]:
    """What the numbers show beyond the goals: why a goal is out of reach, or what nobody can change."""
    lab = item.lab
    missing = [goal for goal, holds in zip(item.goals, reached, strict=True) if not holds]
    if any(goal.kind is GoalKind.ONE_WAY for goal in missing) and asymmetry(arrays["logits"]) < _SAME:
        yield remark("lab_symmetric", phrase("lab.symmetric_title"), phrase("lab.symmetric"))
    if any(goal.kind is GoalKind.LOOKS_AWAY for goal in item.goals) and _is_naive(arrays):
        yield from _about_longest(lab, arrays["X"], missing)
    if "factor" in arrays:
        yield _about_factor(lab, arrays)


def _is_naive(arrays: Values) -> bool:
    return "X" in arrays and "Q" not in arrays and "K" not in arrays


def _about_longest(lab: Lab, X: Array, missing: Sequence[Goal]) -> Iterator[Finding]:
    """No X makes the longest token look away: said once all is reached, or where just that was tried."""
    longest_ones = longest(X)
    if missing and not any(goal.query in longest_ones for goal in missing):
        return
    first = int(longest_ones[0])
    text = phrase("lab.longest", length=shown(float(np.linalg.norm(X[first]))))
    yield remark("lab_longest", phrase("lab.longest_title"), put_in(text, token=quoted(lab.tokens[first])))


def _about_factor(lab: Lab, arrays: Values) -> Finding:
    """What the sign of the factor does to the order of the weights in the first row."""
    factor = float(arrays["factor"][0, 0])
    name = "factor_zero" if factor == 0 else "factor_keeps" if factor > 0 else "factor_turns"
    order = np.argsort(-arrays["attn_weights"][0], kind="stable")
    names = [lab.tokens[place] for place in order]
    in_order = Text(" ＞ ".join(each.zh_hans for each in names), " > ".join(each.en for each in names))
    text = phrase(f"lab.{name}", factor=shown(factor), count=str(len(names)))
    return remark("lab_factor", phrase("lab.factor_title"), put_in(text, order=in_order))
