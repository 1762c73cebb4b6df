"""A raw response, understood or refused. What is refused is not counted, and says where and how to mend it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from grader.marking.items import CodeItem, FreeTextItem, Item, LabItem, PredictItem
from grader.marking.phrases import phrase
from grader.marking.text import Text

MAX_CODE_BYTES = 64 * 1024

RawResponse = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that could not be understood; `row` and `column` count from 0 within the field."""

    text: Text
    field: str = ""
    row: int = 0
    column: int = 0


class ResponseError(ValueError):
    """A response that is not understood, and so not counted."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(problem.text.en for problem in self.problems))


def refuse(name: str, /, *, at: str = "", **values: str) -> ResponseError:
    """A ResponseError of one problem with the phrase of that name, about the field `at` or the whole response."""
    return ResponseError([Problem(phrase(f"response.{name}", **values), at)])


def check_free_text(item: FreeTextItem, raw_response: RawResponse) -> None:
    """Raises ResponseError for an answer that is no text, shows nothing, or is too long."""
    text = _text(raw_response, "text")
    if not any(map(_shows, text)):
        raise refuse("text_empty")
    if len(text) > item.max_chars:
        raise refuse("text_too_long", limit=str(item.max_chars), found=str(len(text)))


def check_code(raw_response: RawResponse) -> None:
    """Raises ResponseError for code that is no text, shows nothing, or is over 64 KiB."""
    code = _text(raw_response, "code")
    if not any(map(_shows, code)):
        raise refuse("code_empty")
    size = len(code.encode("utf-8", "surrogatepass"))
    if size > MAX_CODE_BYTES:
        raise refuse("code_too_long", limit=str(MAX_CODE_BYTES // 1024), found=str(-(-size // 1024)))


def essence(item: Item, response: RawResponse) -> RawResponse:
    """What makes it another answer: not the blanks around a cell or a text, nor those at the ends of lines of code.

    Nor does another guess, once there is something to see.
    """
    strip = _bare_lines if isinstance(item, CodeItem) else str.strip
    bare = {key: _tidy(value, strip) for key, value in response.items()}
    return {**bare, "guess": ""} if isinstance(item, PredictItem | LabItem) else bare


def _tidy(value: object, strip: Callable[[str], str]) -> object:
    if isinstance(value, str):
        return strip(value)
    if isinstance(value, Mapping):
        return {key: _tidy(inner, strip) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_tidy(inner, strip) for inner in value]
    return value


def _bare_lines(code: str) -> str:
    """A program without what nobody sees at the ends of its lines, and without the empty lines after it."""
    return "\n".join(line.rstrip() for line in re.split(r"\r\n|\r|\n", code)).rstrip("\n")


def _text(raw_response: RawResponse, key: str) -> str:
    text = raw_response.get(key)
    if not isinstance(text, str):
        raise refuse("form", expected=f'{{"{key}": "…"}}')
    return text


def _shows(character: str) -> bool:
    """Whether a reader would see anything: blanks, controls and zero-width marks show nothing."""
    return unicodedata.category(character)[0] not in "CZ"
