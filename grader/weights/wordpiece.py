"""WordPiece, the way BERT cuts a text into tokens: words first, then the longest pieces that the vocabulary has."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.weights.errors import WeightsError
from grader.weights.sentence import checked_text

FIRST, LAST, UNKNOWN = "[CLS]", "[SEP]", "[UNK]"
MAX_VOCABULARY_BYTES = 16 * 2**20
MAX_WORD = 100
# ASCII signs that Unicode calls symbols, and BERT punctuation.
SYMBOLS = frozenset("$+<=>^`|~")
HAN = ((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0xF900, 0xFAFF), (0x20000, 0x2FA1F))


@dataclass(frozen=True, slots=True)
class WordPiece:
    """Ids by token. A piece that continues a word begins with ##."""

    vocabulary: dict[str, int]
    is_lower: bool = True

    @classmethod
    def from_file(cls, path: Path, *, is_lower: bool = True) -> WordPiece:
        """A vocabulary with one token a line, in the order of their ids. Raises WeightsError."""
        try:
            if path.stat().st_size > MAX_VOCABULARY_BYTES:
                raise WeightsError(f"{path.name} is too large for a vocabulary")
            tokens = path.read_text(encoding="utf-8").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise WeightsError(f"the vocabulary cannot be read: {error}") from None
        vocabulary = {token.rstrip("\r"): index for index, token in enumerate(tokens)}
        missing = [token for token in (FIRST, LAST, UNKNOWN) if token not in vocabulary]
        if missing:
            raise WeightsError(f"{path.name} has no {', '.join(missing)}, so it is no vocabulary of WordPiece")
        return cls(vocabulary, is_lower)

    def tokens(self, text: str) -> list[str]:
        """The tokens of a text, [CLS] first and [SEP] last. Raises WeightsError for a text that is too long."""
        pieces = [piece for word in self._words(checked_text(text)) for piece in self._pieces(word)]
        return [FIRST, *pieces, LAST]

    def ids(self, tokens: list[str]) -> list[int]:
        """The rows of the embedding table that the tokens stand for."""
        return [self.vocabulary[token] for token in tokens]

    def shown(self, token: str) -> str:
        """A token as a person reads it: as it is."""
        return token

    def _words(self, text: str) -> Iterator[str]:
        """Runs of letters and digits; every sign of punctuation and every Chinese character is a word of its own."""
        word = ""
        for character in self._plain(text):
            if character.isspace() or _stands_alone(character):
                if word:
                    yield word
                word = ""
                if not character.isspace():
                    yield character
            else:
                word += character
        if word:
            yield word

    def _plain(self, text: str) -> str:
        """Without control characters; in lower case and without accents, where the vocabulary is so."""
        visible = "".join(c for c in text if c.isspace() or unicodedata.category(c)[0] != "C")
        if not self.is_lower:
            return visible
        return "".join(c for c in unicodedata.normalize("NFD", visible.lower()) if unicodedata.category(c) != "Mn")

    def _pieces(self, word: str) -> list[str]:
        pieces: list[str] = []
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            ends = range(min(len(word), MAX_WORD), start, -1)
            end = next((end for end in ends if mark + word[start:end] in self.vocabulary), None)
            if end is None or len(word) > MAX_WORD:
                return [UNKNOWN]
            pieces.append(mark + word[start:end])
            start = end
        return pieces


def _stands_alone(character: str) -> bool:
    is_sign = character in SYMBOLS or unicodedata.category(character).startswith("P")
    return is_sign or any(low <= ord(character) <= high for low, high in HAN)
