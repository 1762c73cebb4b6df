"""A lab as its form shows it: tables of inputs and of what follows from them, read-outs, goals."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from django.utils.translation import get_language

from exercises.web.field_view import CellView, FieldView, cell_label
from exercises.web.lab_readouts import fixed, readouts
from exercises.web.lab_words import PRESETS, SPOKEN, STAGES, STAGES_OF_SCORES, TABLE_WORDS
from exercises.web.words import FIELDS, ROLES, Sign, Words
from grader.attention.projection import Array
from grader.derivation.convention import twin_name
from grader.derivation.typeset import symbol
from grader.marking.items import Convention, GoalKind, Lab, LabItem
from grader.marking.lab import goal_name, read_arrays
from grader.marking.lab_goals import run_lab, say_goal
from grader.marking.mark import Finding, Mark
from grader.marking.response import ResponseError
from grader.marking.text import Text

LEVELS: Final = 9

BY_QUERY: Final = frozenset({"Q", "context"})
BY_PAIR: Final = frozenset({"logits", "scaled", "attn_weights"})
# What is the same table in both conventions.
UNTURNED: Final = BY_PAIR | {"factor"}


@dataclass(frozen=True, slots=True)
class MapCell:
    """One computed number and its shade: p for positive, n for negative, 0 to 9."""

    text: str
    shade: str


@dataclass(frozen=True, slots=True)
class LabTable:
    """One array, with what its rows and columns stand for. What may be changed has a field, all else has cells.

    One that `is_turned` stands as its transpose; the name is that of the array, which the lab keeps in rows.
    """

    name: str
    words: Words
    tex: str
    role: str
    columns: tuple[str, ...]
    heads: tuple[str, ...]
    rows: tuple[tuple[MapCell, ...], ...]
    inputs: tuple[tuple[CellView, ...], ...]
    is_turned: bool = False

    @property
    def input_rows(self) -> Iterator[tuple[str, tuple[CellView, ...]]]:
        """Each row of inputs with its head."""
        return zip(self.heads if self.inputs else (), self.inputs, strict=True)

    @property
    def map_rows(self) -> Iterator[tuple[str, tuple[MapCell, ...]]]:
        """Each row of numbers with its head."""
        return zip(self.heads if self.rows else (), self.rows, strict=True)


@dataclass(frozen=True, slots=True)
class LabStage:
    """Tables that stand side by side, under one name."""

    words: Words
    tables: tuple[LabTable, ...]


@dataclass(frozen=True, slots=True)
class TokenView:
    """A token that can be named for a goal."""

    number: int
    text: str
    is_named: bool


@dataclass(frozen=True, slots=True)
class GoalView:
    """One goal, how it was judged, and the tokens to choose from where one is to be named."""

    name: str
    id: str
    text: Text
    sign: Sign | None
    findings: tuple[Finding, ...]
    tokens: tuple[TokenView, ...]


@dataclass(frozen=True, slots=True)
class LabView:
    """A lab; until a guess is made only the question is shown."""

    is_open: bool
    is_fresh: bool
    stages: tuple[LabStage, ...] = ()
    goals: tuple[GoalView, ...] = ()
    readouts: tuple[str, ...] = ()
    presets: Mapping[str, Words] | None = None
    plan: str = ""
    spoken: str = ""


def start_values(item: LabItem) -> dict[str, list[list[str]]]:
    """What the inputs hold at first, as a learner would write it."""
    return {name: [[f"{cell:g}" for cell in row] for row in item.lab.given[name]] for name in item.lab.changeable}


def lab_view(
    item: LabItem,
    slug: str,
    response: Mapping[str, Any],
    fields: Sequence[FieldView],
    marking: Mark | None,
    layout: Convention,
) -> LabView:
    """Lay out a lab for what was typed, its tokens in rows or in columns; unmarked, nothing was sent of what is shown."""
    if not any(option.key == response.get("guess") for option in item.guesses):
        return LabView(is_open=False, is_fresh=False)
    try:
        arrays = run_lab(item.lab, read_arrays(item.lab, response))
    except ResponseError:
        arrays = {}
    names = [token.in_language(_language()) for token in item.lab.tokens]
    return LabView(
        is_open=True,
        is_fresh=marking is None,
        stages=tuple(_stages(item.lab, names, arrays, {field.shape.name: field for field in fields}, layout)),
        goals=_goals(item, slug, response, marking),
        readouts=tuple(readouts(item.lab, names, arrays)) if arrays else (),
        presets=_presets(item.lab),
        plan=json.dumps(_plan(item, names), ensure_ascii=False),
        spoken=json.dumps({key: str(words) for key, words in {**SPOKEN, **TABLE_WORDS}.items()}, ensure_ascii=False),
    )


def shade(value: float, largest: float) -> str:
    """How strong a cell is, against the largest of its table."""
    level = int(LEVELS * abs(value) / largest + 0.5) if largest else 0
    return f"{'n' if value < 0 else 'p'}{level}"


def _language() -> str:
    return get_language() or "zh-hans"


def _stages(
    lab: Lab, names: Sequence[str], arrays: Mapping[str, Array], fields: Mapping[str, FieldView], layout: Convention
) -> Iterator[LabStage]:
    shown = arrays or {name: np.array(rows) for name, rows in lab.given.items()}
    for words, members in STAGES_OF_SCORES if "logits" in lab.given else STAGES:
        inputs = {name: fields[name].rows for name in members if name in fields}
        in_rows = (_table(lab, names, name, shown, inputs.get(name, ()), layout) for name in members if name in shown)
        tables = tuple(_turned(table) if _turns(table, layout) else table for table in in_rows)
        if tables:
            yield LabStage(words, tables)


def _turns(table: LabTable, layout: Convention) -> bool:
    return layout is Convention.COLUMN and table.name not in UNTURNED


def _turned(table: LabTable) -> LabTable:
    """The same array with a column for each row; an input keeps its name, and is called by where it stands now."""
    return replace(
        table,
        columns=table.heads,
        heads=table.columns,
        rows=tuple(zip(*table.rows, strict=True)),
        inputs=tuple(
            tuple(
                replace(cell, label=cell_label(twin_name(table.name), row, column)) for column, cell in enumerate(cells)
            )
            for row, cells in enumerate(zip(*table.inputs, strict=True))
        ),
        is_turned=True,
    )


def _table(
    lab: Lab,
    names: Sequence[str],
    name: str,
    arrays: Mapping[str, Array],
    inputs: tuple[tuple[CellView, ...], ...],
    layout: Convention,
) -> LabTable:
    """An array as it lies, tokens in rows; its formula is already told as the reader has it."""
    array = arrays[name]
    looking = [names[place] for place in lab.queries]
    numbers = [str(number + 1) for number in range(array.shape[1])]
    heads = looking if name in BY_PAIR | BY_QUERY else names if name in {"X", "K", "V"} else numbers_of_rows(array)
    return LabTable(
        name=name,
        words=TABLE_WORDS[name],
        tex=_formula(lab, name, arrays, layout),
        role=ROLES.get(name.removeprefix("W_")[:1], ""),
        columns=tuple(names if name in BY_PAIR else numbers),
        heads=tuple(heads),
        rows=() if inputs else _cells(array, is_share=name == "attn_weights"),
        inputs=inputs,
    )


def numbers_of_rows(array: Array) -> list[str]:
    """Rows that are no tokens are counted."""
    return [str(number + 1) for number in range(array.shape[0])]


def _cells(array: Array, *, is_share: bool) -> tuple[tuple[MapCell, ...], ...]:
    largest = 1.0 if is_share else float(np.abs(array).max())
    return tuple(tuple(MapCell(fixed(cell), shade(cell, largest)) for cell in row) for row in array.tolist())


def _formula(lab: Lab, name: str, arrays: Mapping[str, Array], layout: Convention) -> str:
    """Where an array comes from; of what is given, only its letter."""
    is_column = layout is Convention.COLUMN
    if name in lab.given:
        return symbol(twin_name(name) if is_column else name)
    Q, K, V = (role if role in arrays else "X" for role in "QKV")
    scores = symbol("scaled" if "scaled" in arrays else "logits")
    top = rf"c\,{symbol('logits')}" if "factor" in arrays else symbol("logits")
    right = {
        **{role: f"{symbol(f'W_{role.lower()}')} X" if is_column else f"X {symbol(f'W_{role}')}" for role in "QKV"},
        "logits": rf"{Q}^\top {K}" if is_column else rf"{Q} {K}^\top",
        "scaled": rf"{top} / \sqrt{{d_k}}" if lab.is_scaled else top,
        "attn_weights": rf"\text{{softmax}}({scores})",
        "context": rf"{V} {symbol('attn_weights')}^\top" if is_column else f"{symbol('attn_weights')} {V}",
    }[name]
    return f"{symbol(name)} = {right}"


def _goals(item: LabItem, slug: str, response: Mapping[str, Any], marking: Mark | None) -> tuple[GoalView, ...]:
    signs = {field.name: FIELDS[field.state] for field in marking.fields} if marking else {}
    named = response.get("named", {})
    views = []
    for place, goal in enumerate(item.goals):
        name = goal_name(place)
        tokens = (
            TokenView(number, token.in_language(_language()), str(named.get(name)) == str(number))
            for number, token in enumerate(item.lab.tokens, start=1)
        )
        findings = tuple(found for found in marking.findings if found.field == name) if marking else ()
        is_naming = goal.kind is GoalKind.LOOKS_MOST
        text = say_goal(item.lab, goal)
        views.append(
            GoalView(name, f"{slug}-{name}", text, signs.get(name), findings, tuple(tokens) if is_naming else ())
        )
    return tuple(views)


def _presets(lab: Lab) -> dict[str, Words]:
    matrices = {"W_Q", "W_K"} <= set(lab.changeable)
    kept = {"start", "random"} | ({"identity", "shared"} if matrices else set())
    return {key: words for key, words in PRESETS.items() if key in kept} if set(lab.changeable) - {"factor"} else {}


def _plan(item: LabItem, names: Sequence[str]) -> dict[str, Any]:
    """What the script must know to compute all of it by itself."""
    lab = item.lab
    return {
        "tokens": list(names),
        "queries": list(lab.queries),
        "given": {name: [list(row) for row in rows] for name, rows in lab.given.items()},
        "changeable": list(lab.changeable),
        "scaled": lab.is_scaled,
        "causal": lab.is_causal,
        "goals": [{"kind": goal.kind, "from": goal.query, "to": goal.key, "bound": goal.bound} for goal in item.goals],
    }
