"""What a learner can do, skill by skill, with the evidence for it.

Evidence is the first answer to each attempt: later ones have seen a verdict. A skill is mastered by three right first
answers without a hint, on different numbers and not all on one day; FSRS says when it wants to be shown again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from typing import Final, TypedDict, cast
from uuid import UUID

from django.db.models import Exists, OuterRef
from django.utils import timezone

from exercises.enums import ItemKind, Verdict
from exercises.models import Enrollment, HintTaken, Item, Submission
from exercises.queries.memory import Memory, Recall, memory_of
from exercises.queries.terms import barred, is_hidden
from grader.marking.text import Text

SUCCESSES_TO_MASTER: Final = 3
# Of these kinds each attempt has other numbers; the others ask the same again.
DRAWN_ANEW: Final = frozenset({ItemKind.NUMERIC, ItemKind.PREDICT})
# Free text waits for a person, and a lab is no quick recall: both are evidence, and neither comes back for review.
NOT_RECALLED: Final = frozenset({ItemKind.FREE_TEXT, ItemKind.LAB})


class SkillState(StrEnum):
    """What is known of one skill of one learner."""

    NEW = "new"
    BEGUN = "begun"
    MASTERED = "mastered"
    DUE = "due"


@dataclass(frozen=True, slots=True)
class SkillItem:
    """An item that practises the skill."""

    pk: int
    slug: str
    title: Text
    kind: ItemKind
    lesson_slug: str
    has_policy: bool

    @property
    def is_recalled(self) -> bool:
        """Whether reviews draw on it; a policy counts tries, which a review must not use up."""
        return self.kind not in NOT_RECALLED and not self.has_policy


@dataclass(frozen=True, slots=True)
class Evidence:
    """One first answer. `is_counted` says whether it is one of the successes that mastery asks for."""

    item: SkillItem
    submission_id: UUID
    sent_at: datetime
    is_right: bool
    had_hint: bool
    is_counted: bool

    @property
    def recall(self) -> Recall:
        """The same as a recall of the skill."""
        if not self.is_right:
            return Recall.MISSED
        return Recall.WITH_HELP if self.had_hint else Recall.ALONE

    @property
    def day(self) -> date:
        """The learner's day on which it was sent."""
        return timezone.localdate(self.sent_at)


@dataclass(frozen=True, slots=True)
class SkillStanding:
    """One skill of one learner, its evidence in the order of time."""

    slug: str
    title: Text
    summary: Text
    items: tuple[SkillItem, ...]
    evidence: tuple[Evidence, ...]
    memory: Memory | None

    @property
    def successes(self) -> int:
        """How many successes count towards mastery."""
        return sum(each.is_counted for each in self.evidence)

    @property
    def has_later_day(self) -> bool:
        """Whether they lie on more than one day."""
        return len({each.day for each in self.evidence if each.is_counted}) > 1

    @property
    def is_mastered(self) -> bool:
        """Whether all that mastery asks for is there, and the latest answer does not speak against it."""
        is_enough = self.successes >= SUCCESSES_TO_MASTER and self.has_later_day
        return is_enough and self.evidence[-1].is_right

    @property
    def due_on(self) -> date | None:
        """The day on which it wants to be shown again."""
        return timezone.localdate(self.memory.due_at) if self.memory else None

    @property
    def is_due(self) -> bool:
        """Whether that day has come."""
        return self.due_on is not None and self.due_on <= timezone.localdate()

    @property
    def state(self) -> SkillState:
        """The one word for all of this."""
        if not self.evidence:
            return SkillState.NEW
        if self.is_due:
            return SkillState.DUE
        return SkillState.MASTERED if self.is_mastered else SkillState.BEGUN


class _FirstAnswer(TypedDict):
    """One row of the query for evidence."""

    public_id: UUID
    attempt__enrollment_id: int
    attempt_id: int
    attempt__item_id: int
    attempt__seed: int
    created_at: datetime
    standing_mark__verdict: str | None
    had_hint: bool


