"""The words of the content: formulas that cannot be shown, and answers that are given away."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from grader.derivation.graph import Values
from grader.gate.report import Fault, Key
from grader.marking.hints import MAX_RUNGS
from grader.marking.items import ChoiceItem, Item, NumericItem
from grader.marking.text import LANGUAGES, Text

# What of a Markdown text cannot be shown as its author meant it. It is handed in: pages are made on a higher floor.
Unreadable = Callable[[str], Sequence[str]]

TRIED = 50
LARGEST_LEAK = 0.1
# A term such as “softmax” is one word, and the same everywhere.
FEWEST_WORDS = 2
# Misconceptions and skills are checked in their own files, and a starter is a program.
_NO_WORDS = ("misconceptions", "skills", "starter")

_INDEX = re.compile(r"_(?:\{[^{}]*\}|\w)")
_NUMBER = re.compile(r"[-−]?\d+(?:\.\d+)?")
_SAME_IN_EVERY_LANGUAGE = re.compile(r"```.*?```|`[^`]*`|\$\$.*?\$\$|\$[^$]*\$", re.DOTALL)
_WORD = re.compile(r"[a-z]{3,}|[\u4e00-\u9fff]")
_FORMULA = re.compile(r"\$[^$\n]*\$")
_HEADINGS = re.compile(r"^(\|.*)\n\|[\s:|-]+\|$", re.MULTILINE)
_SPOKEN = re.compile(r"\w")
_BLANK = re.compile(r"\s+")


def check_formulas(table: Mapping[str, object], unreadable: Unreadable) -> Iterator[Fault]:
    """Every text of a table that cannot be shown as it is meant."""
    for key, words in texts(table, ()):
        for formula in unreadable(words):
            yield Fault(key, f"this cannot be shown: {formula}")


def silent_headings(markdown: str) -> Iterator[str]:
    """Every row of headings with one that is nothing but a formula: who hears a table hears nothing there."""
    for row in _HEADINGS.findall(markdown):
        cells = _FORMULA.sub("$", row).strip().strip("|").split("|")
        if any("$" in cell and not _SPOKEN.search(cell) for cell in cells):
            yield row


def texts(value: object, key: Key) -> Iterator[tuple[Key, str]]:
    """Every text in every language, with its key."""
    if isinstance(value, Mapping):
        is_text = set(value) == set(LANGUAGES)
        for name, inner in value.items():
            if is_text and isinstance(inner, str):
                yield (*key, name), inner
            elif name not in _NO_WORDS:
                yield from texts(inner, (*key, name))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from texts(inner, (*key, place))


def check_translations(table: Mapping[str, object]) -> Iterator[Fault]:
    """Every text that reads the same in both languages though it has words: one of them is not translated."""
    found = dict(texts(table, ()))
    for key, words in found.items():
        if key[-1] == LANGUAGES[0]:
            in_words = _WORD.findall(_SAME_IN_EVERY_LANGUAGE.sub(" ", words))
            if found[(*key[:-1], LANGUAGES[1])] == words and len(in_words) >= FEWEST_WORDS:
                yield Fault(key, "this text is the same in both languages: one of them is not translated")


def check_numbers_given_away(item: NumericItem, variants: Sequence[Values]) -> Iterator[Fault]:
    """A prompt, or the hint for a mistake, that holds all numbers of an asked step on more than a few variants."""
    for key, what, text in _told_before_answering(item):
        for language in LANGUAGES:
            numbers = _numbers_in(text.in_language(language))
            for ask in item.derivation.asks:
                answers = [ask.pick(item.derivation.evaluate(givens)[ask.name]) for givens in variants[:TRIED]]
                leaks = sum(set(np.round(answer, ask.decimals).flat) <= numbers for answer in answers)
                if leaks > LARGEST_LEAK * len(answers):
                    yield Fault(
                        (*key, language) if key else (),
                        f"{what} ({language}) holds the answer for {ask.name} on {leaks} of {len(answers)} variants",
                    )


def _told_before_answering(item: Item) -> Iterator[tuple[Key, str, Text]]:
    yield ("title",), "the title", item.title
    yield ("prompt",), "the prompt", item.prompt
    for place, hint in enumerate(item.hints[: MAX_RUNGS - 1]):
        yield ("hints", place), f"hint {place + 1}", hint
    for slug, misconception in item.misconceptions.items():
        yield (), f"the hint of {slug}", misconception.hint


def _numbers_in(words: str) -> set[float]:
    """The numbers of a text; the index of a letter is none."""
    return {float(number.replace("−", "-")) for number in _NUMBER.findall(_INDEX.sub("", words))}


def check_option_given_away(item: ChoiceItem) -> Iterator[Fault]:
    """A prompt that says every right option word for word, and no wrong one."""
    for language in LANGUAGES:
        prompt = bare(item.prompt.in_language(language))
        said = [option.is_right for option in item.options if bare(option.text.in_language(language)) in prompt]
        right = sum(option.is_right for option in item.options)
        if said == [True] * right:
            yield Fault(("prompt", language), "the prompt says the right answer word for word")


def bare(words: str) -> str:
    """The words alone: blanks and capitals tell nothing apart."""
    return _BLANK.sub(" ", words).strip().casefold()
