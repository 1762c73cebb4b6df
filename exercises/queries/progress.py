"""The instructor's table of students and items, and the grades that an LMS reads.

Only students are in it. Every mean and every share names the population it is taken over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from math import ceil

from django.db.models import QuerySet

from exercises.enums import ItemKind, Role
from exercises.models import Course, Enrollment, Item, Label, Submission
from exercises.queries.standings import NOTHING_YET, ItemState, Standing, standings
from exercises.queries.student_figures import StudentFigures
from grader.marking.text import Text

# A class of so many students and sixty items is one map; a larger one has pages.
STUDENTS_SHOWN = 500


@dataclass(frozen=True, slots=True)
class ItemColumn:
    """An item, and what the class has done with it."""

    slug: str
    lesson_slug: str
    title: Text
    kind: ItemKind
    max_score: Decimal
    students: int
    attempted: int
    done: int
    waiting: int
    trouble: int
    marked: int
    mean_score: Decimal | None  # over the `marked` students, who have a score


@dataclass(frozen=True, slots=True)
class ProgressRow:
    """One student, with one standing for each column; `member` is the id of the enrollment."""

    member: int
    username: str
    name: str
    cells: tuple[Standing, ...]
    score: Decimal

    @property
    def attempted(self) -> int:
        """Items of which something was sent."""
        return sum(cell.is_attempted for cell in self.cells)

    @property
    def waiting(self) -> int:
        """Answers that nobody has marked yet."""
        return sum(cell.waiting for cell in self.cells)


@dataclass(frozen=True, slots=True)
class ProgressTable:
    """Students × items."""

    columns: tuple[ItemColumn, ...]
    rows: tuple[ProgressRow, ...]
    max_score: Decimal


class ProgressOrder(StrEnum):
    """In which order the students stand."""

    NAME = "name"
    POINTS = "points"
    STUCK = "stuck"
    LATEST = "latest"
    QUIET = "quiet"


@dataclass(frozen=True, slots=True)
class ProgressChoice:
    """What of a class is looked at: students with a label, if one is named, in some order, so many at a time."""

    order: ProgressOrder = ProgressOrder.NAME
    label: str = ""
    page: int = 1


@dataclass(frozen=True, slots=True)
class ProgressPage:
    """Some of `students`, who are all that have the label; pages count from 1."""

    table: ProgressTable
    choice: ProgressChoice
    students: int
    pages: int
    labels: tuple[str, ...]

    @property
    def before(self) -> int:
        """The number of the page before, 0 if this is the first."""
        return self.choice.page - 1

    @property
    def after(self) -> int:
        """The number of the page after, 0 if this is the last."""
        return self.choice.page + 1 if self.choice.page < self.pages else 0


@dataclass(frozen=True, slots=True)
class ItemGrade:
    """The score of one student for one item; None where there is none, which is not zero."""

    item_slug: str
    score: Decimal | None
    max_score: Decimal


@dataclass(frozen=True, slots=True)
class Grades:
    """All grades of one student in a course."""

    username: str
    name: str
    score: Decimal
    max_score: Decimal
    items: tuple[ItemGrade, ...]


def progress_table(course: Course) -> ProgressTable:
    """Three queries: students, items, and one count over all submissions."""
    return _table(course, list(_students(course)))


def progress_page(course: Course, choice: ProgressChoice, figures: Sequence[StudentFigures] = ()) -> ProgressPage:
    """The part of the class that is looked at; every order but that of names goes by `figures`. Five queries."""
    students = _students(course)
    labels = tuple(Label.objects.filter(course=course).values_list("name", flat=True))
    if choice.label in labels:
        students = students.filter(labels__name=choice.label)
    members = list(students.values_list("pk", flat=True))
    if choice.order is not ProgressOrder.NAME:
        members = _ordered(members, choice.order, {each.enrollment: each for each in figures})
    pages = max(1, ceil(len(members) / STUDENTS_SHOWN))
    page = min(max(choice.page, 1), pages)
    shown = members[(page - 1) * STUDENTS_SHOWN : page * STUDENTS_SHOWN]
    found = Enrollment.objects.select_related("user").in_bulk(shown)
    return ProgressPage(
        table=_table(course, [found[member] for member in shown if member in found]),
        choice=replace(choice, page=page),
        students=len(members),
        pages=pages,
        labels=labels,
    )


def _ordered(members: Sequence[int], order: ProgressOrder, figures: Mapping[int, StudentFigures]) -> list[int]:
    """Who has sent nothing yet comes last, but first among the quiet; a tie is in the order of names."""

    def rank(member: int) -> float:
        found = figures.get(member)
        if found is None:
            return float("-inf") if order is ProgressOrder.QUIET else float("inf")
        ranks = {
            ProgressOrder.POINTS: -found.score,
            ProgressOrder.STUCK: -found.stuck,
            ProgressOrder.LATEST: -found.last,
        }
        return ranks.get(order, found.last)

    return sorted(members, key=rank)


def _table(course: Course, students: Sequence[Enrollment]) -> ProgressTable:
    items = list(_items(course))
    found = standings(Submission.objects.filter(attempt__enrollment__in=students))
    rows = tuple(
        _row(student, tuple(found.get((student.pk, item.pk), NOTHING_YET) for item in items)) for student in students
    )
    columns = tuple(_column(item, [row.cells[place] for row in rows]) for place, item in enumerate(items))
    return ProgressTable(columns=columns, rows=rows, max_score=sum((item.max_score for item in items), Decimal(0)))


def grades(course: Course) -> tuple[Grades, ...]:
    """The same figures, one record for each student."""
    table = progress_table(course)
    return tuple(
        Grades(
            username=row.username,
            name=row.name,
            score=row.score,
            max_score=table.max_score,
            items=tuple(
                ItemGrade(column.slug, cell.score, column.max_score)
                for column, cell in zip(table.columns, row.cells, strict=True)
            ),
        )
        for row in table.rows
    )


def _students(course: Course) -> QuerySet[Enrollment]:
    students = Enrollment.objects.filter(course=course, role=Role.STUDENT)
    return students.select_related("user").order_by("user__display_name", "user__username")


def _items(course: Course) -> QuerySet[Item]:
    items = Item.objects.filter(curriculum=course.curriculum, is_active=True)
    return items.select_related("lesson").order_by("lesson__position", "position")


def _row(student: Enrollment, cells: tuple[Standing, ...]) -> ProgressRow:
    return ProgressRow(
        member=student.pk,
        username=student.user.username,
        name=str(student.user),
        cells=cells,
        score=sum((cell.score for cell in cells if cell.score is not None), Decimal(0)),
    )


def _column(item: Item, cells: Sequence[Standing]) -> ItemColumn:
    scores = [cell.score for cell in cells if cell.score is not None]
    states = [cell.state for cell in cells]
    return ItemColumn(
        slug=item.slug,
        lesson_slug=item.lesson.slug,
        title=Text.from_json(item.title),
        kind=ItemKind(item.kind),
        max_score=item.max_score,
        students=len(cells),
        attempted=sum(cell.is_attempted for cell in cells),
        done=states.count(ItemState.DONE),
        waiting=states.count(ItemState.WAITING),
        trouble=states.count(ItemState.TROUBLE),
        marked=len(scores),
        mean_score=sum(scores, Decimal(0)) / len(scores) if scores else None,
    )
