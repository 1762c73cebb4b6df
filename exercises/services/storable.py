"""Text from outside in a form that every database stores and every reader reads.

PostgreSQL refuses a zero byte in text and JSON, no encoder takes half of a surrogate pair, and NaN is not JSON. Each is
replaced by a visible sign before anything is stored, digested or marked, so that what is marked is what is stored.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from grader.marking.response import Problem, ResponseError
from grader.marking.text import Text

# A matrix of a field of a response is four levels deep; what nests deeper is no response.
DEEPEST = 12
TOO_DEEP = Text("提交的内容嵌套过深，无法识别。", "What was sent is nested too deeply to be an answer.")

_SURROGATE = re.compile("[\ud800-\udfff]")


def storable_text(text: str) -> str:
    """The text with zero bytes shown as ␀ and halves of characters as �."""
    return _SURROGATE.sub("�", text.replace("\0", "␀"))


def storable_json(value: object, *, depth: int = 0) -> Any:  # noqa: ANN401 -- JSON in, JSON out
    """The same for each text in a JSON value; a number that is not finite becomes its name."""
    if depth > DEEPEST:
        raise ResponseError([Problem(text=TOO_DEEP)])
    if isinstance(value, str):
        return storable_text(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, Mapping):
        return {storable_text(str(key)): storable_json(inner, depth=depth + 1) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [storable_json(inner, depth=depth + 1) for inner in value]
    return value
