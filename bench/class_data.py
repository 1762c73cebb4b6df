"""Classes of any size, made by bulk insert: a hundred students in full, and copies of all their rows.

Only for a process in which Django is set up, on SQLite.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final

from django.db import connection, models, transaction
from django.utils import timezone

from bench.by_hand import Found, Try, analysis
from exercises.enums import GradingProgress, ItemKind, MarkedBy, Role, Verdict
from exercises.models import (
    Attempt,
    Course,
    Curriculum,
    Enrollment,
    HintTaken,
    Item,
    Mark,
    MisconceptionSighting,
    Submission,
    User,
)
from grader.marking.item_analysis import TotalSums
from grader.marking.mark import verdict_for

TEMPLATE: Final = 100
ITEMS: Final = 40
TRIES: Final = 5
SLUGS: Final = ("w_transposed", "scale_missing", "softmax_over_all", "wrong_matrix")
ROWS_AT_ONCE: Final = 2_000
TERM: Final = timedelta(days=20)


def keep_items(curriculum: Curriculum) -> None:
    """Leave so many items in the course as are measured."""
    kept = Item.objects.filter(curriculum=curriculum).order_by("lesson__position", "position")[:ITEMS]
    Item.objects.filter(curriculum=curriculum).exclude(pk__in=[item.pk for item in kept]).update(is_active=False)


def template_class(curriculum: Curriculum) -> Course:
    """A hundred students, every one with five tries at every item."""
    stream = random.Random(1)  # noqa: S311 -- a simulation
    course, students = _course(curriculum, TEMPLATE)
    items = list(Item.objects.filter(curriculum=curriculum, is_active=True).select_related("current_version"))
    attempts = Attempt.objects.bulk_create(
        Attempt(
            enrollment=student, item=item, item_version=item.version, number=1, seed=number % 7, variant={"seed": 1}
        )
        for number, student in enumerate(students)
        for item in items
    )
    submissions = Submission.objects.bulk_create(_submissions(attempts, stream), batch_size=ROWS_AT_ONCE)
    marks = Mark.objects.bulk_create((_mark(each, stream) for each in submissions), batch_size=ROWS_AT_ONCE)
    own = Mark.objects.filter(submission=models.OuterRef("pk")).values("pk")[:1]
    Submission.objects.update(standing_mark=models.Subquery(own))
    MisconceptionSighting.objects.bulk_create(_sightings(marks, stream), batch_size=ROWS_AT_ONCE)
    HintTaken.objects.bulk_create(
        HintTaken(attempt=attempt, rung=1, created_at=timezone.now() - TERM / 2)
        for attempt in attempts
        if stream.random() < 0.2  # noqa: PLR2004 -- a share of the class
    )
    return course


@transaction.atomic
def copied_class(template: Course, size: int) -> Course:
    """A class of so many hundreds, with the rows of the template over and over."""
    course, students = _course(template.curriculum, size)
    first = template.enrollments.order_by("pk").values_list("pk", flat=True)[0]
    copies = size // TEMPLATE
    shifts = {
        "enrollment": f"{students[0].pk - first} + copies.r * {TEMPLATE}",
        "attempt": _shift(Attempt),
        "submission": _shift(Submission),
        "mark": _shift(Mark),
    }
    _copy(
        Attempt, "enrollment_id IN (SELECT id FROM exercises_enrollment WHERE course_id = %s)", template, copies, shifts
    )
    of_attempts = (
        "attempt_id IN (SELECT a.id FROM exercises_attempt a JOIN exercises_enrollment e ON e.id = a.enrollment_id"
        " WHERE e.course_id = %s)"
    )
    of_submissions = f"submission_id IN (SELECT id FROM exercises_submission WHERE {of_attempts})"  # noqa: S608 -- ours
    _copy(Submission, of_attempts, template, copies, shifts)
    _copy(Mark, of_submissions, template, copies, shifts)
    _copy(MisconceptionSighting, of_submissions, template, copies, shifts)
    _copy(HintTaken, of_attempts, template, copies, shifts)
    return course


def _course(curriculum: Curriculum, size: int) -> tuple[Course, list[Enrollment]]:
    title = {"zh-hans": f"{size} 人", "en": f"{size} students"}
    course = Course.objects.create(slug=f"class-{size}", title=title, curriculum=curriculum)
    people = User.objects.bulk_create(
        (User(username=f"class-{size}-{number:05}", display_name=f"Learner {number:05}") for number in range(size)),
        batch_size=ROWS_AT_ONCE,
    )
    enrolled = Enrollment.objects.bulk_create(
        (Enrollment(course=course, user=person, role=Role.STUDENT) for person in people), batch_size=ROWS_AT_ONCE
    )
    return course, enrolled


def _submissions(attempts: list[Attempt], stream: random.Random) -> Iterator[Submission]:
    now = timezone.now()
    for attempt in attempts:
        begun = now - TERM * stream.random()
        for number in range(TRIES):
            yield Submission(
                attempt=attempt,
                kind=ItemKind.NUMERIC,
                raw_response={"fields": {"q": [[str(number)]]}},
                response_digest=f"{number:064}",
                grading_progress=GradingProgress.FULLY_GRADED,
                created_at=_before(now, begun + number * timedelta(minutes=3)),
            )


def _before(now: datetime, moment: datetime) -> datetime:
    return min(now, moment)


def _mark(submission: Submission, stream: random.Random) -> Mark:
    most = submission.attempt.item.max_score
    able = submission.attempt.enrollment_id % 10 / 10
    score = (
        most * Decimal(stream.choice((0, 0.5, 1, 1))) if stream.random() < 0.3 + able / 2 else Decimal(0)
    ).quantize(Decimal("0.001"))
    return Mark(submission=submission, by=MarkedBy.AUTO, verdict=verdict_for(score, most), score=score, max_score=most)


def _sightings(marks: list[Mark], stream: random.Random) -> Iterator[MisconceptionSighting]:
    for mark in marks:
        if mark.score < mark.max_score and stream.random() < 0.6:  # noqa: PLR2004 -- a share of the wrong answers
            slug = stream.choice(SLUGS)
            yield MisconceptionSighting(
                submission_id=mark.submission_id, slug=slug, title={"zh-hans": slug, "en": slug}
            )


def _shift(model: type[models.Model]) -> str:
    """What is added to an id of the template in the r-th copy: no id of any copy meets another."""
    bounds = model._default_manager.aggregate(  # noqa: SLF001 -- Django's public name for it
        first=models.Min("pk"), last=models.Max("pk")
    )
    span = bounds["last"] - bounds["first"] + 1
    return f"{span} + copies.r * {span}"


def _copy(model: type[models.Model], where: str, template: Course, copies: int, shifts: Mapping[str, str]) -> None:
    """All columns as they are, but for the ids, what refers to them, and the public names."""
    told_of = model._meta  # noqa: SLF001 -- Django's public name for it
    table, name = told_of.db_table, str(told_of.model_name)
    told = {
        "public_id": "lower(hex(randomblob(16)))",
        "id": f"id + {shifts[name]}" if name in shifts else "NULL",
        "standing_mark_id": f"standing_mark_id + {shifts['mark']}",
        **{f"{each}_id": f"{each}_id + {shift}" for each, shift in shifts.items()},
    }
    columns = [str(field.column) for field in told_of.concrete_fields]
    picked = ", ".join(told.get(column, column) for column in columns)
    names = ", ".join(columns)
    statement = (  # names of our own, and one parameter
        f"WITH RECURSIVE copies(r) AS (SELECT 0 UNION ALL SELECT r + 1 FROM copies WHERE r < {copies - 1})"  # noqa: S608
        f" INSERT INTO {table} ({names}) SELECT {picked} FROM {table} CROSS JOIN copies WHERE {where}"
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [template.pk])


def analysis_of(course: Course) -> tuple[dict[int, Found], TotalSums]:
    """The analysis of the items worked out in Python, after three queries for the rows."""
    ours = {"attempt__enrollment__course": course, "attempt__enrollment__role": Role.STUDENT}
    answers = Submission.objects.filter(**ours, counted=True, attempt__item__is_active=True)
    tries = [
        Try(student, item, seed, pk, sent, opened, None if score is None else float(score), verdict == Verdict.CORRECT)
        for student, item, seed, pk, sent, opened, score, verdict in answers.order_by("created_at", "pk").values_list(
            *("attempt__enrollment_id", "attempt__item_id", "attempt__seed", "pk", "created_at", "attempt__created_at"),
            *("standing_mark__score", "standing_mark__verdict"),
        )
    ]
    shown = MisconceptionSighting.objects.filter(submission__in=answers).values_list("submission_id", "slug")
    hints = HintTaken.objects.filter(**ours).values_list("attempt__enrollment_id", "attempt__item_id", "rung")
    maxima = {pk: float(most) for pk, most in Item.objects.values_list("pk", "max_score")}
    return analysis(tries, shown, hints, maxima)
