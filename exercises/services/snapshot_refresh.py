"""Work out the figures of a course and keep them.

What is cheap is worked out whenever it is looked at. What is not is read as it was kept, with its age, and worked out
anew by the site worker; only who looks first, when nothing is kept yet, waits for it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import Any, Final, Generic, TypeVar

from django.core.cache import cache
from django.db import transaction
from django.utils import timezone

from exercises import dispatch
from exercises.models import Course, Snapshot
from exercises.queries.class_grades import ClassGrades, class_grades
from exercises.queries.item_analysis import CourseAnalysis, course_analysis
from exercises.queries.item_tries import WhichTry
from exercises.queries.misconceptions import Board, misconception_board
from exercises.queries.one_moment import one_moment
from exercises.queries.overview import Overview, overview
from exercises.queries.plain import from_plain, to_plain
from exercises.queries.student_figures import ClassFigures, class_figures
from exercises.queries.unexplained import UnexplainedAnswers, unexplained_answers

log = logging.getLogger(__name__)

CHEAP_MS = 250
FRESH = timedelta(seconds=60)
# A worker may be at figures for so long; the broker hands a message out again after five minutes.
LONGEST: Final = timedelta(minutes=4)
MAKING: Final = "figures-in-the-making"

FiguresT = TypeVar("FiguresT")


class Figures(StrEnum):
    """What is kept, by its name."""

    OVERVIEW = "overview"
    BOARD = "misconceptions"
    STUDENTS = "students"
    UNEXPLAINED = "unexplained"
    GRADES = "grades"
    FIRST = "items-first"
    BEST = "items-best"
    LAST = "items-last"


MAKERS: Final[Mapping[Figures, Callable[[Course], object]]] = {
    Figures.OVERVIEW: overview,
    Figures.BOARD: misconception_board,
    Figures.STUDENTS: class_figures,
    Figures.UNEXPLAINED: unexplained_answers,
    Figures.GRADES: class_grades,
    Figures.FIRST: lambda course: course_analysis(course, WhichTry.FIRST),
    Figures.BEST: lambda course: course_analysis(course, WhichTry.BEST),
    Figures.LAST: lambda course: course_analysis(course, WhichTry.LAST),
}


@dataclass(frozen=True, slots=True)
class Kept(Generic[FiguresT]):
    """Figures, and the moment they tell of."""

    figures: FiguresT
    made_at: datetime

    @property
    def age(self) -> timedelta:
        """How old they are."""
        return timezone.now() - self.made_at

    @property
    def is_old(self) -> bool:
        """Whether their age is worth a word."""
        return self.age > FRESH


def overview_kept(*, course: Course) -> Kept[Overview]:
    """Who is stuck, what is hard, what waits."""
    return _kept(Overview, course, Figures.OVERVIEW)


def board_kept(*, course: Course) -> Kept[Board]:
    """The misconceptions of a class, and what cures them."""
    return _kept(Board, course, Figures.BOARD)


def class_kept(*, course: Course) -> Kept[ClassFigures]:
    """A few figures of each student, to sort by."""
    return _kept(ClassFigures, course, Figures.STUDENTS)


def grades_kept(*, course: Course) -> Kept[ClassGrades]:
    """Every student's points, to sort by."""
    return _kept(ClassGrades, course, Figures.GRADES)


def unexplained_kept(*, course: Course) -> Kept[UnexplainedAnswers]:
    """Wrong answers without a name."""
    return _kept(UnexplainedAnswers, course, Figures.UNEXPLAINED)


def analysis_kept(*, course: Course, which: WhichTry) -> Kept[CourseAnalysis]:
    """The analysis of every item."""
    return _kept(CourseAnalysis, course, Figures(f"items-{which}"))


def snapshot_refresh(*, course: Course, name: Figures) -> Snapshot:
    """Work the figures out anew and keep them, unless somebody has kept newer ones meanwhile."""
    made_at, begun = timezone.now(), time.perf_counter()
    with one_moment():
        figures = to_plain(MAKERS[name](course))
    made: dict[str, Any] = {
        "figures": figures,
        "made_at": made_at,
        "cost_ms": round(1_000 * (time.perf_counter() - begun)),
    }
    kept, is_new = Snapshot.objects.get_or_create(course=course, name=name, defaults=made)
    if not is_new and Snapshot.objects.filter(pk=kept.pk, made_at__lt=made_at).update(**made):
        return Snapshot(pk=kept.pk, course=course, name=name, **made)
    return kept


def snapshot_bring_up_to_date(*, course_id: int, name: str) -> bool:
    """The same as a job of the site worker: nothing is done for figures that somebody has just worked out."""
    course = Course.objects.select_related("curriculum").filter(pk=course_id).first()
    if course is None or Snapshot.objects.filter(course=course, name=name, made_at__gt=timezone.now() - FRESH).exists():
        return False
    return made_alone(course=course, name=Figures(name)) is not None


def made_alone(*, course: Course, name: Figures) -> Snapshot | None:
    """The same for a worker."""
    return alone(partial(snapshot_refresh, course=course, name=name))


def alone(make: Callable[[], Snapshot]) -> Snapshot | None:
    """None while another worker makes figures, so that verdicts always find a free process."""
    if not cache.add(MAKING, 1, timeout=LONGEST.total_seconds()):
        return None
    try:
        return make()
    finally:
        cache.delete(MAKING)


def _kept(kind: type[FiguresT], course: Course, name: Figures) -> Kept[FiguresT]:
    snapshot = Snapshot.objects.filter(course=course, name=name).first()
    if snapshot is None or snapshot.cost_ms <= CHEAP_MS:
        snapshot = snapshot_refresh(course=course, name=name)
    elif timezone.now() - snapshot.made_at > FRESH:
        ask_for(course, name)
    try:
        return Kept(from_plain(kind, snapshot.figures), snapshot.made_at)
    except (KeyError, TypeError, ValueError):  # kept by an earlier release, in another form
        snapshot = snapshot_refresh(course=course, name=name)
        return Kept(from_plain(kind, snapshot.figures), snapshot.made_at)


def ask_for(course: Course, name: str) -> None:
    """Ask the site worker for figures. Their page tells of their age, so a broker that is away costs nothing but that."""

    def ask() -> None:
        try:
            dispatch.send_refresh_figures(course.pk, name, expires=FRESH)
        except dispatch.BrokerAway:
            log.warning("figures stay as they are, the broker is away: course=%s figures=%s", course, name)

    transaction.on_commit(ask)
