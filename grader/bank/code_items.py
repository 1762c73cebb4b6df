"""Items that ask for a program."""

from __future__ import annotations

from dataclasses import replace

from grader.bank.common import COMMON, common, read_convention
from grader.bank.derivations import read_sizes
from grader.bank.derived_items import DERIVED, check_shapes, read_derivation
from grader.bank.table import Table
from grader.derivation.graph import Derivation
from grader.marking.items import CodeCase, CodeItem


def read_code(table: Table) -> CodeItem:
    """A function to write, and the calls that try it."""
    table.only(*COMMON, *DERIVED, "function", "parameters", "optional", "starter", "case")
    derivation = read_derivation(table)
    parameters = table.texts("parameters")
    names = {given.name for given in derivation.givens}
    if set(parameters) != names:
        raise table.error("parameters", f"these must be the givens: {', '.join(sorted(names))}")
    optional = table.texts("optional")
    cases = tuple(_case(case, derivation, optional) for case in table.tables("case"))
    if {case.visible for case in cases} != {True, False}:
        raise table.error("case", "visible and hidden cases are needed")
    signature = ", ".join(f"{name}=None" if name in optional else name for name in parameters)
    return CodeItem(
        **common(table),
        function=table.text("function"),
        parameters=parameters,
        signature=f"{table.text('function')}({signature})",
        starter=table.both_languages("starter"),
        derivation=derivation,
        convention=read_convention(table),
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
    check_shapes(table, called)
    return CodeCase(group == "visible", called, table.integer("seed", 0))
