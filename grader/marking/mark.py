"""The result of marking, and the plain JSON that carries it over the queue and into the database.

A mark holds the words that were shown, not only the slugs: replaying an old mark shows what the learner saw.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any, Self

from grader.marking.finding import Finding, remark
from grader.marking.run_report import RunReport
from grader.marking.verdict import Verdict

__all__ = ["CellState", "FieldMark", "FieldState", "Finding", "Mark", "remark", "verdict_for"]


class CellState(StrEnum):
    """How one typed number was judged."""

    RIGHT = "right"
    WRONG = "wrong"
    ROUNDED_EARLY = "rounded_early"
    BLANK = "blank"


class FieldState(StrEnum):
    """How one field was judged; `FOLLOWS` is right given an earlier field that is not."""

    RIGHT = "right"
    FOLLOWS = "follows"
    WRONG = "wrong"
    BLANK = "blank"


@dataclass(frozen=True, slots=True)
class FieldMark:
    """One field of a numeric item: its state, and the state of each cell as rows of cells."""

    name: str
    state: FieldState
    cells: tuple[tuple[CellState, ...], ...]

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {"name": self.name, "state": self.state, "cells": [list(row) for row in self.cells]}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Read what `to_json` wrote."""
        cells = tuple(tuple(CellState(cell) for cell in row) for row in value["cells"])
        return cls(name=value["name"], state=FieldState(value["state"]), cells=cells)


@dataclass(frozen=True, slots=True)
class Mark:
    """Verdict, score, and everything that explains them.

    `credit` is what stands after this try by the item's policy; None where the tries before it are not known.
    """

    verdict: Verdict
    score: Decimal
    max_score: Decimal
    fields: tuple[FieldMark, ...] = ()
    findings: tuple[Finding, ...] = ()
    run: RunReport | None = None
    credit: Decimal | None = None

    @property
    def misconceptions(self) -> tuple[str, ...]:
        """Slugs of the named misconceptions, each once, in the order found."""
        return tuple(dict.fromkeys(found.slug for found in self.findings if found.is_misconception))

    def to_json(self) -> dict[str, Any]:
        """Plain JSON; scores are strings, since a binary float is no mark."""
        return {
            "verdict": self.verdict,
            "score": str(self.score),
            "max_score": str(self.max_score),
            "fields": [field.to_json() for field in self.fields],
            "findings": [finding.to_json() for finding in self.findings],
            "run": self.run.to_json() if self.run else None,
            "credit": None if self.credit is None else str(self.credit),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Read what `to_json` wrote, today or in an earlier form.

        Raises KeyError, TypeError, ValueError or ArithmeticError where the value is no mark: the caller got it from a
        process that ran hostile code.
        """
        return cls(
            verdict=Verdict(value["verdict"]),
            score=Decimal(value["score"]),
            max_score=Decimal(value["max_score"]),
            fields=tuple(FieldMark.from_json(field) for field in value.get("fields", ())),
            findings=tuple(Finding.from_json(finding) for finding in value.get("findings", ())),
            run=RunReport.from_json(value["run"]) if value.get("run") else None,
            credit=Decimal(value["credit"]) if value.get("credit") else None,
        )


def verdict_for(score: Decimal, max_score: Decimal) -> Verdict:
    """Full score is correct, none is incorrect, anything between is partially correct."""
    if score == max_score:
        return Verdict.CORRECT
    return Verdict.PARTIALLY_CORRECT if score > 0 else Verdict.INCORRECT
