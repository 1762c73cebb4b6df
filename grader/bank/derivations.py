"""The part of a definition that writes a derivation: sizes, givens, steps and what is asked."""

from __future__ import annotations

from collections.abc import Sequence

from grader.bank.table import Table
from grader.derivation.graph import Ask, DerivationError, Given, Step, parse_step

MAX_SIZE = 32
# A size that is only named, never computed with.
MAX_NAMED_SIZE = 1_000_000
MAX_DECIMALS = 6

Sizes = tuple[tuple[str, int], ...]


def read_sizes(table: Table, *, largest: int = MAX_SIZE) -> Sizes:
    """A number for each letter of a shape."""
    return sizes_in(table.table("sizes"), largest=largest)


def sizes_in(sizes: Table, *, largest: int = MAX_SIZE) -> Sizes:
    """The same from the table of the sizes itself."""
    read = []
    for letter in sizes.values:
        size = sizes.integer(letter)
        if not 1 <= size <= largest:
            raise sizes.error(letter, f"a size from 1 to {largest} is needed")
        read.append((letter, size))
    return tuple(read)


def read_givens(table: Table, *, are_drawn: bool = True) -> tuple[Given, ...]:
    """The arrays that a variant draws; `like` repeats the shape and the draw of an earlier one.

    Where only shapes matter nothing is drawn.
    """
    given = table.table("given")
    read: dict[str, Given] = {}
    for name in given.values:
        entry = given.table(name)
        entry.only("shape", "like", *(["draw"] if are_drawn else []))
        if entry.has("like"):
            model = read.get(entry.text("like"))
            if model is None:
                raise entry.error("like", f"{entry.text('like')!r} is not given before this")
            read[name] = Given(name, model.shape, model.draw)
        else:
            numbers = entry.numbers("draw") if are_drawn else ()
            read[name] = Given(name, entry.texts("shape"), tuple(map(float, numbers)))
        if not read[name].shape and not (entry.has("shape") and are_drawn):
            raise entry.error("shape", "a list of at least one letter is needed")
    return tuple(read.values())


def read_steps(table: Table, givens: Sequence[Given]) -> tuple[Step, ...]:
    """The steps in order, each a call of one operation on what stands before it."""
    steps = table.table("steps")
    in_scope = [given.name for given in givens]
    read = []
    for name in steps.values:
        if name in in_scope:
            raise steps.error(name, "this name is taken")
        try:
            read.append(parse_step(name, steps.text(name), in_scope))
        except DerivationError as error:
            raise steps.error(name, str(error)) from None
        in_scope.append(name)
    return tuple(read)


def read_asks(table: Table, steps: Sequence[Step]) -> tuple[Ask, ...]:
    """What the learner is asked for, in the order of the steps."""
    asks = table.table("ask")
    names = [step.name for step in steps]
    for name in asks.values:
        if name not in names:
            raise asks.error(name, f"there is no such step; steps are {', '.join(names)}")
    if not asks.values:
        raise table.error("ask", "at least one step must be asked")
    return tuple(_ask(asks.table(name), name) for name in names if asks.has(name))


def _ask(table: Table, name: str) -> Ask:
    table.only("decimals", "rows")
    decimals = table.integer("decimals", MAX_DECIMALS)
    if not 0 <= decimals <= MAX_DECIMALS:
        raise table.error("decimals", f"0 to {MAX_DECIMALS} decimals can be asked")
    rows = table.numbers("rows") if table.has("rows") else ()
    if not all(isinstance(row, int) and row >= 0 for row in rows):
        raise table.error("rows", "whole numbers from 0 are needed")
    return Ask(name, decimals, tuple(int(row) for row in rows))
