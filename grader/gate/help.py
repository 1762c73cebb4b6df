"""Help: every item names a skill and has hints, and no hint gives the answer away before the last rung."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from grader.gate.report import Fault
from grader.gate.words import bare
from grader.marking.hints import MAX_RUNGS
from grader.marking.items import ChoiceItem, Item, MatchItem, Option, PredictItem, ShapeItem
from grader.marking.shape import resolve
from grader.marking.text import LANGUAGES, Text

FEWEST_HINTS = 2
SHORTEST_QUOTE = 12

_TEX = re.compile(r"\\(?:times|,|;|!|text|mathrm|left|right)|[\s${}]")
_CROSS = re.compile("[xX*×]")


def check_help(item: Item) -> Iterator[Fault]:
    """What is missing, and what is told too early."""
    if item.skill is None:
        yield Fault(("skill",), "every item names the skill that it practises: a slug of skills.toml")
    if len(item.hints) < FEWEST_HINTS:
        yield Fault(("hints",), f"at least {FEWEST_HINTS} hints are needed: what is asked, and which rule answers it")
    for place, hint in enumerate(item.hints[: MAX_RUNGS - 1]):
        for language in LANGUAGES:
            told = next(_told(item, hint, language), None)
            if told:
                yield Fault(("hints", place, language), f"this hint says {told}")


def _told(item: Item, hint: Text, language: str) -> Iterator[str]:
    words = hint.in_language(language)
    match item:
        case ChoiceItem():
            yield from _options_told(item.options, bare(words), language)
        case PredictItem():
            yield from _options_told(item.guesses, bare(words), language)
        case MatchItem():
            targets = {target.key: target.text for target in item.targets}
            for entry in item.entries:
                pair = (entry.text.in_language(language), targets[entry.target].in_language(language))
                if all(_says(bare(words), text) for text in pair):
                    yield f"what goes with {entry.key}"
        case ShapeItem():
            yield from _shapes_told(item, words)
    yield from _lines_told(item, words, language)


def _options_told(options: Sequence[Option], words: str, language: str) -> Iterator[str]:
    """A right option word for word, and no wrong one beside it."""
    right = [option for option in options if option.is_right and _says(words, option.text.in_language(language))]
    beside = words
    for option in right:  # "unequal" does not say "equal" as well
        beside = beside.replace(bare(option.text.in_language(language)), " ")
    if right and not any(_says(beside, option.text.in_language(language)) for option in options if not option.is_right):
        yield f"the right answer {right[0].key} word for word"


def _says(words: str, text: str) -> bool:
    """Whether a text stands in the words, not merely within a longer word."""
    return re.search(rf"(?<![a-z]){re.escape(bare(text))}(?![a-z])", words) is not None


def _shapes_told(item: ShapeItem, words: str) -> Iterator[str]:
    """An asked shape of two sizes or more, however it is written, that the prompt does not show."""
    shapes = item.derivation.shapes()
    plain = _CROSS.sub("×", _TEX.sub("", words.replace(r"\times", "×")))
    for name in item.asks:
        sizes = [str(size) for size in resolve(item.derivation, shapes[name])]
        for sign in ("×", ",", "，"):
            if len(sizes) > 1 and re.search(rf"(?<![\w.]){re.escape(sign.join(sizes))}(?![\w.])", plain):
                yield f"the shape of {name}"


def _lines_told(item: Item, words: str, language: str) -> Iterator[str]:
    """A line of the written solution, of a length that nobody repeats by chance."""
    quoted = bare(words)
    for line in item.solution.in_language(language).splitlines():
        if len(bare(line)) >= SHORTEST_QUOTE and bare(line) in quoted:
            yield f"a line of the solution: {line.strip()}"
