"""The terms of the courses: what each is called, written as, shaped like, and whether it is learned or computed.

A term stands in glossary.toml under its slug; `symbol`, `shape` and `meaning` may read both ways (`{row: … | column: …}`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from grader.bank.table import Table
from grader.marking.text import LANGUAGES, Text


class TermKind(StrEnum):
    """Learned in training, computed for one input, settled with the model, or given with the input."""

    PARAMETER = "parameter"
    ACTIVATION = "activation"
    CONSTANT = "constant"
    INPUT = "input"


class TermGroup(StrEnum):
    """Where a term stands on the glossary's page."""

    TOKENS = "tokens"
    PROJECTION = "projection"
    ATTENTION = "attention"
    SIZES = "sizes"
    MODELS = "models"


@dataclass(frozen=True, slots=True)
class Term:
    """One entry. `symbols` are TeX, the one to show first; `shape` is empty where a shape says nothing, [] a number.

    `is_linked` tells whether lessons lead here from the term's first use; `avoided` are words not to use for it.
    """

    slug: str
    name: Text
    symbols: tuple[str, ...]
    meaning: Text
    shape: str
    kind: TermKind
    group: TermGroup
    is_linked: bool
    avoided: Mapping[str, tuple[str, ...]] = field(hash=False)


def parse_glossary(values: Mapping[str, Any]) -> tuple[Term, ...]:
    """The terms of a glossary in the order of its file. Raises DefinitionError."""
    table = Table(values)
    return tuple(read_term(slug, table.table(slug)) for slug in values)


def read_term(slug: str, table: Table) -> Term:
    """One term of the file."""
    table.only(*LANGUAGES, "symbol", "also", "meaning", "shape", "kind", "group", "link", "avoid")
    avoided = table.table("avoid") if table.has("avoid") else Table({})
    avoided.only(*LANGUAGES)
    symbol = _may_be_empty(table, "symbol")
    return Term(
        slug=slug,
        name=Text(table.text("zh-hans"), table.text("en")),
        symbols=(*((symbol,) if symbol else ()), *(table.texts("also") if table.has("also") else ())),
        meaning=table.both_languages("meaning"),
        shape=_may_be_empty(table, "shape"),
        kind=_one_of(table, "kind", TermKind),
        group=_one_of(table, "group", TermGroup) if table.has("group") else TermGroup.ATTENTION,
        is_linked=table.flag("link") if table.has("link") else True,
        avoided={language: avoided.texts(language) for language in LANGUAGES if avoided.has(language)},
    )


def _may_be_empty(table: Table, name: str) -> str:
    """A text that says nothing where there is nothing to say."""
    return "" if table.values.get(name) == "" else table.text(name)


ClosedT = TypeVar("ClosedT", bound=StrEnum)


def _one_of(table: Table, name: str, closed: type[ClosedT]) -> ClosedT:
    said = table.text(name)
    if said not in set(closed):
        raise table.error(name, f"{said!r} is unknown; known are {', '.join(closed)}")
    return closed(said)
