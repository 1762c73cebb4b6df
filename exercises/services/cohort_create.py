"""A class of simulated learners, who hold misconceptions, answer, take hints and try again; and its end.

Their answers and marks are real: the derivation makes the answers and marking marks them. Only the readers of free text
are simulated too. Nobody can sign in as one of them.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import groupby, islice

from django.db import transaction
from django.db.models import OuterRef, Subquery
from django.utils import timezone

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
from grader.bank import digest
from grader.cohort.learner import Learner, Try, learners, sit
from grader.cohort.repertoire import Repertoire
from grader.marking.mark import Mark as Marking
from grader.marking.mark import verdict_for

COURSE_TITLE = {"zh-hans": "模拟班", "en": "Simulated class"}
PREFIX = "synthetic-"
TERM = timedelta(days=28)
LEARNERS_AT_ONCE = 100
ROWS_AT_ONCE = 1_000
# A hint is taken so long after the answer before it.
READING = timedelta(seconds=20)
# Of texts that nobody reads by machine, so many have been read by the instructor.
SHARE_READ = 0.8
# After each item, so many of a hundred learners stop for good: the end of a course is always emptier than its beginning.
DROPS_OUT = 0.008


class CourseHasPeople(ValueError):  # noqa: N818 -- shown to who runs the command
    """Simulated learners would stand among real ones."""


@dataclass(slots=True)
class _Rows:
    """What is stored of some learners, in the order in which it can be."""

    attempts: list[Attempt] = field(default_factory=list)
    submissions: list[Submission] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    sightings: list[MisconceptionSighting] = field(default_factory=list)
    hints: list[HintTaken] = field(default_factory=list)


def cohort_create(
    *, curriculum: Curriculum, slug: str, count: int, repertoires: Sequence[Repertoire], seed: int = 1
) -> Course:
    """Make the course if there is none, and let so many simulated learners sit it. Raises CourseHasPeople.

    The same seed gives the same answers; the clock of the last of them ends now.
    """
    stream = random.Random(seed)  # noqa: S311 -- a simulation
    ideas = list(dict.fromkeys(idea for each in repertoires for idea in each.ideas))
    course, _is_new = Course.objects.get_or_create(
        slug=slug, defaults={"title": COURSE_TITLE, "curriculum": curriculum}
    )
    _refuse_people(course)
    items = {
        item.slug: item
        for item in Item.objects.filter(curriculum=course.curriculum, is_active=True).select_related("current_version")
    }
    known = [(items[each.item.slug], each) for each in repertoires if each.item.slug in items]
    first = course.enrollments.filter(role=Role.STUDENT).count()
    everybody = learners(count, ideas, stream, first=first + 1)
    while some := list(islice(everybody, LEARNERS_AT_ONCE)):
        _store(course, some, known, stream)
    return course


@transaction.atomic
def cohort_remove(*, slug: str) -> int:
    """Delete the simulated learners of a course with all their work, and the course if it is empty then."""
    simulated = User.objects.filter(username__startswith=f"{PREFIX}{slug}-", enrollments__course__slug=slug)
    count = simulated.count()
    Enrollment.objects.filter(user__in=simulated).delete()
    User.objects.filter(username__startswith=f"{PREFIX}{slug}-", enrollments=None).delete()
    Course.objects.filter(slug=slug, enrollments=None).delete()
    return count


def _refuse_people(course: Course) -> None:
    students = course.enrollments.filter(role=Role.STUDENT)
    if students.exclude(user__username__startswith=PREFIX).exists():
        raise CourseHasPeople(course.slug)


@transaction.atomic
def _store(
    course: Course, some: Sequence[Learner], known: Sequence[tuple[Item, Repertoire]], stream: random.Random
) -> None:
    people = User.objects.bulk_create(
        User(
            username=f"{PREFIX}{course.slug}-{each.number:04}",
            display_name=f"Learner {each.number:04}",
            password="!" + secrets.token_hex(20),
        )
        for each in some
    )
    enrolled = Enrollment.objects.bulk_create(
        Enrollment(course=course, user=person, role=Role.STUDENT) for person in people
    )
    rows = _Rows()
    for learner, enrollment in zip(some, enrolled, strict=True):
        _sit_all(rows, learner, enrollment, known, stream)
    Attempt.objects.bulk_create(rows.attempts, batch_size=ROWS_AT_ONCE)
    Submission.objects.bulk_create(rows.submissions, batch_size=ROWS_AT_ONCE)
    Mark.objects.bulk_create(rows.marks, batch_size=ROWS_AT_ONCE)
    MisconceptionSighting.objects.bulk_create(rows.sightings, batch_size=ROWS_AT_ONCE)
    HintTaken.objects.bulk_create(rows.hints, batch_size=ROWS_AT_ONCE)
    newest = Mark.objects.filter(submission=OuterRef("pk")).order_by("-pk").values("pk")[:1]
    Submission.objects.filter(attempt__enrollment__in=enrolled).update(standing_mark=Subquery(newest))


def _sit_all(
    rows: _Rows,
    learner: Learner,
    enrollment: Enrollment,
    known: Sequence[tuple[Item, Repertoire]],
    stream: random.Random,
) -> None:
    """A lesson a day or so, each item after the one before it."""
    lessons = [list(items) for _, items in groupby(known, key=lambda pair: pair[0].lesson_id)]
    pace = TERM / max(len(lessons), 1)
    start = timezone.now() - TERM
    for number, lesson in enumerate(lessons):
        clock = start + pace * number + pace * 0.6 * stream.random()
        opened = clock
        for item, each in lesson:
            if stream.random() < DROPS_OUT:
                return
            clock = _answer(rows, enrollment, item, sit(learner, each, stream), (opened, clock), stream)


def _answer(
    rows: _Rows,
    enrollment: Enrollment,
    item: Item,
    tries: Sequence[Try],
    times: tuple[datetime, datetime],
    stream: random.Random,
) -> datetime:
    """Store the tries, each on its numbers, and return when the last was sent; `times` are opening and beginning."""
    opened, clock = times
    attempts: dict[int, Attempt] = {}
    told: set[tuple[int, str]] = set()
    for each in tries:
        seed = each.variant.variant["seed"]
        if seed not in attempts:
            attempts[seed] = _attempt(enrollment, item, each, len(attempts) + 1, clock if attempts else opened)
            rows.attempts.append(attempts[seed])
        attempt = attempts[seed]
        rows.hints += [HintTaken(attempt=attempt, rung=rung, created_at=clock + READING) for rung in each.hints]
        clock += timedelta(seconds=40 + stream.expovariate(1 / 120))
        answered = digest(each.answer.response)
        if (seed, answered) not in told:  # the same answer sent again is no try
            told.add((seed, answered))
            _send(rows, attempt, each, answered, clock, is_read=stream.random() < SHARE_READ)
    return clock


def _attempt(enrollment: Enrollment, item: Item, each: Try, number: int, opened: datetime) -> Attempt:
    variant = each.variant.variant
    return Attempt(
        enrollment=enrollment,
        item=item,
        item_version=item.version,
        number=number,
        seed=variant["seed"],
        variant=variant,
        created_at=opened,
    )


def _send(rows: _Rows, attempt: Attempt, each: Try, answered: str, clock: datetime, *, is_read: bool) -> None:
    is_graded = each.answer.mark is not None or is_read
    submission = Submission(
        attempt=attempt,
        kind=attempt.item.kind,
        raw_response=each.answer.response,
        response_digest=answered,
        grading_progress=GradingProgress.FULLY_GRADED if is_graded else GradingProgress.PENDING_MANUAL,
        created_at=clock,
        settled_at=clock if is_graded else None,
        ticket=secrets.token_hex(16) if attempt.item.kind == ItemKind.CODE else None,
        sends=int(attempt.item.kind == ItemKind.CODE),
    )
    rows.submissions.append(submission)
    if each.answer.mark is not None:
        rows.marks.append(_automatic(submission, each.answer.mark, clock))
        rows.sightings += _sightings(submission, each.answer.mark)
    elif is_read:
        rows.marks.append(_by_hand(submission, each, clock))


def _automatic(submission: Submission, marking: Marking, clock: datetime) -> Mark:
    return Mark(
        submission=submission,
        by=MarkedBy.AUTO,
        verdict=marking.verdict,
        score=marking.score,
        max_score=marking.max_score,
        feedback=marking.to_json(),
        misconceptions=list(marking.misconceptions),
        created_at=clock,
    )


def _by_hand(submission: Submission, each: Try, clock: datetime) -> Mark:
    score, max_score = each.answer.score, submission.attempt.item.max_score
    return Mark(
        submission=submission,
        by=MarkedBy.INSTRUCTOR,
        verdict=Verdict(verdict_for(score, max_score)),
        score=score,
        max_score=max_score,
        created_at=clock + timedelta(hours=20),
    )


def _sightings(submission: Submission, marking: Marking) -> Iterator[MisconceptionSighting]:
    titles = {found.slug: found.title for found in marking.findings if found.is_misconception}
    for slug, title in titles.items():
        yield MisconceptionSighting(submission=submission, slug=slug, title=title.to_json())
