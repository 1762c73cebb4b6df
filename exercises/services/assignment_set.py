"""Set the dates, the rules and the weight of an assignment; put one together, dissolve it, release what it keeps back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from exercises.enums import Act, LateUnit, Release, TriesCount
from exercises.models import Assignment, AssignmentItem, Course, Enrollment, Item, Lesson
from exercises.queries.terms import VOID
from exercises.services.audit_record import note
from exercises.services.item_void import void_give_back
from exercises.services.released_tell import released_tell
from exercises.services.storable import storable_json, storable_text
from grader.marking.text import Text

MOST_TRIES: Final = 100
MOST_STEPS: Final = 48
MOST_PERCENT: Final = 100
LONGEST_TITLE: Final = 120
WEIGHT_STEP: Final = Decimal("0.001")
MOST_WEIGHT: Final = Decimal(1000)

UNKNOWN: Final = Text("本课程没有作业“{slug}”。", "This course has no assignment “{slug}”.")
OPENS_TOO_LATE: Final = Text(
    "开放时间须早于截止时间和关闭时间。", "It must open before it is due and before it closes."
)
CLOSES_TOO_EARLY: Final = Text("关闭时间不能早于截止时间。", "It cannot close before it is due.")
DUE_MISSING: Final = Text(
    "迟交规则和“截止后公布”都需要截止时间。", "A late schedule, and a release after the due date, need a due date."
)
CLOSING_MISSING: Final = Text("“关闭后公布”需要关闭时间。", "A release after closing needs a time of closing.")
SHARE_WRONG: Final = Text("百分比须为 0 到 100 的整数。", "A percentage is a whole number from 0 to 100.")
TOO_MANY_STEPS: Final = Text("最多 {most} 个百分比。", "There can be at most {most} percentages.")
PENALTIES_FALL: Final = Text("每次扣分不能少于前一次。", "No try can cost less than the one before it.")
TRIES_WRONG: Final = Text("作答次数须为 1 到 {most}。", "From 1 to {most} tries can be given.")
WEIGHT_WRONG: Final = Text(
    "权重须为 0 到 {most} 之间、最多三位小数的数。",
    "A weight is a number from 0 to {most} with at most three decimals.",
)
TITLE_MISSING: Final = Text("请用中文和英文各写一个标题。", "Give a title in Chinese and one in English.")
ITEMS_MISSING: Final = Text("请至少选一道题。", "Choose one exercise at least.")
ITEM_TAKEN: Final = Text("“{title}”已属于另一份作业。", "“{title}” belongs to another assignment already.")
NOT_AGREED: Final = Text(
    "这份作业还有延期、改分或免做记录。请先确认它们会一并删除。",
    "More time, points by hand or exemptions were given here. Confirm first that they go as well.",
)
NOTHING_TO_SET: Final = Text(
    "不计分的题目沿用原来那份作业的日期和规则，这里没有可设的内容。",
    "Exercises that do not count keep the dates and rules of where they come from: there is nothing to set here.",
)
LESSON_STAYS: Final = Text("课文作业不能解散，只能改设置。", "A lesson cannot be dissolved, only its settings changed.")


class SettingRefused(ValueError):  # noqa: N818 -- shown to the instructor as it is
    """Settings that cannot be; `text` says why in both languages."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.en)
        self.text = text


@dataclass(frozen=True, slots=True)
class AssignmentSettings:
    """All that an instructor sets; percentages are whole numbers. See the model for what empty values mean."""

    opens_at: datetime | None = None
    due_at: datetime | None = None
    closes_at: datetime | None = None
    weight: Decimal | None = None
    tries: int | None = None
    penalties: tuple[int, ...] = ()
    counts: str = ""
    late_unit: str = LateUnit.DAY
    late_steps: tuple[int, ...] = ()
    late_floor: int = 0
    feedback: str = Release.AT_ONCE
    solution: str = Release.AT_ONCE


