"""Answers in words that say nearly the same in nearly the same words, put side by side.

An answer is the set of its runs of characters: two of a script without spaces, three of any other. Two answers are alike
if their sets mostly agree. So no model and no list of words is needed, and Chinese is treated as well as English.

Likeness only brings texts together for a person to read. It judges nothing: "is" and "is not" are a few characters apart.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from grader.attention.projection import Array

Codes = NDArray[np.uint64]

ALIKE = 0.6
# What bounds time and memory: a square of so many answers, and so many places for the runs of all of them.
MOST_COMPARED = 1_000
LONGEST_COMPARED = 2_000
PLACES = 8_192
# Scripts in which one character is about a syllable or a word: kana, Han, Hangul.
_DENSE = (("\u3040", "\u30ff"), ("\u3400", "\u4dbf"), ("\u4e00", "\u9fff"), ("\uac00", "\ud7af"), ("\uf900", "\ufaff"))
_NO_WORD = re.compile(r"[\W_]+")
# Whether there is a gap beside a dense character is a matter of taste.
_NO_GAP = re.compile("(?<=[{0}]) | (?=[{0}])".format("".join(f"{first}-{last}" for first, last in _DENSE)))
# Odd numbers that spread what they multiply over all bits.
_STIR = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xFF51AFD7ED558CCD], dtype=np.uint64)


class Side(StrEnum):
    """Which of two texts that are compared has a part."""

    BOTH = "both"
    OURS = "ours"
    THEIRS = "theirs"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a text that is compared with another, or, where it is theirs alone, what it lacks there."""

    text: str
    side: Side


def alike_groups(texts: Sequence[str], *, least: float = ALIKE) -> tuple[tuple[int, ...], ...]:
    """The places of all texts in groups: each member is alike to the first of its group.

    The text that most others are alike to leads first. Groups stand in the order of their earliest members. More than
    `MOST_COMPARED` texts are compared in portions of that many.
    """
    groups = [group for start in range(0, len(texts), MOST_COMPARED) for group in _portion(texts, start, least)]
    return tuple(sorted(groups, key=min))


def differences(lead: str, text: str) -> tuple[Part, ...]:
    """The text in parts: those that it shares with `lead`, in the same order, those of its own, and what it lacks.

    Texts too long to be compared are one part.
    """
    ours, theirs = _tokens(text), _tokens(lead)
    if len(ours) * len(theirs) > LONGEST_COMPARED**2:
        return (Part(text, Side.BOTH if text == lead else Side.OURS),)
    parts = []
    for tag, lost, found, start, end in SequenceMatcher(None, theirs, ours, autojunk=False).get_opcodes():
        if tag == "equal":
            parts.append(Part("".join(ours[start:end]), Side.BOTH))
            continue
        both = (Part("".join(theirs[lost:found]), Side.THEIRS), Part("".join(ours[start:end]), Side.OURS))
        parts += [part for part in both if part.text]
    return tuple(parts)


def _portion(texts: Sequence[str], start: int, least: float) -> Iterator[tuple[int, ...]]:
    likeness = _likeness(texts[start : start + MOST_COMPARED])  # (texts, texts)
    near = likeness >= least
    free = np.ones(len(near), dtype=bool)
    for lead in np.argsort(-near.sum(axis=1), kind="stable"):
        if free[lead]:
            members = np.flatnonzero(near[lead] & free)
            free[members] = False
            yield (start + int(lead), *(start + int(member) for member in members if member != lead))


def _likeness(texts: Sequence[str]) -> Array:
    """The cosine of each two sets of runs, 1 for a text with itself."""
    runs = np.zeros((len(texts), PLACES), dtype=np.float32)
    for row, text in enumerate(texts):
        runs[row, _places(text)] = 1
    lengths = np.sqrt(runs.sum(axis=1, keepdims=True))
    unit = runs / np.maximum(lengths, 1)
    likeness = np.asarray(unit @ unit.T, dtype=float)
    np.fill_diagonal(likeness, 1)
    return likeness


def _places(text: str) -> Codes:
    """Where the runs of a text fall: each is stirred into a number, lest all the runs there are need a column each."""
    plain = unicodedata.normalize("NFKC", text[:LONGEST_COMPARED]).casefold()
    words = f" {_NO_GAP.sub('', _NO_WORD.sub(' ', plain)).strip()}  "
    letters = np.frombuffer(words.encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
    first, second, third = letters[:-2], letters[1:-1], letters[2:]
    third = np.where(_dense(first), 0, third)
    stirred = (first * _STIR[0] + second * _STIR[1] + third * _STIR[2]) * _STIR[3]
    return np.asarray((stirred >> np.uint64(32)) % np.uint64(PLACES), dtype=np.uint64)


def _dense(letters: Codes) -> NDArray[np.bool_]:
    ranges = [(ord(first) <= letters) & (letters <= ord(last)) for first, last in _DENSE]
    return np.asarray(np.stack(ranges).any(axis=0), dtype=np.bool_)


def _tokens(text: str) -> list[str]:
    """Words, and each dense character, sign or gap alone."""
    tokens: list[str] = []
    is_word = False
    for letter in text:
        continues = letter.isalnum() and not _is_dense(letter)
        if is_word and continues:
            tokens[-1] += letter
        else:
            tokens.append(letter)
        is_word = continues
    return tokens


def _is_dense(letter: str) -> bool:
    return any(first <= letter <= last for first, last in _DENSE)
