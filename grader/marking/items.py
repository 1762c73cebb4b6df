"""The kinds of item, as typed objects. They are read from content files by `grader.bank`; nothing here reads a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from grader.derivation.graph import Derivation
from grader.marking.policy import PRACTICE, Policy
from grader.marking.text import NO_TEXT, Text


class ItemKind(StrEnum):
    """How an item is answered."""

    NUMERIC = "numeric"
    CHOICE = "choice"
    CODE = "code"
    FREE_TEXT = "free_text"
    SHAPE = "shape"
    MATCH = "match"
    ORDER = "order"
    PREDICT = "predict"


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


@dataclass(frozen=True, slots=True)
class Skill:
    """What an item practises: the same skill in all items that do, whatever their kind."""

    slug: str
    title: Text
    summary: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """What every kind has. Prompt, hints and solution are Markdown; each hint says more than the one before it."""

    slug: str
    kind: ItemKind
    title: Text
    prompt: Text
    max_score: Decimal
    misconceptions: Mapping[str, Misconception]
    policy: Policy = PRACTICE
    skill: Skill | None = None
    hints: tuple[Text, ...] = ()
    solution: Text = NO_TEXT


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeItem(Item):
    """The shapes of named arrays of a derivation, in letters or in numbers; `asks` names the arrays.

    `shown` are the givens whose shapes the learner starts from.
    Letters that the derivation gives a size may be answered by that number; the others stay letters.
    """

    derivation: Derivation
    convention: Convention
    asks: tuple[str, ...]
    shown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Target:
    """What an entry of a match item can be matched with."""

    key: str
    text: Text


@dataclass(frozen=True, slots=True)
class WrongPair:
    """What there is to say where an entry is matched with this target."""

    target: str
    feedback: Text
    misconception: str


@dataclass(frozen=True, slots=True)
class Entry:
    """Something to match, the key of its target, and the wrong targets that have words of their own."""

    key: str
    text: Text
    target: str
    wrong: tuple[WrongPair, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchItem(Item):
    """Entries, each to be matched with one of the targets; several entries may share a target."""

    entries: tuple[Entry, ...]
    targets: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A line to put in order. `feedback` and `misconception` are for when it is the first that comes too early.

    `after` holds the keys of all lines that must stand above it.
    """

    key: str
    text: Text
    is_code: bool
    after: frozenset[str]
    feedback: Text
    misconception: str


class OrderCredit(StrEnum):
    """How an order that is not wholly right is scored: not at all, or by the lines that need not move."""

    ALL_OR_NOTHING = "all_or_nothing"
    SUBSEQUENCE = "subsequence"


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderItem(Item):
    """Lines to put in order, and distractors to leave out. `lines` stand in one right order; `after` allows others."""

    lines: tuple[Line, ...]
    distractors: tuple[Line, ...]
    credit: OrderCredit


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictItem(Item):
    """A guess, which earns nothing, and then the numbers that show whether it was right."""

    question: Text
    guesses: tuple[Option, ...]
    numeric: NumericItem


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
