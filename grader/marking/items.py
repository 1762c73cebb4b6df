"""The kinds of item, as typed objects. They are read from content files by `grader.bank`; nothing here reads a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from grader.derivation.graph import Derivation
from grader.marking.text import Text


class ItemKind(StrEnum):
    """How an item is answered."""

    NUMERIC = "numeric"
    CHOICE = "choice"
    CODE = "code"
    FREE_TEXT = "free_text"


class Convention(StrEnum):
    """Whether a token is a row (x W) or a column (W x)."""

    ROW = "row"
    COLUMN = "column"


@dataclass(frozen=True, slots=True)
class Misconception:
    """A named wrong idea; `explanation` may hold {used} and {asked}, two formulas as TeX."""

    slug: str
    title: Text
    explanation: Text
    hint: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """What every kind has. The prompt is Markdown."""

    slug: str
    kind: ItemKind
    title: Text
    prompt: Text
    max_score: Decimal
    misconceptions: Mapping[str, Misconception]


@dataclass(frozen=True, slots=True, kw_only=True)
class NumericItem(Item):
    """Numbers worked out by hand: one field for each asked step of the derivation."""

    derivation: Derivation
    convention: Convention


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to choose. `misconception` is what choosing it wrongly, or leaving it out wrongly, shows."""

    key: str
    text: Text
    is_right: bool
    feedback: Text
    misconception: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceItem(Item):
    """Options, of which one or several are right."""

    options: tuple[Option, ...]
    multiple: bool


@dataclass(frozen=True, slots=True)
class CodeCase:
    """One call of the learner's function: the item's derivation in other shapes and sizes, perhaps without its bias.

    A visible case has its own seed.
    """

    visible: bool
    derivation: Derivation
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeItem(Item):
    """A function to write; the derivation is what it must compute."""

    function: str
    parameters: tuple[str, ...]
    signature: str
    starter: Text
    derivation: Derivation
    convention: Convention
    cases: tuple[CodeCase, ...]


@dataclass(frozen=True, slots=True)
class Criterion:
    """One thing that earns a point of a free-text answer."""

    key: str
    text: Text


@dataclass(frozen=True, slots=True)
class Rubric:
    """What a person looks for in a free-text answer."""

    criteria: tuple[Criterion, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeTextItem(Item):
    """An answer in the learner's own words, marked by a person."""

    rubric: Rubric
    max_chars: int = 4_000
