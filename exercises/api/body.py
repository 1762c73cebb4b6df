"""Reading a request's body: strict JSON of bounded size and depth.

Python's own reader takes NaN and Infinity, lets the last of two equal keys win, and nests as deep as the stack. Each of
these has broken some service, so each is refused here with the place and the reason.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import IO, Any

from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from exercises.api import words
from exercises.api.problems import Fault, Refusal, pointer, refuse
from exercises.services.attempt_start import SEEDS
from exercises.services.storable import storable_text
from grader.marking.text import Text

# 64 KiB of code may take six times as much once its characters are escaped.
MOST_BYTES = 512 * 1024
DEEPEST = 32
LONGEST_SHOWN = 40
# Seeds are drawn below 2 to the 53rd, and move on by little.
MOST_SEED = 2 * SEEDS


class StrictJSONParser(BaseParser):
    """Reads application/json, or refuses it."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,  # noqa: ARG002 -- the signature of a parser
        parser_context: Mapping[str, Any] | None = None,  # noqa: ARG002
    ) -> Any:  # noqa: ANN401 -- JSON
        """The value in the body."""
        body: bytes = stream.read(MOST_BYTES + 1)
        if len(body) > MOST_BYTES:
            raise refuse(413, "body_too_large", words.BODY_TOO_LARGE.fill(limit=str(MOST_BYTES // 1024)))
        return read_json(body)


def read_json(body: bytes) -> Any:  # noqa: ANN401 -- JSON
    """The value that the bytes hold. Raises Refusal with status 400."""
    try:
        value = json.loads(
            body.decode("utf-8"),
            parse_constant=_no_constant,
            parse_float=_finite,
            parse_int=_whole,
            object_pairs_hook=_each_key_once,
        )
    except UnicodeDecodeError:
        raise refuse(400, "body_not_utf8", words.BODY_NOT_UTF8) from None
    except json.JSONDecodeError as error:
        place = {"line": str(error.lineno), "column": str(error.colno)}
        raise refuse(400, "body_not_json", words.BODY_NOT_JSON.fill(**place)) from None
    except RecursionError:
        raise _too_deep() from None
    if not _is_shallow(value):
        raise _too_deep()
    return value


def object_of(request: Request, *, required: str = "", known: Iterable[str] = ()) -> dict[str, Any]:
    """The body as an object that has the required key and no unknown one. Raises Refusal."""
    data = request.data
    if not isinstance(data, dict):
        raise refuse(400, "object_expected", words.OBJECT_WANTED)
    names = {required, *known} - {""}
    faults = [_unknown(key, names) for key in data if key not in names]
    if required and required not in data:
        missing = Fault("required", words.FIELD_MISSING.fill(key=required), pointer(required))
        faults.insert(0, missing)
    if faults:
        raise Refusal(400, faults)
    return data


def flag_of(data: Mapping[str, Any], name: str) -> bool:
    """A boolean of the body, false where it is not given. Raises Refusal."""
    value = data.get(name, False)
    if not isinstance(value, bool):
        raise refuse(400, "boolean_expected", words.BOOLEAN_WANTED, pointer=pointer(name))
    return value


def seed_of(data: Mapping[str, Any]) -> int | None:
    """A seed of the body, none where it is not given. Raises Refusal."""
    seed = data.get("seed")
    if seed is None:
        return None
    if type(seed) is not int or not 0 <= seed <= MOST_SEED:
        detail = words.SEED_WANTED.fill(most=str(MOST_SEED))
        raise refuse(400, "seed_expected", detail, pointer=pointer("seed"))
    return seed


def _unknown(key: str, names: Iterable[str]) -> Fault:
    shown = storable_text(key)[:LONGEST_SHOWN]
    return Fault("unknown_key", words.FIELD_UNKNOWN.fill(key=shown, known=", ".join(sorted(names))), pointer(shown))


def _no_constant(word: str) -> float:
    raise refuse(400, "number_not_json", words.NUMBER_NOT_JSON.fill(number=word))


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise _number_too_large()
    return value


def _whole(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:  # Python reads 4300 digits at most
        raise _number_too_large() from None


def _number_too_large() -> Refusal:
    return refuse(400, "number_too_large", words.NUMBER_TOO_LARGE)


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
    raise refuse(400, "key_twice", words.KEY_TWICE.fill(key=storable_text(twice)[:LONGEST_SHOWN]))


def _is_shallow(value: object) -> bool:
    level = [value]
    for _ in range(DEEPEST):
        level = [inner for outer in level if isinstance(outer, dict | list) for inner in _inside(outer)]
        if not level:
            return True
    return False


def _inside(outer: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return outer.values() if isinstance(outer, dict) else outer


def _too_deep() -> Refusal:
    detail: Text = words.TOO_DEEP.fill(limit=str(DEEPEST))
    return refuse(400, "nested_too_deeply", detail)