def settings_of(row: Assignment | None) -> AssignmentSettings:
    """What is set now; the usual where there is no row."""
    if row is None:
        return AssignmentSettings()
    names = AssignmentSettings.__dataclass_fields__
    values = {name: getattr(row, name) for name in names}
    lists = {name: tuple(values[name]) for name in ("penalties", "late_steps")}
    return AssignmentSettings(**{**values, **lists})


def assignment_row(course: Course, slug: str) -> Assignment:
    """The row of an assignment, made now for a lesson that had none. Raises SettingRefused for an unknown slug."""
    row = Assignment.objects.filter(course=course, slug=slug).first()
    if row is not None:
        return row
    lesson = Lesson.objects.filter(curriculum=course.curriculum_id, slug=slug, is_active=True).first()
    if lesson is None:
        raise SettingRefused(UNKNOWN.fill(slug=slug))
    return Assignment.objects.get_or_create(course=course, lesson=lesson, defaults={"slug": slug})[0]


@transaction.atomic
def assignment_set(*, instructor: Enrollment, slug: str, settings: AssignmentSettings) -> Assignment:
    """Give an assignment these settings. Raises SettingRefused."""
    _check(settings)
    row = assignment_row(instructor.course, slug)
    if slug == VOID and row.lesson_id is None:
        raise SettingRefused(NOTHING_TO_SET)
    before = settings_of(row)
    values = {**asdict(settings), "penalties": [*settings.penalties], "late_steps": [*settings.late_steps]}
    Assignment.objects.filter(pk=row.pk).update(**values)
    earlier = {**asdict(before), "penalties": [*before.penalties], "late_steps": [*before.late_steps]}
    changed = {name: [_told(earlier[name]), _told(value)] for name, value in values.items() if value != earlier[name]}
    if changed:
        _note(instructor, Act.SET_ASSIGNMENT, row, changed)
    row.refresh_from_db()
    return row


@transaction.atomic
def assignment_create(*, instructor: Enrollment, title: Text, item_slugs: Sequence[str]) -> Assignment:
    """Take items out of their lessons' assignments into one of their own. Raises SettingRefused."""
    course = instructor.course
    if not title.zh_hans.strip() or not title.en.strip():
        raise SettingRefused(TITLE_MISSING)
    items = list(Item.objects.filter(curriculum=course.curriculum_id, is_active=True, slug__in=item_slugs))
    if not items:
        raise SettingRefused(ITEMS_MISSING)
    taken = AssignmentItem.objects.filter(course=course, item__in=items).select_related("item").first()
    if taken is not None:
        raise SettingRefused(ITEM_TAKEN.fill(title=taken.item.slug))
    words = {"zh-hans": storable_text(title.zh_hans)[:LONGEST_TITLE], "en": storable_text(title.en)[:LONGEST_TITLE]}
    row = Assignment.objects.create(course=course, slug=_free_slug(course, title.en), title=words)
    AssignmentItem.objects.bulk_create(AssignmentItem(assignment=row, course=course, item=item) for item in items)
    _note(instructor, Act.SET_ASSIGNMENT, row, {"items": sorted(item.slug for item in items)})
    return row


@transaction.atomic
def assignment_dissolve(*, instructor: Enrollment, slug: str, agreed: bool) -> None:
    """Give the items of an assignment back to their lessons; the log keeps all that was decided about it.

    `agreed` says that the instructor has seen what goes: without it an assignment about which something was decided
    stays. Raises SettingRefused.
    """
    row = assignment_row(instructor.course, slug)
    if row.lesson_id is not None:
        raise SettingRefused(LESSON_STAYS)
    overrides = row.overrides.order_by("pk").values_list("enrollment__user__username", "score", "reason")
    exempt = row.exemptions.order_by("pk").values_list("enrollment__user__username", "reason")
    more_time = row.extensions.order_by("pk").values_list(
        "enrollment__user__username", "label__name", "due_at", "reason"
    )
    kept = {
        "overrides": [[name, _told(score), reason] for name, score, reason in overrides],
        "exemptions": [[*each] for each in exempt],
        "extensions": [[name or label, _told(due_at), reason] for name, label, due_at, reason in more_time],
    }
    if any(kept.values()) and not agreed:
        raise SettingRefused(NOT_AGREED)
    _note(instructor, Act.DROP_ASSIGNMENT, row, {"slug": slug, **kept})
    if slug == VOID:
        void_give_back(row.chosen.all())
    row.delete()


