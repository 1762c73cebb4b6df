"""How long a sentence may be: a head's tables are as wide and as high as it has tokens."""

from __future__ import annotations

from collections.abc import Sequence

from grader.weights.errors import WeightsError

MAX_TEXT = 2000
# As many as BERT has places for. Every head of a layer keeps a table of the square of them.
MAX_SENTENCE = 512


def checked_text(text: str) -> str:
    """The text itself. Raises WeightsError for one that is too long, or holds what is no character."""
    if len(text) > MAX_TEXT:
        raise WeightsError(f"a text of {len(text)} characters is too long; {MAX_TEXT} are the most")
    if any(0xD800 <= ord(character) <= 0xDFFF for character in text):  # noqa: PLR2004 -- halves of a pair of UTF-16
        raise WeightsError("the text holds bytes that are no characters of UTF-8")
    return text


def check_sentence(tokens: Sequence[object]) -> None:
    """Raises WeightsError where there are no tokens, or too many to be run."""
    if not tokens:
        raise WeightsError("the text has no tokens")
    if len(tokens) > MAX_SENTENCE:
        raise WeightsError(f"the text has {len(tokens)} tokens; {MAX_SENTENCE} are the most that are run")
