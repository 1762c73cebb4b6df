"""A definition, as plain JSON, read into a typed item.

The same definition comes from a content file, from a row of the database and from a job on the queue; it is whole in
itself, so that an old version can be marked long after the files have changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from grader.bank.derivations import read_asks, read_givens, read_sizes, read_steps
from grader.bank.table import Table
from grader.derivation.graph import Derivation
from grader.derivation.operations import ShapeError
from grader.marking.items import (
    ChoiceItem,
    CodeCase,
    CodeItem,
    Convention,
    Criterion,
    FreeTextItem,
    Item,
    ItemKind,
    Misconception,
    NumericItem,
    Option,
    Rubric,
)

COMMON = ("slug", "kind", "title", "prompt", "max_score", "misconceptions")


def parse_item(definition: Mapping[str, Any]) -> Item:
    """Read a definition. Raises DefinitionError with the key that is wrong."""
    return read_item(Table(definition))


def read_item(table: Table) -> Item:
    """Read a definition that may be part of a larger table."""
    kind = table.text("kind")
    if kind not in set(ItemKind):
        raise table.error("kind", f"{kind!r} is no kind of item; known are {', '.join(ItemKind)}")
    return READERS[ItemKind(kind)](table)


def _common(table: Table) -> dict[str, Any]:
    max_score = table.number("max_score")
    if max_score <= 0:
        raise table.error("max_score", "a score above zero is needed")
    misconceptions = table.table("misconceptions")
    return {
        "slug": table.text("slug"),
        "kind": ItemKind(table.text("kind")),
        "title": table.both_languages("title"),
        "prompt": table.both_languages("prompt"),
        "max_score": Decimal(str(max_score)),
        "misconceptions": {
            slug: read_misconception(slug, misconceptions.table(slug)) for slug in misconceptions.values
        },
    }


def read_misconception(slug: str, table: Table) -> Misconception:
    """Title, explanation and hint of one misconception."""
    table.only("title", "explanation", "hint")
    return Misconception(
        slug=slug,
        title=table.both_languages("title"),
        explanation=table.both_languages("explanation"),
        hint=table.both_languages("hint"),
    )


def _convention(table: Table) -> Convention:
    convention = table.text("convention")
    if convention not in set(Convention):
        raise table.error("convention", f"{convention!r} is neither row nor column")
    return Convention(convention)


def _numeric(table: Table) -> NumericItem:
    table.only(*COMMON, "convention", "sizes", "given", "steps", "ask")
    sizes = read_sizes(table)
    givens = read_givens(table)
    steps = read_steps(table, givens)
    derivation = Derivation(givens, steps, read_asks(table, steps), sizes)
    _check_shapes(table, derivation)
    return NumericItem(**_common(table), derivation=derivation, convention=_convention(table))


def _code(table: Table) -> CodeItem:
    table.only(
        *COMMON, "convention", "sizes", "given", "steps", "ask", "function", "parameters", "optional", "starter", "case"
    )
    sizes = read_sizes(table)
    givens = read_givens(table)
    steps = read_steps(table, givens)
    derivation = Derivation(givens, steps, read_asks(table, steps), sizes)
    parameters = table.texts("parameters")
    names = {given.name for given in givens}
    if set(parameters) != names:
        raise table.error("parameters", f"these must be the givens: {', '.join(sorted(names))}")
    optional = table.texts("optional")
    cases = tuple(_case(case, derivation, optional) for case in table.tables("case"))
    if {case.visible for case in cases} != {True, False}:
        raise table.error("case", "visible and hidden cases are needed")
    signature = ", ".join(f"{name}=None" if name in optional else name for name in parameters)
    return CodeItem(
        **_common(table),
        function=table.text("function"),
        parameters=parameters,
        signature=f"{table.text('function')}({signature})",
        starter=table.both_languages("starter"),
        derivation=derivation,
        convention=_convention(table),
        cases=cases,
    )


def _case(table: Table, derivation: Derivation, optional: tuple[str, ...]) -> CodeCase:
    """One call: some givens in other shapes, an optional one perhaps left out."""
    table.only("group", "given", "sizes", "seed")
    group = table.text("group")
    if group not in {"visible", "hidden"}:
        raise table.error("group", f"{group!r} is neither visible nor hidden")
    if group == "visible" and not table.has("seed"):
        raise table.error("seed", "a visible case needs a seed, so that everybody sees the same numbers")
    shapes = table.table("given")
    shapes.only(*(given.name for given in derivation.givens))
    givens = []
    for given in derivation.givens:
        if not shapes.has(given.name):
            if given.name not in optional:
                raise shapes.error(given.name, "only an optional parameter can be left out")
            continue
        givens.append(replace(given, shape=shapes.texts(given.name)))
    in_scope = {given.name for given in givens} | {step.name for step in derivation.steps}
    steps = tuple(
        replace(step, arguments=tuple(name for name in step.arguments if name in in_scope)) for step in derivation.steps
    )
    called = Derivation(tuple(givens), steps, derivation.asks, read_sizes(table))
    _check_shapes(table, called)
    return CodeCase(group == "visible", called, table.integer("seed", 0))


def _check_shapes(table: Table, derivation: Derivation) -> None:
    """Refuse letters without a size, and steps whose shapes do not meet."""
    known = dict(derivation.sizes)
    for given in derivation.givens:
        for letter in given.shape:
            if letter not in known:
                raise table.table("given").error(given.name, f"{letter!r} has no size; sizes are {', '.join(known)}")
    try:
        derivation.shapes()
    except ShapeError as error:
        raise table.error("steps" if table.has("steps") else "given", str(error)) from None


def _choice(table: Table) -> ChoiceItem:
    table.only(*COMMON, "multiple", "option")
    options = tuple(_option(option) for option in table.tables("option"))
    right = sum(option.is_right for option in options)
    if len({option.key for option in options}) < max(2, len(options)):
        raise table.error("option", "at least two options with different keys are needed")
    if right == 0 or (right > 1 and not table.flag("multiple")):
        raise table.error("option", f"{right} options are right; one is needed, or several where multiple = true")
    return ChoiceItem(**_common(table), options=options, multiple=table.flag("multiple"))


def _option(table: Table) -> Option:
    table.only("key", "text", "right", "feedback", "misconception")
    return Option(
        key=table.text("key"),
        text=table.both_languages("text"),
        is_right=table.flag("right"),
        feedback=table.both_languages("feedback"),
        misconception=table.text("misconception") if table.has("misconception") else "",
    )


def _free_text(table: Table) -> FreeTextItem:
    table.only(*COMMON, "criterion")
    criteria = []
    for criterion in table.tables("criterion"):
        criterion.only("key", "text")
        criteria.append(Criterion(criterion.text("key"), criterion.both_languages("text")))
    if not criteria:
        raise table.error("criterion", "a rubric of at least one criterion is needed")
    return FreeTextItem(**_common(table), rubric=Rubric(tuple(criteria)))


READERS = {
    ItemKind.NUMERIC: _numeric,
    ItemKind.CHOICE: _choice,
    ItemKind.CODE: _code,
    ItemKind.FREE_TEXT: _free_text,
}
