"""How long the prose of a lesson takes to read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from exercises.markup.passages import passages

# Adults read plain Chinese at some 255 characters a minute. English goes at 230 words; between formulas, a fifth slower.
HAN_A_MINUTE: Final = 255
WORDS_A_MINUTE: Final = 180
_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
_WORD: Final = re.compile(r"[A-Za-z0-9][\w’'.,-]*", re.ASCII)


def reading_minutes(markdown: Iterable[str]) -> int:
    """Whole minutes for texts told in one convention; displayed formulas and figures are not counted."""
    text = " ".join(passage.text for part in markdown for passage in passages(part))
    return max(1, round(len(_HAN.findall(text)) / HAN_A_MINUTE + len(_WORD.findall(text)) / WORDS_A_MINUTE))
