"""Items that are answered by choosing: options, pairs, an order of lines."""

from __future__ import annotations

from collections.abc import Iterable

from grader.bank.common import COMMON, common
from grader.bank.table import Table
from grader.marking.items import (
    ChoiceItem,
    Entry,
    Line,
    MatchItem,
    Option,
    OrderCredit,
    OrderItem,
    Target,
    WrongPair,
)
from grader.marking.text import NO_TEXT, Text

# With more lines nobody orders, but searches; and letters name them on the page.
MAX_LINES = 20
MAX_TARGETS = 12


def read_choice(table: Table) -> ChoiceItem:
    """One option to choose, or several."""
    table.only(*COMMON, "multiple", "option")
    options = read_options(table)
    right = sum(option.is_right for option in options)
    if right == 0 or (right > 1 and not table.flag("multiple")):
        raise table.error("option", f"{right} options are right; one is needed, or several where multiple = true")
    return ChoiceItem(**common(table), options=options, multiple=table.flag("multiple"))


def read_options(table: Table) -> tuple[Option, ...]:
    """At least two options with different keys."""
    options = tuple(_option(option) for option in table.tables("option"))
    if len({option.key for option in options}) < max(2, len(options)):
        raise table.error("option", "at least two options with different keys are needed")
    return options


def _option(table: Table) -> Option:
    table.only("key", "text", "right", "feedback", "misconception")
    return Option(
        key=table.text("key"),
        text=table.both_languages("text"),
        is_right=table.flag("right"),
        feedback=table.both_languages("feedback"),
        misconception=table.text_or_none("misconception"),
    )


def read_match(table: Table) -> MatchItem:
    """Entries to match with targets."""
    table.only(*COMMON, "entry", "target")
    targets = []
    for target in table.tables("target"):
        target.only("key", "text")
        targets.append(Target(target.text("key"), target.both_languages("text")))
    known = [target.key for target in targets]
    entries = tuple(_entry(entry, known) for entry in table.tables("entry"))
    if len(set(known)) < max(2, len(known)) or len(known) > MAX_TARGETS:
        raise table.error("target", f"2 to {MAX_TARGETS} targets with different keys are needed")
    if len({entry.key for entry in entries}) < max(2, len(entries)):
        raise table.error("entry", "at least two entries with different keys are needed")
    return MatchItem(**common(table), entries=entries, targets=tuple(targets))


def _entry(table: Table, targets: Iterable[str]) -> Entry:
    table.only("key", "text", "target", "wrong")
    entry = Entry(
        key=table.text("key"),
        text=table.both_languages("text"),
        target=_target(table, targets),
        wrong=tuple(_wrong_pair(wrong, targets) for wrong in table.tables("wrong")),
    )
    if entry.target in {wrong.target for wrong in entry.wrong}:
        raise table.error("wrong", f"{entry.target!r} is the right target")
    return entry


def _wrong_pair(table: Table, targets: Iterable[str]) -> WrongPair:
    table.only("target", "feedback", "misconception")
    return WrongPair(_target(table, targets), table.both_languages("feedback"), table.text_or_none("misconception"))


def _target(table: Table, targets: Iterable[str]) -> str:
    key = table.text("target")
    if key not in targets:
        raise table.error("target", f"{key!r} is no target; there are {', '.join(targets)}")
    return key


def read_order(table: Table) -> OrderItem:
    """Lines in a right order, and distractors that belong nowhere."""
    table.only(*COMMON, "credit", "line", "distractor")
    lines: list[Line] = []
    for line in table.tables("line"):
        lines.append(_line(line, lines))
    distractors = tuple(_distractor(line) for line in table.tables("distractor"))
    keys = [line.key for line in (*lines, *distractors)]
    if len(set(keys)) < len(keys) or len(keys) > MAX_LINES:
        raise table.error("line", f"up to {MAX_LINES} lines with different keys are needed")
    if not any(line.after for line in lines):
        raise table.error("line", "at least one line must stand above another")
    credit = table.text_or_none("credit") or OrderCredit.ALL_OR_NOTHING
    if credit not in set(OrderCredit):
        raise table.error("credit", f"{credit!r} is not one of {', '.join(OrderCredit)}")
    return OrderItem(**common(table), lines=tuple(lines), distractors=distractors, credit=OrderCredit(credit))


def _line(table: Table, above: list[Line]) -> Line:
    """A line stands below all lines above it, or where `after` says so only below those, and what those stand below."""
    table.only("key", "text", "code", "after", "feedback", "misconception")
    before = {line.key: line.after for line in above}
    nearest = table.texts("after") if table.has("after") else tuple(before)
    for key in nearest:
        if key not in before:
            raise table.error("after", f"{key!r} is no line above this one")
    after = frozenset(nearest).union(*(before[key] for key in nearest))
    text, is_code = _words(table)
    feedback = table.both_languages_or_none("feedback")
    if table.has("misconception") and feedback == NO_TEXT:
        raise table.error("feedback", "a misconception needs words")
    return Line(table.text("key"), text, is_code, after, feedback, table.text_or_none("misconception"))


def _distractor(table: Table) -> Line:
    table.only("key", "text", "code", "feedback", "misconception")
    text, is_code = _words(table)
    feedback, misconception = table.both_languages("feedback"), table.text_or_none("misconception")
    return Line(table.text("key"), text, is_code, frozenset(), feedback, misconception)


def _words(table: Table) -> tuple[Text, bool]:
    """A line of code, the same in every language, or a text."""
    if table.has("code") == table.has("text"):
        raise table.error("code", "either code or text is needed")
    if table.has("code"):
        return Text(table.text("code"), table.text("code")), True
    return table.both_languages("text"), False
