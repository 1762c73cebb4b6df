"""The case plan of a code item: which calls try the function, and what each of them decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from grader.bank.derivations import Sizes, sizes_in
from grader.bank.derived_items import check_shapes
from grader.bank.table import Table
from grader.derivation.graph import Derivation, Given
from grader.marking.items import CodeCase, Form, Turn
from grader.marking.properties import CaseGroup, Property

KEYS = ("group", "property", "given", "without", "sizes", "seed", "scale", "draw", "dtype", "variations", "turns")
# What turns settle by themselves.
NOT_WITH_TURNS = ("without", "variations", "dtype")
GROUPS = (CaseGroup.VISIBLE, CaseGroup.HIDDEN)
DTYPES = ("float64", "float32", "int64", "bool")
LAYOUTS = ("fortran", "strided", "read_only")
VARIATIONS = ("float32", "int64", *LAYOUTS)
# Whole numbers to draw an integer array from: fewer tell too little.
FEWEST_WHOLE = 3
# One sequence alone would let a function remember it.
FEWEST_SEQUENCES = 2

Pairs = Mapping[str, tuple[str, ...]]
# Which step becomes which given of the next call, and the givens that all calls share.
Carry = tuple[tuple[tuple[str, str], ...], tuple[str, ...]]


def read_cases(table: Table, derivation: Derivation, optional: tuple[str, ...], pairs: Pairs) -> tuple[CodeCase, ...]:
    """Every case, one for each set of sizes and each variation; visible and hidden ones are needed."""
    plan = _PlanReader(derivation, optional, pairs, _read_dtypes(table, derivation), _read_carry(table, derivation))
    cases = tuple(case for entry in table.tables("case") for case in plan.read(entry))
    if {case.group for case in cases} != set(GROUPS):
        raise table.error("case", "visible and hidden cases are needed")
    return cases


def _read_dtypes(table: Table, derivation: Derivation) -> dict[str, str]:
    """The dtype of every given: a lone number is a whole one, and the item may say otherwise."""
    dtypes = {given.name: "float64" if given.shape else "int64" for given in derivation.givens}
    return {**dtypes, **_per_given(table, "dtype", derivation, DTYPES)}


def _read_carry(table: Table, derivation: Derivation) -> Carry | None:
    """What goes from one call of a sequence to its next, and what all calls share; None where calls stand alone."""
    if not table.has("carry"):
        return None
    carry, keep = table.table("carry"), table.texts("keep")
    givens = tuple(given.name for given in derivation.givens)
    carry.only(*givens)
    asked = [ask.name for ask in derivation.asks]
    for name in carry.values:
        if carry.text(name) not in asked:
            raise carry.error(name, f"only what is asked for goes on to the next call: {', '.join(asked)}")
    for name in keep:
        if name not in givens or name in carry.values:
            raise table.error("keep", f"{name!r} is none of the other givens")
    return tuple((name, carry.text(name)) for name in carry.values), keep


def _per_given(table: Table, key: str, derivation: Derivation, known: tuple[str, ...]) -> dict[str, str]:
    if not table.has(key):
        return {}
    chosen = table.table(key)
    chosen.only(*(given.name for given in derivation.givens))
    for name in chosen.values:
        if chosen.text(name) not in known:
            raise chosen.error(name, f"known are {', '.join(known)}")
    return {name: chosen.text(name) for name in chosen.values}


class _PlanReader:
    """Reads the entries of one item's plan."""

    def __init__(
        self,
        derivation: Derivation,
        optional: tuple[str, ...],
        pairs: Pairs,
        dtypes: Mapping[str, str],
        carry: Carry | None,
    ) -> None:
        self.derivation, self.optional, self.pairs, self.dtypes = derivation, optional, pairs, dtypes
        self.carry = carry

    def read(self, table: Table) -> Iterator[CodeCase]:
        """The cases of one entry."""
        table.only(*KEYS)
        if (_choice(table, "group", GROUPS) is CaseGroup.VISIBLE) != table.has("seed"):
            raise table.error(
                "seed", "a visible case has a seed, so that everybody sees the same numbers; no other has"
            )
        for sizes in _every_sizes(table):
            cases = self._in_turn(table, sizes) if table.has("turns") else self._alone(table, sizes)
            for case in cases:
                check_shapes(table, case.derivation)
                yield _with_whole_draws(table, case)

    def _alone(self, table: Table, sizes: Sizes) -> Iterator[CodeCase]:
        """One call, in each of the entry's variations."""
        plain = self._plain(table, self._without(table), sizes)
        yield from [_varied(plain, name) for name in _variations(table)] or [plain]

    def _in_turn(self, table: Table, sizes: Sizes) -> Iterator[CodeCase]:
        """Calls of several sequences, the first of each without what an earlier one would leave."""
        if self.carry is None:
            raise table.error("turns", "the item must say in `carry` what goes from one call to the next")
        for key in NOT_WITH_TURNS:
            if table.has(key):
                raise table.error(key, "calls in turn have none of their own")
        order, (carries, keeps) = table.text("turns"), self.carry
        if len(set(order)) < FEWEST_SEQUENCES:
            raise table.error("turns", "at least two sequences must take turns, such as ABAAB")
        length = next(given.shape[0] for given in self.derivation.givens if given.name == carries[0][0])
        before: Counter[str] = Counter()
        for place, sequence in enumerate(order):
            grown = (*sizes, (length, before[sequence])) if before[sequence] else sizes
            case = self._plain(table, () if before[sequence] else self._carried(), grown)
            turn = Turn(sequence, is_first=place == 0, carries=carries, keeps=keeps)
            yield replace(case, seed=case.seed + place, turn=turn)
            before[sequence] += 1

    def _carried(self) -> tuple[str, ...]:
        """The parameters that the first call of a sequence does without."""
        names = {name for name, _ in self.carry[0]} if self.carry else set()
        return tuple(name for name in self.optional if names & {name, *self.pairs.get(name, ())})

    def _plain(self, table: Table, without: tuple[str, ...], sizes: Sizes) -> CodeCase:
        called = self._called(table, without)
        dtypes = {**self.dtypes, **_per_given(table, "dtype", self.derivation, DTYPES)}
        return CodeCase(
            group=_choice(table, "group", GROUPS),
            property=_choice(table, "property", tuple(Property)) if table.has("property") else Property.VALUES,
            derivation=replace(called, sizes=sizes),
            forms=tuple((given.name, Form(dtypes[given.name])) for given in called.givens),
            seed=table.integer("seed", 0),
        )

    def _called(self, table: Table, parameters: tuple[str, ...]) -> Derivation:
        """The derivation on the arrays of this entry; a step takes what is left of its arguments."""
        without = {part for name in parameters for part in self.pairs.get(name, (name,))}
        givens = tuple(self._given(table, given) for given in self.derivation.givens if given.name not in without)
        steps = tuple(
            replace(step, arguments=tuple(name for name in step.arguments if name not in without))
            for step in self.derivation.steps
        )
        return Derivation(givens, steps, self.derivation.asks, ())

    def _without(self, table: Table) -> tuple[str, ...]:
        without = table.texts("without")
        for name in without:
            if name not in self.optional:
                raise table.error("without", f"{name!r} is not optional")
        return without

    def _given(self, table: Table, given: Given) -> Given:
        """The given in the shape, in the scale and of the numbers that the entry says."""
        names = tuple(other.name for other in self.derivation.givens)
        shapes, scales, draws = (_part(table, key, names) for key in ("given", "scale", "draw"))
        shape = shapes.texts(given.name) if shapes.has(given.name) else given.shape
        numbers = tuple(map(float, draws.numbers(given.name))) if draws.has(given.name) else given.draw
        scale = scales.number(given.name) if scales.has(given.name) else 1
        return Given(given.name, shape, tuple(scale * number for number in numbers))