def skill_standings(enrollments: Collection[Enrollment]) -> Mapping[int, tuple[SkillStanding, ...]]:
    """Enrollment id -> its skills in the order of the lessons. Three queries, however many enrollments there are."""
    practised = _skills({each.course.curriculum_id for each in enrollments})
    bars = barred(enrollments)
    answers = _first_answers(enrollments, {pk: each.withheld for pk, each in bars.items()})
    standings = {}
    for each in enrollments:
        with timezone.override(each.course.zone):
            standings[each.pk] = tuple(
                _standing(words, _as_barred(items, bars[each.pk].shut), answers.get(each.pk, ()))
                for words, items in practised.get(each.course.curriculum_id, {}).values()
            )
    return standings


_Skills = dict[int, dict[str, tuple[dict[str, dict[str, str]], list[SkillItem]]]]


def _skills(curriculums: Collection[int]) -> _Skills:
    """Curriculum id -> slug -> the words of the skill, and its items."""
    rows = Item.objects.filter(curriculum__in=curriculums, is_active=True).select_related("lesson")
    skills: _Skills = {}
    for item in rows.order_by("lesson__position", "position"):
        if not item.skill:
            continue
        named = skills.setdefault(item.curriculum_id, {})
        named.setdefault(item.skill["slug"], (item.skill, []))[1].append(
            SkillItem(
                pk=item.pk,
                slug=item.slug,
                title=Text.from_json(item.title),
                kind=ItemKind(item.kind),
                lesson_slug=item.lesson.slug,
                has_policy=bool(item.policy),
            )
        )
    return skills


def _as_barred(items: list[SkillItem], shut: frozenset[int]) -> list[SkillItem]:
    """The items, those that reviews must leave alone as if they had a policy."""
    return [replace(item, has_policy=True) if item.pk in shut else item for item in items]


def _first_answers(
    enrollments: Collection[Enrollment], withheld: Mapping[int, frozenset[int]]
) -> Mapping[int, list[_FirstAnswer]]:
    """Enrollment id -> the first counted answer of each attempt whose mark was released, the oldest first."""
    hidden = is_hidden(withheld, "attempt__enrollment_id", "attempt__item_id")
    hints = HintTaken.objects.filter(attempt=OuterRef("attempt"), created_at__lt=OuterRef("created_at"))
    rows = (
        Submission.objects.filter(attempt__enrollment__in=enrollments, counted=True)
        .exclude(hidden)
        .order_by("created_at", "pk")
        .annotate(had_hint=Exists(hints))
        .values(*(name for name in _FirstAnswer.__annotations__))
    )
    first: dict[int, _FirstAnswer] = {}
    for row in cast("Iterable[_FirstAnswer]", rows):
        first.setdefault(row["attempt_id"], row)
    by_enrollment: dict[int, list[_FirstAnswer]] = {}
    for row in first.values():
        by_enrollment.setdefault(row["attempt__enrollment_id"], []).append(row)
    return by_enrollment


def _standing(
    words: Mapping[str, dict[str, str]], items: list[SkillItem], answers: Iterable[_FirstAnswer]
) -> SkillStanding:
    evidence = tuple(_evidence({item.pk: item for item in items}, answers))
    return SkillStanding(
        slug=str(words["slug"]),
        title=Text.from_json(words["title"]),
        summary=Text.from_json(words["summary"]),
        items=tuple(items),
        evidence=evidence,
        memory=memory_of((each.sent_at, each.recall) for each in evidence if each.item.is_recalled),
    )


def _evidence(items: Mapping[int, SkillItem], answers: Iterable[_FirstAnswer]) -> Iterable[Evidence]:
    counted: set[tuple[int, int | date]] = set()
    for row in answers:
        item, verdict = items.get(row["attempt__item_id"]), row["standing_mark__verdict"]
        if item is None or verdict is None:  # nobody has marked it yet
            continue
        is_right = verdict == Verdict.CORRECT
        # The same question again on the same day is no further evidence; after a night it is.
        is_drawn = item.kind in DRAWN_ANEW
        told = (item.pk, row["attempt__seed"] if is_drawn else timezone.localdate(row["created_at"]))
        is_counted = is_right and not row["had_hint"] and told not in counted
        if is_counted:
            counted.add(told)
        yield Evidence(item, row["public_id"], row["created_at"], is_right, row["had_hint"], is_counted)
