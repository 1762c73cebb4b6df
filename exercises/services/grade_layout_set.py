"""Columns of a score sheet of a course's own."""

from __future__ import annotations

from typing import Final

from django.db import transaction

from exercises.enums import Act
from exercises.models import Enrollment, GradeLayout
from exercises.queries.assignments import set_work
from exercises.queries.grade_sheet import FIELDS, SHARE, WORK, Column
from exercises.services.assignment_set import SettingRefused
from exercises.services.audit_record import note
from exercises.services.storable import storable_text
from grader.marking.text import Text

MOST_COLUMNS: Final = 100
LONGEST_HEADING: Final = 60
NO_COLUMN: Final = Text("第 {line} 行不是“列名 = 字段”。", "Line {line} is not “heading = field”.")
UNKNOWN_FIELD: Final = Text(
    "第 {line} 行：没有字段“{field}”。可用：{known}。", "Line {line}: there is no field “{field}”. Known: {known}."
)
WRONG_NUMBER: Final = Text("须有 1 到 {most} 列。", "A sheet has from 1 to {most} columns.")
NAME_MISSING: Final = Text("请给这份列表起名。", "Give these columns a name.")


def known_fields(instructor: Enrollment) -> tuple[str, ...]:
    """Every field that a column can hold in this course."""
    slugs = [work.slug for work in set_work(instructor.course)]
    return (*FIELDS, *(f"{kind}{slug}" for kind in (WORK, SHARE) for slug in slugs))


@transaction.atomic
def grade_layout_set(*, instructor: Enrollment, name: str, text: str) -> GradeLayout:
    """Keep columns under a name, in place of those that bore it. Raises SettingRefused with the line."""
    columns = _columns(text, known_fields(instructor))
    if not name.strip():
        raise SettingRefused(NAME_MISSING)
    pairs = [[column.heading, column.field] for column in columns]
    layout, _is_new = GradeLayout.objects.update_or_create(
        course=instructor.course, name=storable_text(name).strip(), defaults={"columns": pairs}
    )
    note(actor=instructor.user, course=instructor.course, act=Act.SET_LAYOUT, subject=layout, detail={"columns": pairs})
    return layout


@transaction.atomic
def grade_layout_drop(*, instructor: Enrollment, layout: GradeLayout) -> None:
    """Forget columns."""
    detail = {"name": layout.name, "columns": None}
    note(actor=instructor.user, course=instructor.course, act=Act.SET_LAYOUT, subject=layout, detail=detail)
    layout.delete()


def _columns(text: str, known: tuple[str, ...]) -> list[Column]:
    lines = [(place, line.strip()) for place, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if not 1 <= len(lines) <= MOST_COLUMNS:
        raise SettingRefused(WRONG_NUMBER.fill(most=str(MOST_COLUMNS)))
    return [_column(place, line, known) for place, line in lines]


def _column(place: int, line: str, known: tuple[str, ...]) -> Column:
    heading, sign, field = (part.strip() for part in line.replace("＝", "=").rpartition("="))
    if not sign or not 0 < len(heading) <= LONGEST_HEADING:
        raise SettingRefused(NO_COLUMN.fill(line=str(place)))
    if field not in known:
        raise SettingRefused(UNKNOWN_FIELD.fill(line=str(place), field=field[:40], known=", ".join(known)))
    return Column(storable_text(heading), field)
