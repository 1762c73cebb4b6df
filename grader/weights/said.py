"""What a model says of itself, in its metadata or its config.json: each value of the kind it should be, or refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grader.weights.errors import WeightsError

Said = Mapping[str, Any]
MOST_SHOWN = 60


def shown(value: object) -> str:
    """A value as one short line, whatever it is: it may come from a hostile file."""
    text = ascii(value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"


def count(said: Said, *keys: str) -> int | None:
    """The first of these keys that is there, a whole number from 1 on; None where none is. Raises WeightsError."""
    key = _first(said, keys)
    if key is None:
        return None
    if type(said[key]) is not int or said[key] < 1:
        raise WeightsError(f"{key} is {shown(said[key])}, and should be a whole number from 1 on")
    return int(said[key])


def number(said: Said, *keys: str, otherwise: float, above: float, below: float) -> float:
    """The first of these keys that is there, a number between two others. Raises WeightsError for anything else."""
    key = _first(said, keys)
    value = otherwise if key is None else said[key]
    if type(value) not in {int, float} or not above < value < below:
        raise WeightsError(f"{key} is {shown(value)}, and should be a number between {above:g} and {below:g}")
    return float(value)


def flag(said: Said, key: str, *, otherwise: bool) -> bool:
    """True or false; `otherwise` where the key is not there. Raises WeightsError for anything else."""
    value = said.get(key)
    if value is not None and not isinstance(value, bool):
        raise WeightsError(f"{key} is {shown(value)}, and should be true or false")
    return otherwise if value is None else value


def only(said: Said, known: Mapping[str, tuple[object, ...]]) -> None:
    """Raises WeightsError where a model says of itself what our formulas do not do. What it leaves out is as we do it."""
    for key, values in known.items():
        if said.get(key) is not None and said[key] not in values:
            raise WeightsError(
                f"the model says {key} = {shown(said[key])}; a sentence is run only where it is {values[0]!r}"
            )


def _first(said: Said, keys: tuple[str, ...]) -> str | None:
    """JSON writes null for what is not said."""
    return next((key for key in keys if said.get(key) is not None), None)
