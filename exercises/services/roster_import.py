"""Take a class list in from a file: student numbers, names, labels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.db import transaction
from django.db.models.functions import Lower

from exercises.enums import Act, Role
from exercises.models import Enrollment, User
from exercises.services.audit_record import note
from exercises.services.csv_table import TableRefused, read_table
from exercises.services.grade_import import NO_NUMBER, NUMBER_HEADINGS, REPEATED, RowFault
from exercises.services.member_change import labels_set
from exercises.services.members_add import MOST_LINES, Added, ListedPerson, members_add
from exercises.services.storable import storable_text
from grader.marking.text import Text

NAME_HEADINGS: Final = frozenset({"姓名", "name", "full name", "student"})
LABEL_HEADINGS: Final = frozenset({"班级", "标签", "labels", "label", "class", "section", "group"})
NUMBER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{2,31}")
LONGEST_NAME: Final = 150
LONGEST_LABEL: Final = 40

WRONG_NUMBER: Final = Text(
    "“{number}”不是学号：须为 3 到 32 个字母、数字、点、短横线或下划线。",
    "“{number}” is no student number: 3 to 32 letters, digits, dots, hyphens or underscores.",
)
TOO_MANY: Final = Text("一份名单最多 {most} 行。", "A list has at most {most} rows.")


@dataclass(frozen=True, slots=True)
class ListedMember:
    """One row: somebody whose account is there already, or is made now."""

    number: str
    name: str
    labels: tuple[str, ...]
    is_new: bool


@dataclass(frozen=True, slots=True)
class RosterPlan:
    """All that a list would do; who is in the course already is counted and left."""

    members: tuple[ListedMember, ...]
    faults: tuple[RowFault, ...]
    same: int


def roster_import_plan(*, instructor: Enrollment, content: bytes) -> RosterPlan:
    """Read a list and change nothing. Raises TableRefused."""
    (_, heading), *rows = read_table(content)
    if len(rows) > MOST_LINES:
        raise TableRefused(TOO_MANY.fill(most=str(MOST_LINES)))
    listed, faults = _listed(heading, rows)
    students = Enrollment.objects.filter(course=instructor.course).select_related("user").prefetch_related("labels")
    # Who has left comes back, as from a list that is pasted.
    present = students.exclude(role__in=[Role.FORMER, Role.GUEST])
    inside = {each.user.username.lower(): {label.name for label in each.labels.all()} for each in present}
    known = _known(list(listed))
    wanted = {
        key: member for key, member in listed.items() if key not in inside or not set(member.labels) <= inside[key]
    }
    members = tuple(replace(member, is_new=key not in known) for key, member in wanted.items())
    return RosterPlan(members, tuple(faults), len(listed) - len(members))


def _listed(
    heading: Sequence[str], rows: Sequence[tuple[int, list[str]]]
) -> tuple[dict[str, ListedMember], list[RowFault]]:
    """Number in small letters -> row, and the rows that are none."""
    names = [cell.strip().casefold() for cell in heading]
    number, name, label = (_place(names, wanted) for wanted in (NUMBER_HEADINGS, NAME_HEADINGS, LABEL_HEADINGS))
    if number is None:
        raise TableRefused(NO_NUMBER)
    listed: dict[str, ListedMember] = {}
    faults: list[RowFault] = []
    for line, row in rows:
        typed = _cell(row, number)
        if not NUMBER.fullmatch(typed):
            faults.append(RowFault(line, WRONG_NUMBER.fill(number=typed[:40])))
        elif typed.lower() in listed:
            faults.append(RowFault(line, REPEATED.fill(number=typed)))
        else:
            labels = _labels(_cell(row, label))
            listed[typed.lower()] = ListedMember(typed, _cell(row, name)[:LONGEST_NAME], labels, is_new=False)
    return listed, faults


@transaction.atomic
def roster_import(*, instructor: Enrollment, members: Sequence[ListedMember]) -> Added:
    """Make accounts and students of them, and add their labels. Done twice it changes nothing the second time."""
    people = [ListedPerson(storable_text(each.number), storable_text(each.name)) for each in members]
    added = members_add(instructor=instructor, people=people)
    labelled = {each.number.lower(): each.labels for each in members if each.labels}
    enrolled = Enrollment.objects.filter(course=instructor.course).select_related("user", "course")
    for member in enrolled.annotate(small=Lower("user__username")).filter(small__in=labelled):
        names = set(member.labels.values_list("name", flat=True))
        wanted = names | set(labelled[member.user.username.lower()])
        if wanted != names:
            labels_set(instructor=instructor, member=member, names=sorted(wanted))
    numbers = [each.number for each in members]
    note(
        actor=instructor.user,
        course=instructor.course,
        act=Act.IMPORT_ROSTER,
        subject=instructor.course,
        detail={"numbers": numbers},
    )
    return added


def _known(numbers: list[str]) -> set[str]:
    found = User.objects.annotate(small=Lower("username")).filter(small__in=numbers)
    return set(found.values_list("small", flat=True))


def _place(names: Sequence[str], wanted: frozenset[str]) -> int | None:
    return next((place for place, name in enumerate(names) if name in wanted), None)


def _cell(row: Sequence[str], place: int | None) -> str:
    return storable_text(row[place].strip()) if place is not None and place < len(row) else ""


def _labels(cell: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part[:LONGEST_LABEL] for part in re.split(r"[\s,，、;；]+", cell) if part))
