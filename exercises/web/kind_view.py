"""The inputs of items about shapes, pairs and orders: what each shows, and how it was judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any

from exercises.web.field_view import ProblemView
from exercises.web.responses import pair_name, place_name, shape_name
from exercises.web.words import FIELDS, ROLES, Sign
from grader.marking.items import Entry, Line, Target
from grader.marking.mark import Finding, Mark
from grader.marking.response import Problem
from grader.marking.text import Text
from grader.marking.variants import FieldShape


@dataclass(frozen=True, slots=True)
class ShapeView:
    """One shape to type."""

    asked: FieldShape
    role: str
    name: str
    id: str
    value: str
    sign: Sign | None
    problem: Text | None
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class TargetView:
    """One of the targets beside an entry; the letter names its place on this page."""

    letter: str
    key: str
    id: str
    text: Text
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class PairView:
    """One entry to match, with the targets to choose from."""

    text: Text
    name: str
    targets: tuple[TargetView, ...]
    sign: Sign | None
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class LineView:
    """One line to put in its place; the place is empty where it is left out. The letter is that of the variant."""

    letter: str
    text: Text
    is_code: bool
    name: str
    id: str
    place: int | None


def shape_views(
    slug: str,
    asked: Sequence[FieldShape],
    response: Mapping[str, Any],
    marking: Mark | None,
    problems: Sequence[Problem],
) -> tuple[ShapeView, ...]:
    """A box for each asked shape, with what was typed."""
    typed = response.get("fields", {})
    signs, refused = _signs(marking), {problem.field: problem.text for problem in problems}
    return tuple(
        ShapeView(
            asked=field,
            role=ROLES.get(field.name[:1], ""),
            name=shape_name(field.name),
            id=f"{slug}-{shape_name(field.name)}",
            value=_written(typed.get(field.name, "")),
            sign=signs.get(field.name),
            problem=refused.get(field.name),
            findings=_about(field.name, marking),
        )
        for field in asked
    )


def pair_views(
    slug: str, entries: Sequence[Entry], targets: Sequence[Target], response: Mapping[str, Any], marking: Mark | None
) -> tuple[PairView, ...]:
    """The entries in the order of this variant."""
    pairs, signs = response.get("pairs", {}), _signs(marking)
    return tuple(
        PairView(
            text=entry.text,
            name=pair_name(entry.key),
            targets=tuple(
                TargetView(
                    letter,
                    target.key,
                    f"{slug}-{target_name(entry.key, target.key)}",
                    target.text,
                    pairs.get(entry.key) == target.key,
                )
                for letter, target in zip(ascii_uppercase, targets, strict=False)
            ),
            sign=signs.get(entry.key),
            findings=_about(entry.key, marking),
        )
        for entry in entries
    )


def line_views(slug: str, lines: Sequence[Line], response: Mapping[str, Any]) -> tuple[LineView, ...]:
    """The lines in the order in which they were put, what was left out below them; at first as the variant has them."""
    places = {
        key: place
        for place, keys in enumerate(response.get("order", []), start=1)
        for key in (keys if isinstance(keys, list) else [keys])
    }
    views = [
        LineView(
            letter,
            line.text,
            line.is_code,
            place_name(line.key),
            f"{slug}-{place_name(line.key)}",
            places.get(line.key),
        )
        for letter, line in zip(ascii_uppercase, lines, strict=False)
    ]
    return tuple(sorted(views, key=lambda view: view.place or len(lines) + 1))


def shape_problems(slug: str, problems: Sequence[Problem], default_anchor: str) -> tuple[ProblemView, ...]:
    """The error summary of shapes: each line leads to its box."""
    return tuple(
        ProblemView(
            text=problem.text,
            anchor=f"{slug}-{shape_name(problem.field)}" if problem.field else default_anchor,
            place=problem.field,
        )
        for problem in problems
    )


def target_name(entry: str, target: str) -> str:
    """The end of the id of one target beside one entry."""
    return f"{pair_name(entry)}-{target}"


def _signs(marking: Mark | None) -> Mapping[str, Sign]:
    return {field.name: FIELDS[field.state] for field in marking.fields} if marking else {}


def _about(name: str, marking: Mark | None) -> tuple[Finding, ...]:
    return tuple(found for found in marking.findings if found.field == name) if marking else ()


def _written(typed: object) -> str:
    """A list that came by the API as it would be written."""
    return f"[{', '.join(map(str, typed))}]" if isinstance(typed, list) else str(typed)
