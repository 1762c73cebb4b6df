"""A class with any table of marks: students × items, one marked try each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal

from django.utils import timezone

from exercises.enums import GradingProgress, ItemKind, Role
from exercises.models import (
    Attempt,
    Course,
    Curriculum,
    Enrollment,
    Item,
    ItemVersion,
    Lesson,
    Mark,
    Submission,
    User,
)
from grader.marking.mark import verdict_for
from tests.factories import CourseFactory, MarkFactory, SubmissionFactory

BEGINNING = timezone.now() - timedelta(days=7)


def bare_course(slug: str, items: int, *, max_score: str = "1") -> tuple[Course, list[Item]]:
    """A course of so many items that have no content but their marks."""
    curriculum = Curriculum.objects.create(slug=slug, title={}, summary={})
    lesson = Lesson.objects.create(curriculum=curriculum, slug="only", position=1, title={"zh-hans": "课", "en": "L"})
    made = []
    for number in range(1, items + 1):
        item = Item.objects.create(
            curriculum=curriculum,
            lesson=lesson,
            slug=f"item-{number}",
            position=number,
            kind=ItemKind.NUMERIC,
            title={"zh-hans": f"题 {number}", "en": f"Item {number}"},
            max_score=Decimal(max_score),
        )
        item.current_version = ItemVersion.objects.create(item=item, number=1, digest=f"{slug}-{number}", definition={})
        item.save()
        made.append(item)
    return CourseFactory(slug=slug, curriculum=curriculum), made


def enroll(course: Course, name: str, role: Role = Role.STUDENT) -> Enrollment:
    """A member of the course."""
    return Enrollment.objects.create(course=course, user=User.objects.create(username=name), role=role)


def send(
    enrollment: Enrollment, item: Item, score: float | None, *, seed: int = 1, minutes: float = 0, counted: bool = True
) -> Submission:
    """One try, so many minutes after the beginning; None is one that waits for its mark."""
    attempt, _is_new = Attempt.objects.get_or_create(
        enrollment=enrollment,
        item=item,
        number=seed,
        defaults={"item_version": item.version, "seed": seed, "variant": {}, "created_at": BEGINNING},
    )
    submission = SubmissionFactory(
        attempt=attempt,
        kind=item.kind,
        grading_progress=GradingProgress.PENDING_MANUAL if score is None else GradingProgress.FULLY_GRADED,
        created_at=BEGINNING + timedelta(minutes=minutes),
        counted=counted,
    )
    if score is not None:
        submission.standing_mark = give(submission, score)
        submission.save()
    return submission


def give(submission: Submission, score: float) -> Mark:
    """An automatic mark; it does not stand by itself."""
    exact, most = Decimal(str(score)), submission.attempt.item.max_score
    return MarkFactory(submission=submission, score=exact, max_score=most, verdict=verdict_for(exact, most))


def class_of(slug: str, table: Sequence[Sequence[float | None]], *, max_score: str = "1") -> Course:
    """A row for each student, a column for each item; None where nothing was sent."""
    course, items = bare_course(slug, len(table[0]), max_score=max_score)
    for number, row in enumerate(table):
        student = enroll(course, f"{slug}-{number}")
        for item, score in zip(items, row, strict=True):
            if score is not None:
                send(student, item, score)
    return course


def wide_class(slug: str, *, students: int, items: int) -> Course:
    """A class of that size in which everything occurs that a student can have done with an item, by bulk insert."""
    course, columns = bare_course(slug, items)
    people = User.objects.bulk_create(
        User(username=f"{slug}-{number:04}", display_name=f"Learner {number:04}") for number in range(1, students + 1)
    )
    enrolled = Enrollment.objects.bulk_create(
        Enrollment(course=course, user=person, role=Role.STUDENT) for person in people
    )
    attempts = Attempt.objects.bulk_create(
        Attempt(enrollment=student, item=item, item_version=item.version, number=1, seed=1, variant={})
        for row, student in enumerate(enrolled)
        for column, item in enumerate(columns)
        if (row + 2 * column) % 7
    )
    sent = Submission.objects.bulk_create(
        [_one_of_many(attempt, number) for number, attempt in enumerate(attempts)], batch_size=2_000
    )
    marks = Mark.objects.bulk_create(
        [
            MarkFactory.build(
                submission=each, score=score, max_score=Decimal(1), verdict=verdict_for(score, Decimal(1))
            )
            for number, each in enumerate(sent)
            if each.grading_progress == GradingProgress.FULLY_GRADED
            for score in [Decimal(number % 3) / 2]
        ],
        batch_size=2_000,
    )
    for mark in marks:
        mark.submission.standing_mark = mark
    Submission.objects.bulk_update([mark.submission for mark in marks], ["standing_mark"], batch_size=500)
    return course


def _one_of_many(attempt: Attempt, number: int) -> Submission:
    """Mostly marked, now and then waiting, and now and then our fault."""
    progress = {0: GradingProgress.PENDING_MANUAL, 1: GradingProgress.FAILED}.get(
        number % 11, GradingProgress.FULLY_GRADED
    )
    return SubmissionFactory.build(
        attempt=attempt,
        kind=attempt.item.kind,
        grading_progress=progress,
        counted=progress != GradingProgress.FAILED,
        created_at=BEGINNING + timedelta(seconds=number),
    )
