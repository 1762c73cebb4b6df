"""Items whose answer is read off a derivation: numbers, a prediction of numbers, shapes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grader.bank.common import COMMON, common
from grader.bank.derivations import MAX_NAMED_SIZE, read_asks, read_givens, read_sizes, read_steps
from grader.bank.guesses import read_guess
from grader.bank.table import Table
from grader.bank.telling import read_convention
from grader.derivation.graph import Derivation
from grader.derivation.operations import ShapeError
from grader.marking.items import ItemKind, NumericItem, PredictItem, ShapeItem

DERIVED = ("sizes", "given", "steps", "ask")


def read_numeric(table: Table) -> NumericItem:
    """Numbers for the asked steps."""
    table.only(*COMMON, *DERIVED)
    return _numbers(table)


def read_predict(table: Table) -> PredictItem:
    """A guess among options, of which one is right whatever the numbers, and then the numbers."""
    table.only(*COMMON, *DERIVED, "guess")
    question, guesses = read_guess(table)
    numeric = replace(_numbers(table), kind=ItemKind.NUMERIC)
    return PredictItem(**common(table), question=question, guesses=guesses, numeric=numeric)


def read_shape(table: Table) -> ShapeItem:
    """Shapes of named arrays. Letters need no size: they may stay letters."""
    table.only(*COMMON, *DERIVED, "show")
    givens = read_givens(table, are_drawn=False)
    sizes = read_sizes(table, largest=MAX_NAMED_SIZE) if table.has("sizes") else ()
    derivation = Derivation(givens, read_steps(table, givens), (), sizes)
    shapes = _shapes(table, derivation)
    asks = table.texts("ask")
    for name in asks:
        if name not in shapes:
            raise table.error("ask", f"there is no {name!r}; there are {', '.join(shapes)}")
    if not asks or len(set(asks)) < len(asks):
        raise table.error("ask", "a list of different names is needed")
    return ShapeItem(
        **common(table),
        derivation=derivation,
        convention=read_convention(table),
        asks=asks,
        shown=_shown(table, [given.name for given in givens if given.name not in asks]),
    )


def _shown(table: Table, not_asked: Sequence[str]) -> tuple[str, ...]:
    """The givens to start from: all that are not asked, or fewer, since one may give another away."""
    shown = table.texts("show") if table.has("show") else tuple(not_asked)
    for name in shown:
        if name not in not_asked:
            raise table.error("show", f"{name!r} is no given, or is asked; there are {', '.join(not_asked)}")
    return shown


def read_derivation(table: Table) -> Derivation:
    """The computation, with a size for every letter."""
    givens = read_givens(table)
    steps = read_steps(table, givens)
    derivation = Derivation(givens, steps, read_asks(table, steps), read_sizes(table))
    check_shapes(table, derivation)
    return derivation


def check_shapes(table: Table, derivation: Derivation) -> None:
    """Refuse letters without a size, and steps whose shapes do not meet."""
    known = dict(derivation.sizes)
    for given in derivation.givens:
        for letter in given.shape:
            if letter not in known:
                raise table.table("given").error(given.name, f"{letter!r} has no size; sizes are {', '.join(known)}")
    _shapes(table, derivation)


def _shapes(table: Table, derivation: Derivation) -> dict[str, tuple[str, ...]]:
    try:
        return derivation.shapes()
    except ShapeError as error:
        raise table.error("steps" if table.has("steps") else "given", str(error)) from None


def _numbers(table: Table) -> NumericItem:
    return NumericItem(**common(table), derivation=read_derivation(table), convention=read_convention(table))
