"""Byte pair encoding, the way GPT-2, LLaMA and Qwen2 cut a text into tokens (Sennrich et al. 2016).

Each piece of the text begins as single signs; of all neighbours the pair that was learned first is joined, again and
again, until no pair is left that was learned. A join makes the piece shorter by one and asks for two ranks at the most,
so that no table can keep it busy.
Special tokens are never found in the text: what is written there is text.
"""

from __future__ import annotations

import math
import re
import sys
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from grader.weights.errors import WeightsError
from grader.weights.sentence import checked_text

SPACE = "▁"
LATER = r"[^\r\n{L}{N}]?[{L}]+|[{N}]{digits}| ?[^\s{L}{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
SHORT = "(?i:'s|'t|'re|'ve|'m|'ll|'d)|"
# How a text is cut before pairs are joined, by the name that GGUF has for it.
CUTS = {
    "gpt-2": r"'s|'t|'re|'ve|'m|'ll|'d| ?[{L}]+| ?[{N}]+| ?[^\s{L}{N}]+|\s+(?!\S)|\s+",
    "llama-bpe": SHORT + LATER.replace("{digits}", "{1,3}"),
    "qwen2": SHORT + LATER.replace("{digits}", ""),
}


@dataclass(frozen=True, slots=True)
class BytePairs:
    """Ids by token and the rank of a pair of neighbours: the lower, the sooner it is joined; infinity, never.

    Where `cut` names a way to cut, tokens stand for bytes, each written as one letter. Where it is empty, they stand for
    text with ▁ for a space, and what has no token is spelled in bytes like <0xE7>.
    """

    vocabulary: Mapping[str, int]
    rank: Callable[[str, str], float]
    cut: str = ""
    first: str | None = None
    has_space_first: bool = False
    is_composed: bool = False
    takes_whole: bool = False

    def tokens(self, text: str) -> list[str]:
        """The tokens of a text, with the one that begins every text, if there is one. Raises WeightsError."""
        checked = checked_text(text)
        composed = unicodedata.normalize("NFC", checked) if self.is_composed else checked
        spaced = " " + composed if self.has_space_first and composed else composed
        pieces = self._bytes_of(spaced) if self.cut else [self._spelled(spaced.replace(" ", SPACE))]
        found = [token for piece in pieces for token in self._joined(piece)]
        return found if self.first is None else [self.first, *found]

    def ids(self, tokens: list[str]) -> list[int]:
        """The rows of the embedding table that the tokens stand for. Raises WeightsError for one without a row."""
        missing = next((token for token in tokens if token not in self.vocabulary), None)
        if missing is not None:
            raise WeightsError(f"the vocabulary has no token {missing!r}")
        return [self.vocabulary[token] for token in tokens]

    def shown(self, token: str) -> str:
        """A token as a person reads it: ▁ for the space in front, and bytes that are no whole character in hexadecimal."""
        letters = {letter: byte for byte, letter in enumerate(byte_letters())}
        if not self.cut or token == self.first or any(letter not in letters for letter in token):
            return token
        spelled = bytes(letters[letter] for letter in token)
        try:
            return re.sub(r"\s", SPACE, spelled.decode("utf-8"))
        except UnicodeDecodeError:
            return "".join(f"<0x{byte:02X}>" for byte in spelled)

    def _bytes_of(self, text: str) -> list[list[str]]:
        """Each piece of the text as its bytes, a letter a byte."""
        letters = byte_letters()
        return [[letters[byte] for byte in piece.encode()] for piece in cutter(self.cut).findall(text)]

    def _spelled(self, text: str) -> list[str]:
        """Character by character; one without a token in bytes."""
        return [
            part
            for character in text
            for part in ([character] if character in self.vocabulary else [f"<0x{b:02X}>" for b in character.encode()])
        ]

    def _joined(self, piece: list[str]) -> list[str]:
        whole = "".join(piece)
        if self.takes_whole and whole in self.vocabulary:
            return [whole]
        parts, ranks = [*piece], [self.rank(*pair) for pair in pairwise(piece)]
        while (best := min(ranks, default=math.inf)) < math.inf:
            at = ranks.index(best)
            parts[at : at + 2] = ["".join(parts[at : at + 2])]
            del ranks[at]
            for near in range(max(at - 1, 0), min(at + 1, len(ranks))):
                ranks[near] = self.rank(parts[near], parts[near + 1])
        return parts


@lru_cache(maxsize=1)
def byte_letters() -> list[str]:
    """GPT-2's letter for each byte: the visible ones of Latin-1 themselves, for all others the letters from U+0100 on."""
    visible = {*range(33, 127), *range(161, 173), *range(174, 256)}
    others = iter(range(256, 512))
    return [chr(byte if byte in visible else next(others)) for byte in range(256)]


@lru_cache(maxsize=3)
def cutter(cut: str) -> re.Pattern[str]:
    """The expression of a cut, with letters and numbers as Unicode knows them."""
    return re.compile(CUTS[cut].replace("{L}", _ranges("L")).replace("{N}", _ranges("N")))


def _ranges(category: str) -> str:
    """All characters of a category, as ranges for a class of characters."""
    of = [code for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code))[0] == category]
    starts = [code for before, code in pairwise([-2, *of]) if code != before + 1]
    ends = [code for code, after in pairwise([*of, -2]) if after != code + 1]
    return "".join(f"{chr(start)}-{chr(end)}" for start, end in zip(starts, ends, strict=True))
