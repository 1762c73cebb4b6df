"""A shape as learners write it: [768, S], (768, S), 768×S, 768 x S, from any keyboard; numbers and letters mix.

Letters are those of the item and no others. They are also read without their underscore (dk) and, where only one letter
can be meant, in the other case. Brackets around the whole mean nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from grader.marking.response import refuse
from grader.marking.signs import plain

Size = int | str
Sizes = tuple[Size, ...]

MAX_CHARACTERS: Final = 100
MAX_DIGITS: Final = 9

_CALLED = re.compile(r"\s*(?:torch\.Size|(?:\w+\.)?shape\s*=?)\s*(?=[\[({])")
_TEX_INDEX = re.compile(r"_(?:\{\s*)?(?:\\(?:text|mathrm|mathit)\s*)?\{\s*(\w+)\s*\}(?:\s*\})?")
_LONE_X = re.compile(r"(?<=\s)[xX](?=\s)")
_SEPARATOR = re.compile(r"\s*[*,;]\s*|\s+")
_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}


def parse_shape(text: str, letters: tuple[str, ...], *, at: str) -> Sizes:
    """The sizes in their order; `()` is the shape of a single number. Raises ResponseError."""
    if len(text) > MAX_CHARACTERS:
        raise refuse("shape_too_long", at=at, limit=str(MAX_CHARACTERS))
    line = _TEX_INDEX.sub(r"_\1", plain(text).replace("、", ","))
    line = _LONE_X.sub("*", _bare(_CALLED.sub("", line, count=1).strip(), at))
    words = _SEPARATOR.split(line)
    if not words[-1]:
        words.pop()  # (768,) ends in a comma
    spellings = _spellings(letters)
    return tuple(size for word in words for size in _sizes(word, spellings, at))


def _bare(line: str, at: str) -> str:
    """The line without the brackets around it."""
    while line and line[0] in _CLOSING:
        if line[-1] != _CLOSING[line[0]]:
            raise refuse("shape_bracket", at=at)
        line = line[1:-1].strip()
    return line


def _sizes(word: str, spellings: Mapping[str, str], at: str) -> Iterator[Size]:
    """One size, or several with an x in between."""
    parts = [word] if _is_size(word, spellings) else re.split("[xX]", word)
    for part in parts:
        if not _is_size(part, spellings):
            known = ", ".join(dict.fromkeys(spellings.values()))
            raise refuse("shape_unknown", at=at, text=word[:20], known=known)
        yield spellings[part] if part in spellings else int(part)


def _is_size(word: str, spellings: Mapping[str, str]) -> bool:
    return word in spellings or (word.isascii() and word.isdecimal() and len(word) <= MAX_DIGITS)


@lru_cache(maxsize=256)
def _spellings(letters: tuple[str, ...]) -> Mapping[str, str]:
    """What may be written for each letter: itself before anything that only resembles it."""
    spellings = {letter: letter for letter in letters}
    for changed in ([letter.replace("_", "") for letter in letters], [letter.swapcase() for letter in letters]):
        for spelling, letter in zip(changed, letters, strict=True):
            if changed.count(spelling) == 1:
                spellings.setdefault(spelling, letter)
    return spellings
