"""The kinds of item, as typed objects. They are read from content files by `grader.bank`; nothing here reads a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from grader.derivation.graph import Derivation
from grader.derivation.slips import Slip
from grader.marking.policy import PRACTICE, Policy
from grader.marking.properties import CaseGroup, Property
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
    LAB = "lab"


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
class Form:
    """How an array is handed to a learner's function: its dtype, and how it lies in memory."""

    dtype: str = "float64"
    layout: str = "plain"


Rows = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Lab:
    """One head to explore: its tokens, the arrays it starts from, and which of these may be changed.

    `queries` are the tokens that look, by their places from 0: all of them, unless the logits of fewer are given.
    """

    tokens: tuple[Text, ...]
    queries: tuple[int, ...]
    given: Mapping[str, Rows]
    changeable: tuple[str, ...]
    is_scaled: bool
    is_causal: bool


class GoalKind(StrEnum):
    """What a lab asks for.

    A weight above or below a bound; a score that is larger than its reverse by a bound; a token that does not prefer
    itself; or the name of the token that one looks at most.
    """

    ABOVE = "above"
    BELOW = "below"
    ONE_WAY = "one_way"
    LOOKS_AWAY = "looks_away"
    LOOKS_MOST = "looks_most"


@dataclass(frozen=True, slots=True)
class Goal:
    """One thing to bring about; tokens by their places from 0. `key` and `bound` mean nothing where one token does."""

    kind: GoalKind
    query: int
    key: int = -1
    bound: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LabItem(Item):
    """A guess, which earns nothing, and then goals to reach by changing numbers. `reached_by` is one way to reach them."""

    question: Text
    guesses: tuple[Option, ...]
    lab: Lab
    goals: tuple[Goal, ...]
    reached_by: Mapping[str, Rows]


@dataclass(frozen=True, slots=True)
class Turn:
    """The place of a call among those of several sequences: `sequence` names its own, `is_first` begins them all.

    `carries` says which step of the call before becomes which argument of the next one; `keeps` are the givens that all
    calls share.
    """

    sequence: str
    is_first: bool
    carries: tuple[tuple[str, str], ...]
    keeps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CodeCase:
    """One call of the learner's function: the item's derivation in other shapes and sizes, perhaps without its bias.

    `forms` names the givens that are no plain float64. A visible case has its own seed.
    """

    group: CaseGroup
    property: Property
    derivation: Derivation
    forms: tuple[tuple[str, Form], ...] = ()
    seed: int = 0
    turn: Turn | None = None

    def form(self, name: str) -> Form:
        """How that given is handed over."""
        return dict(self.forms).get(name, Form())


# The name of one asked step, or of several as a function returns them: ("out", ("K", "V")).
Names = str | tuple["Names", ...]


def names_in(returns: Names) -> Iterator[str]:
    """Every step that is returned, from left to right."""
    if isinstance(returns, str):
        yield returns
    else:
        for part in returns:
            yield from names_in(part)


@dataclass(frozen=True, slots=True)
class Bug:
    """The mistake that the starter makes, and the function of the learner's that returns arguments which show it."""

    slip: Slip
    shown_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeItem(Item):
    """A function to write; the derivation is what it must compute.

    A parameter in `pairs` takes several givens as a tuple, or None. Of what `returns` names, `work` is judged as work
    kept for the next call. A `judge` accepts any result with a property instead of one value.
    """

    function: str
    parameters: tuple[str, ...]
    signature: str
    starter: Text
    derivation: Derivation
    convention: Convention
    cases: tuple[CodeCase, ...]
    returns: Names
    credit: tuple[tuple[Property, Decimal], ...]
    pairs: tuple[tuple[str, tuple[str, ...]], ...] = ()
    work: tuple[str, ...] = ()
    judge: str = ""
    bug: Bug | None = None


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