@transaction.atomic
def assignment_release(*, instructor: Enrollment, slug: str, is_released: bool) -> None:
    """Release what waits for a word, or take the word back. Raises SettingRefused."""
    row = assignment_row(instructor.course, slug)
    Assignment.objects.filter(pk=row.pk).update(released_at=timezone.now() if is_released else None)
    if is_released:
        released_tell(enrollments=row.course.enrollments.all())
    _note(instructor, Act.RELEASE, row, {"is_released": is_released})


def _check(settings: AssignmentSettings) -> None:
    _check_dates(settings)
    _check_shares(settings)
    if settings.tries is not None and not 1 <= settings.tries <= MOST_TRIES:
        raise SettingRefused(TRIES_WRONG.fill(most=str(MOST_TRIES)))
    weight = settings.weight
    if weight is not None and not _is_weight(weight):
        raise SettingRefused(WEIGHT_WRONG.fill(most=str(MOST_WEIGHT)))
    LateUnit(settings.late_unit)
    TriesCount(settings.counts or TriesCount.BEST)


def _is_weight(weight: Decimal) -> bool:
    return weight.is_finite() and 0 <= weight <= MOST_WEIGHT and weight == weight.quantize(WEIGHT_STEP)


def _check_dates(settings: AssignmentSettings) -> None:
    opens, due, closes = settings.opens_at, settings.due_at, settings.closes_at
    if opens and any(end is not None and end <= opens for end in (due, closes)):
        raise SettingRefused(OPENS_TOO_LATE)
    if due and closes and closes < due:
        raise SettingRefused(CLOSES_TOO_EARLY)
    released = {Release(settings.feedback), Release(settings.solution)}
    if due is None and (settings.late_steps or Release.DUE in released):
        raise SettingRefused(DUE_MISSING)
    if closes is None and Release.CLOSED in released:
        raise SettingRefused(CLOSING_MISSING)


def _check_shares(settings: AssignmentSettings) -> None:
    if max(len(settings.late_steps), len(settings.penalties)) > MOST_STEPS:
        raise SettingRefused(TOO_MANY_STEPS.fill(most=str(MOST_STEPS)))
    if not all(0 <= each <= MOST_PERCENT for each in (*settings.late_steps, *settings.penalties, settings.late_floor)):
        raise SettingRefused(SHARE_WRONG)
    if list(settings.penalties) != sorted(settings.penalties):
        raise SettingRefused(PENALTIES_FALL)


def _told(value: object) -> Any:  # noqa: ANN401 -- plain JSON
    """A setting as the log keeps it."""
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value) if isinstance(value, Decimal) else storable_json(value)


def _free_slug(course: Course, title: str) -> str:
    """An address that no lesson and no other assignment of the course has."""
    stem = slugify(title)[:40] or "assignment"
    taken = set(Assignment.objects.filter(course=course).values_list("slug", flat=True))
    taken |= set(Lesson.objects.filter(curriculum=course.curriculum_id).values_list("slug", flat=True))
    names = (stem if number == 1 else f"{stem}-{number}" for number in range(1, len(taken) + 2))
    return next(name for name in names if name not in taken)


def _note(instructor: Enrollment, act: Act, row: Assignment, detail: dict[str, Any]) -> None:
    note(
        actor=instructor.user, course=instructor.course, act=act, subject=row, detail={"assignment": row.slug, **detail}
    )
