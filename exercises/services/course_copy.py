"""Take a course into a new term: what was set up goes with it, what learners did stays behind and can only be read."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from exercises.enums import STAFF, Act
from exercises.models import Assignment, AssignmentItem, Course, Enrollment, GradeLayout
from exercises.queries.course_time import course_zone
from exercises.services.assignment_set import TITLE_MISSING, SettingRefused
from exercises.services.audit_record import note
from exercises.services.storable import storable_text
from grader.marking.text import Text

MOST_DAYS: Final = 3660
LONGEST_TITLE: Final = 120
LONGEST_SLUG: Final = 50
SLUG: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")

SLUG_WRONG: Final = Text(
    "课程地址须由小写字母、数字和短横线组成，最多 50 个字符。",
    "The address of a course is of small letters, digits and hyphens, at most 50 characters.",
)
SLUG_TAKEN: Final = Text("已有一门课程使用这个地址。", "Another course has this address already.")
DAYS_WRONG: Final = Text("天数须在 −{most} 与 {most} 之间。", "The days must lie between −{most} and {most}.")


@transaction.atomic
def course_copy(*, instructor: Enrollment, slug: str, title: Text, days: int) -> Course:
    """Make the course of the new term: settings, staff, and assignments moved by whole days; the old one is over.

    By the clock of the course: what was due at 23:59 stays due at 23:59 when the clocks have changed in between. Raises
    SettingRefused.
    """
    old = instructor.course
    _check(slug, title, days)
    new = Course.objects.create(
        slug=slug,
        title={"zh-hans": storable_text(title.zh_hans), "en": storable_text(title.en)},
        curriculum=old.curriculum,
        time_zone=old.time_zone,
        is_open=old.is_open,
    )
    staff = Enrollment.objects.filter(course=old, role__in=STAFF).order_by("pk")
    Enrollment.objects.bulk_create(Enrollment(course=new, user_id=each.user_id, role=each.role) for each in staff)
    made = {row.slug: _copied(row, new, days) for row in Assignment.objects.filter(course=old).order_by("pk")}
    chosen = AssignmentItem.objects.filter(course=old).select_related("assignment", "taken_from").order_by("pk")
    AssignmentItem.objects.bulk_create(
        AssignmentItem(
            assignment=made[each.assignment.slug],
            course=new,
            item_id=each.item_id,
            taken_from=made[each.taken_from.slug] if each.taken_from else None,
        )
        for each in chosen
    )
    layouts = GradeLayout.objects.filter(course=old).order_by("pk")
    GradeLayout.objects.bulk_create(GradeLayout(course=new, name=each.name, columns=each.columns) for each in layouts)
    Course.objects.filter(pk=old.pk, archived_at=None).update(archived_at=timezone.now())
    note(actor=instructor.user, course=old, act=Act.COPY_COURSE, subject=new, detail={"slug": slug, "days": days})
    return new


@transaction.atomic
def course_reopen(*, instructor: Enrollment) -> None:
    """Let a course that is over be changed again."""
    if Course.objects.filter(pk=instructor.course_id, archived_at__isnull=False).update(archived_at=None):
        note(actor=instructor.user, course=instructor.course, act=Act.REOPEN_COURSE, subject=instructor.course)


def _check(slug: str, title: Text, days: int) -> None:
    if not SLUG.fullmatch(slug) or len(slug) > LONGEST_SLUG:
        raise SettingRefused(SLUG_WRONG)
    if Course.objects.filter(slug=slug).exists():
        raise SettingRefused(SLUG_TAKEN)
    if not all(0 < len(words.strip()) <= LONGEST_TITLE for words in (title.zh_hans, title.en)):
        raise SettingRefused(TITLE_MISSING)
    if abs(days) > MOST_DAYS:
        raise SettingRefused(DAYS_WRONG.fill(most=str(MOST_DAYS)))


def _copied(row: Assignment, new: Course, days: int) -> Assignment:
    zone = course_zone(new)
    row.pk, row.course, row.released_at, row.created_at = None, new, None, timezone.now()
    row._state.adding = True  # noqa: SLF001 -- how Django copies an instance
    for name in ("opens_at", "due_at", "closes_at"):
        moment: datetime | None = getattr(row, name)
        if moment is not None:
            setattr(row, name, moment.astimezone(zone) + timedelta(days=days))
    row.save()
    return row
