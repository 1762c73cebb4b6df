"""What every kind of item has in its definition."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from grader.bank.table import Table
from grader.marking.hints import MAX_RUNGS
from grader.marking.items import ItemKind, Misconception, Skill
from grader.marking.policy import PRACTICE, Counts, Policy
from grader.marking.text import Text

COMMON = (
    "slug",
    "kind",
    "convention",
    "title",
    "prompt",
    "max_score",
    "misconceptions",
    "policy",
    "skill",
    "skills",
    "hints",
    "solution",
)
MAX_TRIES = 100


def common(table: Table) -> dict[str, Any]:
    """The keyword arguments that every item takes."""
    max_score = table.number("max_score")
    if max_score <= 0:
        raise table.error("max_score", "a score above zero is needed")
    misconceptions = table.table("misconceptions")
    return {
        "slug": table.slug("slug"),
        "kind": ItemKind(table.text("kind")),
        "title": table.both_languages("title"),
        "prompt": table.both_languages("prompt"),
        "max_score": Decimal(str(max_score)),
        "misconceptions": {
            slug: read_misconception(slug, misconceptions.table(slug)) for slug in misconceptions.values
        },
        "policy": _read_policy(table.table("policy")) if table.has("policy") else PRACTICE,
        "skill": _read_named_skill(table) if table.has("skill") else None,
        "hints": _read_hints(table),
        "solution": table.both_languages_or_none("solution"),
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


def read_skill(slug: str, table: Table) -> Skill:
    """Title and summary of one skill."""
    table.only("title", "summary")
    return Skill(slug, table.both_languages("title"), table.both_languages("summary"))


def _read_named_skill(table: Table) -> Skill:
    """The skill that the item names, from the words that its definition carries."""
    slug = table.text("skill")
    words = table.table("skills") if table.has("skills") else Table({})
    if not words.has(slug):
        raise table.error("skill", f"there is no skill {slug!r}; there are {', '.join(words.values) or 'none'}")
    return read_skill(slug, words.table(slug))


def _read_hints(table: Table) -> tuple[Text, ...]:
    """One text after another, each saying more."""
    hints = tuple(hint.whole_text() for hint in table.tables("hints"))
    if table.has("hints") and not 1 <= len(hints) <= MAX_RUNGS:
        raise table.error("hints", f"1 to {MAX_RUNGS} hints can be given; leave the key out for none")
    return hints


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
