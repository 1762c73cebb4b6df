"""Score sheets: the grades of a class under the headings that a spreadsheet, Moodle, Canvas or a registry wants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from exercises.queries.grade_page import AssignmentGrade, Gradebook, GradeState, StudentGrades
from grader.marking.text import Text

EXEMPT: Final = "EX"
POINTS_POSSIBLE: Final = "Points Possible"
WORK: Final = "work:"
SHARE: Final = "share:"


@dataclass(frozen=True, slots=True)
class Column:
    """A heading, and the field that stands under it: one of FIELDS, or WORK or SHARE with an assignment's slug."""

    heading: str
    field: str


def points(value: Decimal | None) -> str:
    """Points without needless zeros; nothing where there are none."""
    return "" if value is None else format(value.normalize(), "f")


def whole(value: Decimal | None) -> str:
    """Rounded to a whole number, halves up."""
    return "" if value is None else str(value.quantize(Decimal(1), ROUND_HALF_UP))


# What a sheet can hold of a student, apart from assignments.
FIELDS: Final[dict[str, Callable[[StudentGrades], str]]] = {
    "number": lambda student: student.username,
    "name": lambda student: student.name,
    "labels": lambda student: " ".join(student.labels),
    "points": lambda student: points(student.score),
    "total": lambda student: points(student.total),
    "total-whole": lambda student: whole(student.total),
    "blank": lambda _student: "",
}


def plain_columns(book: Gradebook, language: str) -> tuple[Column, ...]:
    """Everything, headed in the language of the page; an assignment is headed by title and address, which is unique."""
    said = _HEADINGS
    return (
        Column(said["number"].in_language(language), "number"),
        Column(said["name"].in_language(language), "name"),
        Column(said["labels"].in_language(language), "labels"),
        *(Column(f"{work.title.in_language(language)} ({work.slug})", WORK + work.slug) for work in book.work),
        Column(said["total"].in_language(language), "total"),
    )


def moodle_columns(book: Gradebook, language: str) -> tuple[Column, ...]:
    """What Moodle's import of grades maps by itself: people by user name or ID number, then one column for each item."""
    return (
        Column("Username", "number"),
        Column("ID number", "number"),
        Column("Full name", "name"),
        *(Column(f"{work.title.in_language(language)} ({work.slug})", WORK + work.slug) for work in book.work),
        Column("Course total (Percentage)", "total"),
    )


def canvas_columns(book: Gradebook, language: str) -> tuple[Column, ...]:
    """What Canvas takes as a gradebook; a column that it does not know becomes an assignment there."""
    return (
        Column("Student", "name"),
        Column("ID", "blank"),
        Column("SIS User ID", "number"),
        Column("SIS Login ID", "number"),
        Column("Section", "labels"),
        *(Column(f"{work.title.in_language(language)} ({work.slug})", WORK + work.slug) for work in book.work),
    )


def registry_columns(_book: Gradebook, _language: str) -> tuple[Column, ...]:
    """The score sheet that registries of Chinese universities take: the total as a whole number of a hundred."""
    return (
        Column("学号", "number"),
        Column("姓名", "name"),
        Column("班级", "labels"),
        Column("总评成绩", "total-whole"),
    )


LAYOUTS: Final[dict[str, Callable[[Gradebook, str], tuple[Column, ...]]]] = {
    "plain": plain_columns,
    "moodle": moodle_columns,
    "canvas": canvas_columns,
    "registry": registry_columns,
}
_HEADINGS: Final = {
    "number": Text("学号", "Student number"),
    "name": Text("姓名", "Name"),
    "labels": Text("班级", "Labels"),
    "total": Text("总评（%）", "Total (%)"),
}


def sheet_rows(book: Gradebook, columns: Sequence[Column], *, has_maxima: bool = False) -> list[list[str]]:
    """The heading, the points possible where they are wanted, and a row for each student."""
    rows = [[column.heading for column in columns]]
    if has_maxima:
        rows.append([_maximum(book, column, place) for place, column in enumerate(columns)])
    return [*rows, *([_cell(student, column.field) for column in columns] for student in book.students)]


def _cell(student: StudentGrades, field: str) -> str:
    if field in FIELDS:
        return FIELDS[field](student)
    kind, _, slug = field.partition(":")
    grade = next((each for each in student.assignments if each.slug == slug), None)
    if grade is None:
        return ""
    return _share(grade) if f"{kind}:" == SHARE else _points(grade)


def _points(grade: AssignmentGrade) -> str:
    return EXEMPT if grade.state is GradeState.EXEMPT else points(grade.score)


def _share(grade: AssignmentGrade) -> str:
    if grade.state is GradeState.EXEMPT:
        return EXEMPT
    return "" if grade.score is None else whole(100 * grade.score / grade.max_score)


def _maximum(book: Gradebook, column: Column, place: int) -> str:
    if place == 0:
        return POINTS_POSSIBLE
    maxima = {WORK + work.slug: work.max_score for work in book.work}
    return points(maxima.get(column.field))
