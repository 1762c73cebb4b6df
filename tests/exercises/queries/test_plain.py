from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

import pytest

from exercises.queries.plain import from_plain, to_plain
from grader.marking.text import Text


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True, slots=True)
class Inner:
    score: Decimal
    colour: Colour


@dataclass(frozen=True, slots=True)
class Outer:
    name: Text
    parts: tuple[Inner, ...]
    some: Inner | None
    none: Inner | None
    at: datetime
    on: date
    key: UUID
    share: float | None
    rungs: tuple[int, ...]


WHOLE = Outer(
    name=Text("名", "name"),
    parts=(Inner(Decimal("0.300"), Colour.RED), Inner(Decimal(2), Colour.RED)),
    some=Inner(Decimal(1), Colour.RED),
    none=None,
    at=datetime(2026, 3, 1, 12, 30, tzinfo=UTC),
    on=date(2026, 3, 1),
    key=UUID(int=7),
    share=0.1,
    rungs=(3, 1),
)


def test_what_is_read_back_is_what_was_written():
    kept = json.loads(json.dumps(to_plain(WHOLE)))
    assert kept["parts"][0] == {"score": "0.300", "colour": "red"}
    assert from_plain(Outer, kept) == WHOLE


def test_another_form_is_refused():
    with pytest.raises(KeyError):
        from_plain(Inner, {"score": "1"})
    with pytest.raises(ValueError, match="blue"):
        from_plain(Inner, {"score": "1", "colour": "blue"})