def _part(table: Table, key: str, names: tuple[str, ...]) -> Table:
    part = table.table(key) if table.has(key) else Table({})
    part.only(*names)
    return part


ChosenT = TypeVar("ChosenT", bound=str)


def _choice(table: Table, key: str, known: tuple[ChosenT, ...]) -> ChosenT:
    chosen = table.text(key)
    for one in known:
        if one == chosen:
            return one
    raise table.error(key, f"{chosen!r} is unknown; known are {', '.join(known)}")


def _every_sizes(table: Table) -> Iterator[Sizes]:
    """One set of sizes, or a list of several."""
    if isinstance(table.values.get("sizes"), list):
        yield from (sizes_in(sizes) for sizes in table.tables("sizes"))
    else:
        yield sizes_in(table.table("sizes"))


def _variations(table: Table) -> tuple[str, ...]:
    variations = table.texts("variations")
    for name in variations:
        if name not in VARIATIONS:
            raise table.error("variations", f"{name!r} is unknown; known are {', '.join(VARIATIONS)}")
    return variations


def _varied(case: CodeCase, variation: str) -> CodeCase:
    """The same call with arrays of another dtype, or lying otherwise in memory."""

    def vary(form: Form) -> Form:
        if variation in LAYOUTS:
            return replace(form, layout=variation)
        return replace(form, dtype=variation) if form.dtype == "float64" else form

    return replace(case, forms=tuple((name, vary(form)) for name, form in case.forms))


def _with_whole_draws(table: Table, case: CodeCase) -> CodeCase:
    """Integer arrays get only the whole numbers of what they are drawn from."""

    def whole(given: Given) -> Given:
        if case.form(given.name).dtype != "int64" or not given.shape:
            return given
        numbers = tuple(number for number in given.draw if number.is_integer())
        if len(numbers) < FEWEST_WHOLE:
            raise table.error("variations", f"{given.name} needs {FEWEST_WHOLE} whole numbers to draw from, for int64")
        return replace(given, draw=numbers)

    return replace(case, derivation=replace(case.derivation, givens=tuple(map(whole, case.derivation.givens))))
