"""Wrong answers that no misconception explains, those that are the same answer together: what is worth a name next."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef

from exercises.enums import ItemKind, MarkedBy, Role, Verdict
from exercises.models import Course, Mark, MisconceptionSighting, Submission
from exercises.queries.definitions import attempt_content
from grader.marking.alike import Likeness, likeness
from grader.marking.mark import Mark as Marking
from grader.marking.text import Text

# The latest of so many are looked at: what was answered long ago was for other words and other numbers.
LOOKED_AT = 2_000
GROUPS_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Unexplained:
    """One wrong answer that several may have given. `example` is the latest of them, as it was sent, on its numbers."""

    key: str
    item_slug: str
    item_title: Text
    kind: ItemKind
    likeness: Likeness
    answers: int
    students: int
    example: dict[str, Any]
    variant: dict[str, Any]
    lesson_slug: str


@dataclass(frozen=True, slots=True)
class UnexplainedAnswers:
    """The answers that most students gave come first; `more` were given by fewer."""

    groups: tuple[Unexplained, ...]
    more: int


def unexplained_answers(course: Course) -> UnexplainedAnswers:
    """One query, and each of the answers compared with the right one."""
    groups: dict[tuple[str, str], list[tuple[Submission, Likeness]]] = {}
    for submission, mark in _wrong(course):
        found = likeness(attempt_content(submission.attempt), submission.attempt.variant, submission.raw_response, mark)
        groups.setdefault((submission.attempt.item.slug, found.key), []).append((submission, found))
    every = [_group(slug, key, members) for (slug, key), members in groups.items()]
    every.sort(key=lambda each: (-each.students, -each.answers, each.item_slug, each.key))
    return UnexplainedAnswers(tuple(every[:GROUPS_SHOWN]), len(every[GROUPS_SHOWN:]))


def _wrong(course: Course) -> Iterable[tuple[Submission, Marking]]:
    submissions = (
        Submission.objects.filter(
            ~Exists(MisconceptionSighting.objects.filter(submission=OuterRef("pk"))),
            counted=True,
            attempt__enrollment__course=course,
            attempt__enrollment__role=Role.STUDENT,
            attempt__item__is_active=True,
            standing_mark__by=MarkedBy.AUTO,
        )
        .exclude(standing_mark__verdict=Verdict.CORRECT)
        .select_related("attempt__item__lesson", "attempt__item_version", "standing_mark")
        .order_by("-pk")[:LOOKED_AT]
    )
    for submission in submissions:
        mark = submission.standing_mark
        if isinstance(mark, Mark) and mark.feedback:
            yield submission, Marking.from_json(mark.feedback)


def _group(slug: str, key: str, members: list[tuple[Submission, Likeness]]) -> Unexplained:
    latest, alike = members[0]
    attempt = latest.attempt
    return Unexplained(
        key=hashlib.sha256(key.encode()).hexdigest()[:12],
        item_slug=slug,
        item_title=Text.from_json(attempt.item.title),
        kind=ItemKind(attempt.item.kind),
        likeness=alike,
        answers=len(members),
        students=len({each.attempt.enrollment_id for each, _ in members}),
        example=latest.raw_response,
        variant=attempt.variant,
        lesson_slug=attempt.item.lesson.slug,
    )
