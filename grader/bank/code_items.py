"""Items that ask for a program. docs/developer/add-a-code-item.md has one written out."""

from __future__ import annotations

from decimal import Decimal

from grader.bank.case_plans import read_cases
from grader.bank.common import COMMON, common
from grader.bank.derived_items import DERIVED, read_derivation
from grader.bank.table import Table
from grader.bank.telling import read_convention
from grader.derivation.graph import Derivation
from grader.derivation.slips import slips_of
from grader.marking.case_judges import JUDGES
from grader.marking.items import Bug, CodeItem, Names, names_in
from grader.marking.properties import CaseGroup, Property

KEYS = (
    *("function", "parameters", "optional", "pairs", "returns", "starter"),
    *("credit", "work", "carry", "keep", "dtype", "case", "judge", "bug"),
)


def read_code(table: Table) -> CodeItem:
    """A function to write, the calls that try it, and what it earns."""
    table.only(*COMMON, *DERIVED, *KEYS)
    derivation = read_derivation(table)
    parameters, optional = table.texts("parameters"), table.texts("optional")
    pairs = _read_pairs(table, parameters)
    _check_parameters(table, derivation, parameters, dict(pairs))
    returns = _read_returns(table, derivation)
    item = CodeItem(
        **common(table),
        function=table.text("function"),
        parameters=parameters,
        signature=_signature(table.text("function"), parameters, optional),
        starter=table.both_languages("starter"),
        derivation=derivation,
        convention=read_convention(table),
        cases=read_cases(table, derivation, optional, dict(pairs)),
        returns=returns,
        credit=_read_credit(table),
        pairs=pairs,
        work=table.texts("work"),
        judge=_read_judge(table),
        bug=_read_bug(table, derivation),
    )
    _check_credit(table, item)
    return item


def _signature(function: str, parameters: tuple[str, ...], optional: tuple[str, ...]) -> str:
    return f"{function}({', '.join(f'{name}=None' if name in optional else name for name in parameters)})"


def _read_pairs(table: Table, parameters: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not table.has("pairs"):
        return ()
    pairs = table.table("pairs")
    pairs.only(*parameters)
    return tuple((name, pairs.texts(name)) for name in pairs.values)


def _check_parameters(
    table: Table, derivation: Derivation, parameters: tuple[str, ...], pairs: dict[str, tuple[str, ...]]
) -> None:
    names = sorted(given.name for given in derivation.givens)
    if sorted(part for name in parameters for part in pairs.get(name, (name,))) != names:
        raise table.error("parameters", f"these must be the givens: {', '.join(names)}")


def _read_returns(table: Table, derivation: Derivation) -> Names:
    asked = sorted(ask.name for ask in derivation.asks)
    returns = _nested(table.values.get("returns", asked[0]))
    if returns is None or sorted(names_in(returns)) != asked:
        raise table.error("returns", f"these must be the asked steps: {', '.join(asked)}")
    return returns


def _nested(value: object) -> Names | None:
    """Names in lists within lists; None where there is anything else."""
    if isinstance(value, str):
        return value
    parts = tuple(_nested(part) for part in value) if isinstance(value, list) else ()
    return tuple(part for part in parts if part is not None) if parts and None not in parts else None


def _read_credit(table: Table) -> tuple[tuple[Property, Decimal], ...]:
    if not table.has("credit"):
        return ((Property.VALUES, Decimal(str(table.number("max_score")))),)
    credit = table.table("credit")
    credit.only(*Property)
    return tuple((Property(name), Decimal(str(credit.number(name)))) for name in credit.values)


def _check_credit(table: Table, item: CodeItem) -> None:
    """Every credit can be lost and every loss costs credit: a property that nothing tries would be a gift."""
    credit = dict(item.credit)
    if sum(credit.values()) != item.max_score or min(credit.values()) <= 0 or Property.VALUES not in credit:
        raise table.error("credit", f"positive shares that add up to {item.max_score}, one for values, are needed")
    tried = {case.property for case in item.cases if case.group is CaseGroup.HIDDEN} | {Property.INPUTS}
    tried |= {Property.WORK} if item.work else set()
    tried |= {Property.EXAMPLE} if item.bug else set()
    for name in credit:
        if name not in tried:
            raise table.error("credit", f"no hidden case tries {name}")
    for case in item.cases:
        if case.property not in credit:
            raise table.error("credit", f"there are cases of {case.property}, which earns nothing")
    returned = tuple(names_in(item.returns))
    if not set(item.work) < set(returned) or bool(item.work) != (Property.WORK in credit):
        raise table.error("work", f"some of {', '.join(returned)}, with a credit for work, are needed")


def _read_judge(table: Table) -> str:
    judge = table.text_or_none("judge")
    if judge and judge not in JUDGES:
        raise table.error("judge", f"{judge!r} is unknown; known are {', '.join(JUDGES)}")
    return judge


def _read_bug(table: Table, derivation: Derivation) -> Bug | None:
    """The slip that the starter makes, named by its step and its slug."""
    if not table.has("bug"):
        return None
    bug = table.table("bug")
    bug.only("step", "slip", "shown_by")
    known = {(slip.wrong.name, slip.slug): slip for slip in reversed(slips_of(derivation))}
    slip = known.get((bug.text("step"), bug.text("slip")))
    if slip is None:
        raise bug.error("slip", f"known are {', '.join(f'{slug} at {step}' for step, slug in sorted(known))}")
    return Bug(slip, bug.text("shown_by"))
