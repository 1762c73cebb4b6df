"""Frozen dataclasses as plain JSON and back, for figures that are kept. What is read back equals what was written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints
from uuid import UUID

T = TypeVar("T")

_AS_TEXT = (Decimal, UUID)
_BY_ISO = (datetime, date)


def to_plain(value: object) -> Any:  # noqa: ANN401 -- JSON out
    """Dataclasses become objects, tuples lists, and what JSON has no word for a text."""
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value):
        return {field.name: to_plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple):
        return [to_plain(inner) for inner in value]
    if isinstance(value, _BY_ISO):
        return value.isoformat()
    return str(value) if isinstance(value, _AS_TEXT) else value


def from_plain(kind: type[T], value: Any) -> T:  # noqa: ANN401 -- JSON in
    """Read what `to_plain` wrote of a value of that type. Raises KeyError, TypeError or ValueError for anything else."""
    read: Callable[[Any], T] = _reader(kind)  # type: ignore[arg-type] # a class is hashable
    return read(value)


@cache
def _reader(kind: Any) -> Any:  # noqa: ANN401 -- types are values here
    arguments = get_args(kind)
    if get_origin(kind) is tuple:
        inner = _reader(arguments[0])
        return lambda value: tuple(map(inner, value))
    if isinstance(kind, UnionType):
        [some] = [each for each in arguments if each is not NoneType]
        inner = _reader(some)
        return lambda value: None if value is None else inner(value)
    if is_dataclass(kind):
        return _dataclass_reader(kind)
    return kind.fromisoformat if kind in _BY_ISO else kind


def _dataclass_reader(kind: Any) -> Any:  # noqa: ANN401 -- the same
    hints = get_type_hints(kind)
    readers = {field.name: _reader(hints[field.name]) for field in fields(kind)}

    def read(value: Mapping[str, Any]) -> Any:  # noqa: ANN401 -- the same
        return kind(**{name: reader(value[name]) for name, reader in readers.items()})

    return read
