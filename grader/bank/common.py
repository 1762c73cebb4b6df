"""What every kind of item has in its definition."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from grader.bank.table import Table
from grader.marking.items import Convention, ItemKind, Misconception
from grader.marking.policy import PRACTICE, Counts, Policy

COMMON = ("slug", "kind", "title", "prompt", "max_score", "misconceptions", "policy")
MAX_TRIES = 100


def common(table: Table) -> dict[str, Any]:
    """The keyword arguments that every item takes."""
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
        "policy": _read_policy(table.table("policy")) if table.has("policy") else PRACTICE,
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


def read_convention(table: Table) -> Convention:
    """Rows or columns."""
    convention = table.text("convention")
    if convention not in set(Convention):
        raise table.error("convention", f"{convention!r} is neither row nor column")
    return Convention(convention)


def parse_policy(values: Mapping[str, Any]) -> Policy:
    """A policy as a definition has it; an empty one is practice. Raises DefinitionError."""
    return _read_policy(Table(values, ("policy",)))


def _read_policy(table: Table) -> Policy:
    table.only("tries", "penalties", "counts")
    tries = table.integer("tries") if table.has("tries") else None
    if tries is not None and not 1 <= tries <= MAX_TRIES:
        raise table.error("tries", f"1 to {MAX_TRIES} tries can be given; leave it out for any number")
    shares = table.numbers("penalties") if table.has("penalties") else ()
    penalties = tuple(Decimal(str(share)) for share in shares)
    if list(penalties) != sorted(penalties) or not all(0 <= penalty <= 1 for penalty in penalties):
        raise table.error("penalties", "shares from 0 to 1 are needed, none smaller than the one before it")
    if tries is not None and len(penalties) > tries:
        raise table.error("penalties", f"there are only {tries} tries")
    counts = table.text("counts") if table.has("counts") else Counts.BEST
    if counts not in set(Counts):
        raise table.error("counts", f"{counts!r} is neither best nor last")
    return Policy(tries, penalties, Counts(counts))
