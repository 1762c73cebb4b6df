"""Take grades in from a score sheet: first what it would change, row by row, then only that."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from django.db import transaction

from exercises.enums import Act
from exercises.models import Enrollment, Override
from exercises.queries.assignments import SetWork
from exercises.queries.grade_page import Gradebook, GradeState, StudentGrades, gradebook, students_of
from exercises.queries.grade_sheet import EXEMPT, POINTS_POSSIBLE, points
from exercises.services.assignment_set import assignment_row
from exercises.services.audit_record import note
from exercises.services.csv_table import TableRefused, read_table
from exercises.services.grade_decide import is_score
from exercises.services.storable import storable_text
from grader.marking.text import Text

LONGEST_CELL: Final = 20
# What Python reads as well, exponents and underscores, nobody means as points.
_POINTS: Final = re.compile(r"\d+(\.\d*)?|\.\d+")
_AFTER: Final = re.compile(r"\((?:\d+|Real)\)$")
NUMBER_HEADINGS: Final = frozenset(
    {
        *("学号", "student number", "username", "用户名", "id number", "sis login id", "sis user id", "number"),
    }
)

NO_NUMBER: Final = Text(
    "没有学号列：请用“学号”或“Student number”作列名。",
    "There is no column of student numbers: head it “Student number” or “学号”.",
)
NO_WORK: Final = Text(
    "没有可识别的作业列：列名须含作业地址，如“(qkv)”。",
    "No column names an assignment: a heading ends with its address, as “(qkv)”.",
)
TWICE: Final = Text("有两列都是“{slug}”。", "Two columns are of “{slug}”.")
UNKNOWN_STUDENT: Final = Text("本课程没有学号“{number}”。", "Nobody in this course has the number “{number}”.")
REPEATED: Final = Text("学号“{number}”前面已出现过。", "The number “{number}” came before.")
NO_POINTS: Final = Text(
    "“{cell}”不是 0 到 {max} 之间、最多三位小数的分数。",
    "“{cell}” is no number of points from 0 to {max} with at most three decimals.",
)
IS_EXEMPT: Final = Text("该学生免做此作业。", "The student is exempt from this.")
SHORT: Final = Text("这一行的列数与表头不同。", "This row has not as many cells as the heading.")


@dataclass(frozen=True, slots=True)
class GradeChange:
    """What one cell would change; `before` and `after` are points as the sheet shows them."""

    line: int
    number: str
    name: str
    slug: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class RowFault:
    """What is wrong with a row; its other cells are taken."""

    line: int
    text: Text


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """All that a sheet would do: cells that change, rows that cannot be taken, and how many cells are as they were."""

    changes: tuple[GradeChange, ...]
    faults: tuple[RowFault, ...]
    same: int


@dataclass(frozen=True, slots=True)
class Imported:
    """What was done; `stale` are changes whose grade had become another since the plan was made."""

    done: int
    stale: int


@dataclass(frozen=True, slots=True)
class _Heads:
    """Which cells of a row matter."""

    width: int
    number: int
    work: Mapping[int, SetWork]


def grade_import_plan(*, instructor: Enrollment, content: bytes) -> ImportPlan:
    """Read a sheet and change nothing. An empty cell says nothing. Raises TableRefused."""
    (_, heading), *rows = read_table(content)
    book = _book(instructor)
    heads = _heads(heading, book)
    students = {each.username.casefold(): each for each in book.students}
    changes: list[GradeChange] = []
    faults: list[RowFault] = []
    same, seen = 0, set[str]()
    for line, row in rows:
        if row[0].strip() == POINTS_POSSIBLE:
            continue
        number = row[heads.number].strip() if heads.number < len(row) else ""
        student = students.get(number.casefold())
        fault = _row_fault(row, heads, number, student, seen)
        if fault or student is None:
            faults.append(RowFault(line, fault or UNKNOWN_STUDENT))
            continue
        seen.add(number.casefold())
        for place, work in heads.work.items():
            read = _cell(line, row[place].strip(), student, work)
            if isinstance(read, GradeChange):
                changes.append(read)
            elif isinstance(read, RowFault):
                faults.append(read)
            else:
                same += read
    return ImportPlan(tuple(changes), tuple(faults), same)


@transaction.atomic
def grade_import(*, instructor: Enrollment, changes: Sequence[GradeChange], reason: str) -> Imported:
    """Carry a plan out: each change becomes an override. What has become another grade since is left as it is.

    Done twice it changes nothing the second time.
    """
    book = _book(instructor)
    grades = {(each.username, grade.slug): grade for each in book.students for grade in each.assignments}
    people = {each.username: each.enrollment_id for each in book.students}
    rows = {slug: assignment_row(instructor.course, slug) for slug in {change.slug for change in changes}}
    why = storable_text(reason)[:200]
    given: list[Override] = []
    done: list[list[str]] = []
    for change in changes:
        grade = grades.get((change.number, change.slug))
        if grade is None or points(grade.score) != change.before or grade.state is GradeState.EXEMPT:
            continue
        done.append([change.number, change.slug, change.before, change.after])
        given.append(
            Override(
                assignment=rows[change.slug],
                enrollment_id=people[change.number],
                score=Decimal(change.after),
                reason=why,
                given_by=instructor.user,
            )
        )
    Override.objects.bulk_create(given)
    if given:
        detail = {"reason": why, "changes": done}
        note(
            actor=instructor.user,
            course=instructor.course,
            act=Act.IMPORT_GRADES,
            subject=instructor.course,
            detail=detail,
        )
    return Imported(len(given), len(changes) - len(given))


def _book(instructor: Enrollment) -> Gradebook:
    return gradebook(instructor.course, list(students_of(instructor.course).order_by("pk")))


def _heads(heading: Sequence[str], book: Gradebook) -> _Heads:
    names = [cell.strip() for cell in heading]
    numbers = [place for place, name in enumerate(names) if name.casefold() in NUMBER_HEADINGS]
    if not numbers:
        raise TableRefused(NO_NUMBER)
    work: dict[int, SetWork] = {}
    for place, name in enumerate(names):
        named = _named(name, book.work)
        if named in work.values():
            raise TableRefused(TWICE.fill(slug=named.slug if named else ""))
        if named is not None:
            work[place] = named
    if not work:
        raise TableRefused(NO_WORK)
    return _Heads(len(names), numbers[0], work)


def _named(heading: str, work: Sequence[SetWork]) -> SetWork | None:
    """The assignment whose address ends the heading, or is all of it; Canvas and Moodle put things of theirs after it."""
    bare = _AFTER.sub("", heading).rstrip()
    return next((each for each in work if bare == each.slug or bare.endswith(f"({each.slug})")), None)


def _row_fault(
    row: Sequence[str], heads: _Heads, number: str, student: StudentGrades | None, seen: set[str]
) -> Text | None:
    if len(row) != heads.width:
        return SHORT
    if student is None:
        return UNKNOWN_STUDENT.fill(number=number[:40])
    return REPEATED.fill(number=number) if number.casefold() in seen else None


def _cell(line: int, cell: str, student: StudentGrades, work: SetWork) -> GradeChange | RowFault | int:
    """A change, what is wrong, or how many cells are as they were: one, or none where nothing is said."""
    grade = next(each for each in student.assignments if each.slug == work.slug)
    if not cell:
        return 0
    if grade.state is GradeState.EXEMPT:
        return 1 if cell == EXEMPT else RowFault(line, IS_EXEMPT)
    score = _score(cell, work.max_score)
    if score is None:
        return RowFault(line, NO_POINTS.fill(cell=cell[:40], max=points(work.max_score)))
    if grade.score is not None and score == grade.score:
        return 1
    return GradeChange(line, student.username, student.name, work.slug, points(grade.score), points(score))


def _score(cell: str, most: Decimal) -> Decimal | None:
    """Digits as a keyboard or an input method writes them; a decimal comma is a decimal point."""
    typed = cell.replace("，", ".").replace(",", ".").replace("．", ".")
    if len(cell) > LONGEST_CELL or not _POINTS.fullmatch(typed):
        return None
    score = Decimal(typed)
    return score if is_score(score, most) else None
