"""All that one student has done in a course, in the order in which it happened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any
from uuid import UUID

from exercises.enums import GradingProgress, ItemKind, MarkedBy, Verdict
from exercises.models import Attempt, Enrollment, HintTaken, MisconceptionSighting, StudentNote, Submission
from grader.marking.text import Text

EVENTS_SHOWN = 200


class EventKind(StrEnum):
    """What happened."""

    ANSWER = "answer"
    HINT = "hint"
    SOLUTION = "solution"


@dataclass(frozen=True, slots=True)
class Sent:
    """An answer with its mark. `number` counts the tries at the item, 0 for what is none."""

    submission_id: UUID
    kind: ItemKind
    raw_response: dict[str, Any]
    progress: GradingProgress
    number: int
    version: int
    seed: int
    verdict: Verdict | None
    score: Decimal | None
    max_score: Decimal | None
    by_instructor: bool
    misconceptions: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that the student did with an item; `rung` is that of a hint."""

    at: datetime
    kind: EventKind
    item_slug: str
    item_title: Text
    sent: Sent | None = None
    rung: int = 0


@dataclass(frozen=True, slots=True)
class Note:
    """What an instructor noted."""

    author: str
    text: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class StudentPage:
    """One student; the newest events first, and how many there are in all."""

    member: int
    name: str
    username: str
    labels: tuple[str, ...]
    events: tuple[Event, ...]
    events_all: int
    notes: tuple[Note, ...]


def student_page(student: Enrollment) -> StudentPage:
    """Seven queries."""
    events = sorted([*_answers(student), *_hints(student), *_solutions(student)], key=lambda event: event.at)
    events.reverse()
    notes = StudentNote.objects.filter(enrollment=student).select_related("author")
    return StudentPage(
        member=student.pk,
        name=str(student.user),
        username=student.user.username,
        labels=tuple(student.labels.values_list("name", flat=True)),
        events=tuple(events[:EVENTS_SHOWN]),
        events_all=len(events),
        notes=tuple(Note(str(note.author or ""), note.text, note.created_at) for note in notes),
    )


def _answers(student: Enrollment) -> Iterator[Event]:
    submissions = Submission.objects.filter(attempt__enrollment=student).select_related(
        "attempt__item", "attempt__item_version", "standing_mark"
    )
    named: dict[int, list[Text]] = {}
    sightings = MisconceptionSighting.objects.filter(submission__attempt__enrollment=student)
    for shown_in, title in sightings.values_list("submission_id", "title"):
        named.setdefault(shown_in, []).append(Text.from_json(title))
    tries: dict[int, int] = {}
    for submission in submissions.defer("attempt__item_version__definition").order_by("created_at", "pk"):
        item = submission.attempt.item
        tries[item.pk] = tries.get(item.pk, 0) + submission.counted
        yield Event(
            at=submission.created_at,
            kind=EventKind.ANSWER,
            item_slug=item.slug,
            item_title=Text.from_json(item.title),
            sent=_sent(submission, tries[item.pk] if submission.counted else 0, tuple(named.get(submission.pk, ()))),
        )


def _sent(submission: Submission, number: int, misconceptions: tuple[Text, ...]) -> Sent:
    mark = submission.standing_mark
    return Sent(
        submission_id=submission.public_id,
        kind=ItemKind(submission.kind),
        raw_response=submission.raw_response,
        progress=GradingProgress(submission.grading_progress),
        number=number,
        version=submission.attempt.item_version.number,
        seed=submission.attempt.seed,
        verdict=Verdict(mark.verdict) if mark else None,
        score=mark.score if mark else None,
        max_score=mark.max_score if mark else None,
        by_instructor=mark is not None and mark.by == MarkedBy.INSTRUCTOR,
        misconceptions=misconceptions,
    )


def _hints(student: Enrollment) -> Iterator[Event]:
    for hint in HintTaken.objects.filter(attempt__enrollment=student).select_related("attempt__item"):
        item = hint.attempt.item
        yield Event(hint.created_at, EventKind.HINT, item.slug, Text.from_json(item.title), rung=hint.rung)


def _solutions(student: Enrollment) -> Iterator[Event]:
    shown = Attempt.objects.filter(enrollment=student, shown_at__isnull=False).select_related("item")
    for attempt in shown:
        if attempt.shown_at is not None:
            title = Text.from_json(attempt.item.title)
            yield Event(attempt.shown_at, EventKind.SOLUTION, attempt.item.slug, title)
