"""Labs: one head to explore, with goals; their arrays stand in the item or in a data file beside it."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np

from grader.attention.one_head import one_head
from grader.bank.common import COMMON, common
from grader.bank.guesses import read_guess
from grader.bank.table import Table
from grader.marking.items import Goal, GoalKind, Lab, LabItem, Rows
from grader.marking.lab_goals import as_arrays, is_reached, run_lab
from grader.marking.text import LANGUAGES, Text

MIN_TOKENS = 2
MAX_TOKENS = 12
# Whoever changes numbers must see them all; real heads that are only looked at may be wider.
MAX_WIDTH = 8
MAX_SHOWN_WIDTH = 64

# What a lab may start from; the first names of each must be there, and a factor may go with any of them.
STARTS: tuple[tuple[Collection[str], Collection[str]], ...] = (
    (("X",), ("W_Q", "W_K", "W_V")),
    (("Q", "K"), ("V",)),
    (("logits",), ("V",)),
)
CHANGEABLE = ("X", "W_Q", "W_K", "W_V", "factor")
FACTOR = "factor"
# How scores and weights follow from what is given. Numbers of a real head come with the rules of that head.
RULES = ("scaled", "causal")


def read_lab(table: Table) -> LabItem:
    """A guess, a lab and its goals, which `reached_by` must reach."""
    table.only(*COMMON, "guess", "lab", "goal")
    question, guesses = read_guess(table)
    entry = table.table("lab")
    lab = _lab(entry)
    goals = tuple(_goal(goal, lab) for goal in table.tables("goal"))
    if not goals:
        raise table.error("goal", "at least one goal is needed")
    way = _rows_by_name(entry.table("reached_by"), lab.changeable) if lab.changeable else {}
    item = LabItem(**common(table), question=question, guesses=guesses, lab=lab, goals=goals, reached_by=way)
    _check_goals(entry, item)
    return item


def with_data(lab: Table, folder: Path) -> dict[str, Any]:
    """A lab's table with the tokens, rules and arrays of its data file put in, so that the definition is whole in itself.

    What the item says itself stands before what the file says. Raises DefinitionError for a file that is not there, or
    holds no JSON object of tokens and arrays.
    """
    path = folder / lab.text("data")
    if not path.resolve().is_relative_to(folder.resolve()):
        raise lab.error("data", "the file must lie in the folder of the lesson")
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise lab.error("data", f"{path.name} cannot be read: {error}") from None
    if not isinstance(data, dict) or "tokens" not in data:
        raise lab.error("data", f"{path.name} is no JSON object with tokens")
    tokens = data.pop("tokens")
    data.pop("about", None)
    rules = {rule: value for rule in RULES if (value := data.pop(rule, False)) is not False and not lab.has(rule)}
    own_words = {name: value for name, value in lab.values.items() if name != "data"}
    own = lab.table("given").values if lab.has("given") else {}
    return {**own_words, **rules, "tokens": dict.fromkeys(LANGUAGES, tokens), "given": {**data, **own}}


def _lab(table: Table) -> Lab:
    table.only("tokens", "queries", "given", "change", "scaled", "causal", "reached_by")
    tokens = _tokens(table)
    given = _given(table)
    changeable = table.texts("change")
    for name in changeable:
        if name not in CHANGEABLE or name not in given:
            raise table.error("change", f"{name!r} is not among what is given and may change: {', '.join(CHANGEABLE)}")
    lab = Lab(
        tokens=tokens,
        queries=_queries(table, len(tokens)),
        given=given,
        changeable=changeable,
        is_scaled=table.flag("scaled"),
        is_causal=table.flag("causal"),
    )
    _check_shapes(table, lab)
    return lab


def _tokens(table: Table) -> tuple[Text, ...]:
    names = table.table("tokens")
    names.only(*LANGUAGES)
    lists = {language: names.texts(language) for language in LANGUAGES}
    if not MIN_TOKENS <= len(lists[LANGUAGES[0]]) <= MAX_TOKENS or len({len(each) for each in lists.values()}) > 1:
        raise table.error("tokens", f"{MIN_TOKENS} to {MAX_TOKENS} tokens are needed, as many in each language")
    return tuple(Text.from_json(dict(zip(LANGUAGES, each, strict=True))) for each in zip(*lists.values(), strict=True))


def _given(table: Table) -> dict[str, Rows]:
    entry = table.table("given")
    for needed, allowed in STARTS:
        if all(map(entry.has, needed)):
            entry.only(*needed, *allowed, FACTOR)
            return _rows_by_name(entry, entry.values)
    raise table.error("given", "a lab starts from X, from Q and K, or from logits")


def _rows_by_name(table: Table, names: Collection[str]) -> dict[str, Rows]:
    table.only(*names)
    return {name: table.number_rows(name) for name in names if table.has(name)}


def _queries(table: Table, count: int) -> tuple[int, ...]:
    if not table.has("queries"):
        return tuple(range(count))
    return tuple(_place(table, "queries", number, count) for number in table.numbers("queries"))


def _place(table: Table, name: str, number: float, count: int) -> int:
    if not isinstance(number, int) or not 1 <= number <= count:
        raise table.error(name, f"{number} is no token; they are counted from 1 to {count}")
    return number - 1


def _check_shapes(table: Table, lab: Lab) -> None:
    widest = MAX_WIDTH if set(lab.changeable) - {FACTOR} else MAX_SHOWN_WIDTH
    for name, rows in lab.given.items():
        if len(rows[0]) > max(widest, len(lab.tokens)):
            raise table.table("given").error(name, f"up to {widest} numbers a row can be shown")
    try:
        arrays = one_head(as_arrays(lab.given), is_scaled=lab.is_scaled, is_causal=lab.is_causal)
    except ValueError as error:
        raise table.error("given", f"the shapes do not meet: {error}") from None
    expected = (len(lab.queries), len(lab.tokens))
    if arrays["logits"].shape != expected or arrays.get("factor", np.ones((1, 1))).shape != (1, 1):
        found = arrays["logits"].shape
        raise table.error("given", f"the scores are {found}; {expected} is needed, and a factor is [[number]]")
    if lab.is_causal and expected[0] != expected[1]:
        raise table.error("causal", "every token must look where nobody sees the future")
    if lab.is_scaled and "logits" in lab.given:
        raise table.error("scaled", "scores that are given have no d_k to divide by")


def _goal(table: Table, lab: Lab) -> Goal:
    kind = table.text("kind")
    if kind not in set(GoalKind):
        raise table.error("kind", f"{kind!r} is no goal; known are {', '.join(GoalKind)}")
    query = _place(table, "from", table.integer("from"), len(lab.tokens))
    if query not in lab.queries:
        raise table.error("from", "this token does not look")
    if kind in {GoalKind.LOOKS_AWAY, GoalKind.LOOKS_MOST}:
        table.only("kind", "from")
        return Goal(GoalKind(kind), query)
    table.only("kind", "from", "to", "bound")
    key = _place(table, "to", table.integer("to"), len(lab.tokens))
    return Goal(GoalKind(kind), query, key, float(table.number("bound")))


def _check_goals(table: Table, item: LabItem) -> None:
    goals = [goal for goal in item.goals if goal.kind is not GoalKind.LOOKS_MOST]
    if not goals:
        return
    solved = run_lab(item.lab, as_arrays(item.reached_by))
    if not all(is_reached(item.lab, goal, solved) for goal in goals):
        raise table.error("reached_by", "these numbers do not reach the goal")
