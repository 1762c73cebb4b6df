"""What the instructors of a course did, newest first, a page at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from exercises.enums import Act
from exercises.models import AuditEntry, Course

ENTRIES_PER_PAGE: Final = 50


@dataclass(frozen=True, slots=True)
class ActDone:
    """One act. `actor` is empty once the account is deleted; `act` is in the words of the page."""

    at: datetime
    actor: str
    act: str
    subject: str
    detail: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class LogPage:
    """One page, and what the whole log can be narrowed to."""

    entries: tuple[ActDone, ...]
    actors: tuple[tuple[int, str], ...]
    acts: tuple[tuple[str, str], ...]
    number: int
    has_more: bool


def audit_log(course: Course, *, actor: str = "", act: str = "", number: int = 1) -> LogPage:
    """Page `number`, from 1 on; an actor or an act that is not in the log narrows nothing."""
    entries = AuditEntry.objects.filter(course=course)
    actors = tuple(
        (pk, name or username)
        for pk, name, username in entries.exclude(actor=None)
        .order_by("actor__username")
        .values_list("actor", "actor__display_name", "actor__username")
        .distinct()
    )
    acts = tuple(
        (value, _act_words(value)) for value in entries.order_by("act").values_list("act", flat=True).distinct()
    )
    if actor in {str(pk) for pk, _ in actors}:
        entries = entries.filter(actor=int(actor))
    if act in dict(acts):
        entries = entries.filter(act=act)
    start = (number - 1) * ENTRIES_PER_PAGE
    found = [*entries.select_related("actor")[start : start + ENTRIES_PER_PAGE + 1]]
    shown = tuple(_done(entry) for entry in found[:ENTRIES_PER_PAGE])
    return LogPage(shown, actors, acts, number, has_more=len(found) > ENTRIES_PER_PAGE)


def _done(entry: AuditEntry) -> ActDone:
    actor = (entry.actor.display_name or entry.actor.username) if entry.actor else ""
    return ActDone(entry.created_at, actor, _act_words(entry.act), entry.subject, tuple(_lines(entry.detail)))


def _act_words(value: str) -> str:
    return str(Act(value).label) if value in Act.values else value


def _lines(detail: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(name, _told(value)) for name, value in detail.items()]


def _told(value: object) -> str:
    """A detail as it is read: lists in a row, what is missing as a dash."""
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {_told(inner)}" for name, inner in value.items())
    if isinstance(value, list):
        return ", ".join(map(_told, value))
    return "—" if value in {None, ""} else str(value)
