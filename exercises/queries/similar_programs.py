"""Programs of different students that are built alike, for a person to look at side by side."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from exercises.enums import GradingProgress, ItemKind, Role
from exercises.models import Course, Item, Submission
from exercises.queries.definitions import item_content
from grader.marking.items import CodeItem
from grader.marking.program_likeness import MOST_COMPARED, similar_programs


@dataclass(frozen=True, slots=True)
class Program:
    """One student's latest program."""

    submission_id: UUID
    name: str
    code: str


@dataclass(frozen=True, slots=True)
class SimilarPair:
    """Two programs, and the per cent of their runs of tokens that they share."""

    one: Program
    other: Program
    percent: int


def similar_pairs(course: Course, item: Item) -> tuple[SimilarPair, ...]:
    """The most alike pairs among the students' latest graded programs. One query."""
    submissions = Submission.objects.filter(
        attempt__enrollment__course=course,
        attempt__enrollment__role=Role.STUDENT,
        attempt__item=item,
        kind=ItemKind.CODE,
        counted=True,
        grading_progress=GradingProgress.FULLY_GRADED,
    ).select_related("attempt__enrollment__user")
    latest = {each.attempt.enrollment_id: each for each in submissions.order_by("created_at", "pk")}
    programs = [
        Program(each.public_id, str(each.attempt.enrollment.user), str(each.raw_response["code"]))
        for each in list(latest.values())[:MOST_COMPARED]
    ]
    content = item_content(item.version)
    starters = [content.starter.zh_hans, content.starter.en] if isinstance(content, CodeItem) else []
    pairs = similar_programs([program.code for program in programs], starters)
    return tuple(SimilarPair(programs[pair.one], programs[pair.other], round(pair.likeness * 100)) for pair in pairs)
