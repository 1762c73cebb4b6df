"""The two ways of counting tries, in the database for a class and here for one learner, are one rule."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from itertools import product

import pytest

from exercises.enums import GradingProgress, Verdict
from exercises.models import Attempt, Course, Enrollment, Item, Submission
from exercises.queries.standings import own_standings, sent_to, standings
from exercises.queries.terms import terms_at
from tests.exercises.conftest import ItemBySlug
from tests.exercises.grading import DAY, DUE, HOUR, Clock, assigned
from tests.factories import EnrollmentFactory, MarkFactory, SubmissionFactory, UserFactory

# What was sent: whether it is a try, how far its grading has come, and what the mark says that stands.
KINDS = [
    (True, GradingProgress.FULLY_GRADED, (Verdict.INCORRECT, "0")),
    (True, GradingProgress.FULLY_GRADED, (Verdict.PARTIALLY_CORRECT, "1.5")),
    (True, GradingProgress.FULLY_GRADED, (Verdict.CORRECT, "3")),
    (True, GradingProgress.PENDING, None),
    (True, GradingProgress.PENDING_MANUAL, None),
    (False, GradingProgress.FAILED, None),
    (False, GradingProgress.FULLY_GRADED, (Verdict.CORRECT, "3")),
]
Kind = tuple[bool, GradingProgress, tuple[Verdict, str] | None]


def learner(course: Course, item: Item, kinds: tuple[Kind, Kind], *, is_shown: bool) -> Enrollment:
    """Somebody who sent one thing in time to a first attempt, and another one late to a second."""
    enrollment = EnrollmentFactory(user=UserFactory(password="!"), course=course)
    for number, (kind, at) in enumerate(zip(kinds, (DUE - DAY, DUE + HOUR), strict=True), start=1):
        attempt = Attempt.objects.create(
            enrollment=enrollment,
            item=item,
            item_version=item.version,
            number=number,
            seed=number,
            variant={},
            shown_at=DUE if is_shown and number == 1 else None,
        )
        sent(attempt, kind, at)
    return enrollment


def sent(attempt: Attempt, kind: Kind, at: datetime) -> None:
    counted, progress, told = kind
    submission = SubmissionFactory(
        attempt=attempt, kind=attempt.item.kind, counted=counted, grading_progress=progress, created_at=at
    )
    if told:
        mark = MarkFactory(submission=submission, verdict=told[0], score=Decimal(told[1]))
        Submission.objects.filter(pk=submission.pk).update(standing_mark=mark)


@pytest.mark.parametrize("slug", ["by-hand", "in-words"])
def test_one_learner_stands_as_the_class_is_counted_whatever_the_rules(
    course: Course, item: ItemBySlug, clock: Clock, slug: str
) -> None:
    everybody = [
        learner(course, item(slug), kinds, is_shown=is_shown)
        for kinds in product(KINDS, repeat=2)
        for is_shown in (False, True)
    ]
    lesson = item(slug).lesson.slug
    clock.move_to(DUE + DAY)
    for rules in (
        {},
        {"feedback": "by_hand"},
        {"due_at": DUE, "late_steps": [10]},
        {"closes_at": DUE},
        {"tries": 2, "penalties": [0, 50]},
        {"counts": "last"},
    ):
        assigned(course, lesson, **({"feedback": "at_once", "due_at": None, "closes_at": None, "counts": ""} | rules))
        in_class = standings(Submission.objects.all(), for_learner=True)
        found = item(slug)
        alone = {
            (each.pk, pk): standing
            for each in everybody
            for pk, standing in own_standings([found], sent_to(each, [found.pk]), terms_at(each, [found])).items()
        }
        assert alone == in_class
        assert len(alone) == len(everybody)


def test_a_policy_of_the_item_holds_for_one_learner_as_for_the_class(course: Course, item: ItemBySlug) -> None:
    Item.objects.filter(slug="by-hand").update(policy={"counts": "last"})
    found = item("by-hand")
    right_then_wrong = learner(course, found, (KINDS[2], KINDS[0]), is_shown=False)
    alone = own_standings([found], sent_to(right_then_wrong, [found.pk]), terms_at(right_then_wrong, [found]))
    in_class = standings(Submission.objects.all(), for_learner=True)
    assert alone == {found.pk: in_class[right_then_wrong.pk, found.pk]}
    assert alone[found.pk].score == 0


def test_what_others_sent_and_what_went_elsewhere_is_not_counted(course: Course, item: ItemBySlug) -> None:
    mine, others = (learner(course, item("by-hand"), (KINDS[0], KINDS[2]), is_shown=False) for _ in range(2))
    elsewhere = item("pick")
    assert sent_to(mine, [elsewhere.pk]) == []
    assert {each.attempt_id for each in sent_to(mine, [item("by-hand").pk])} == {
        attempt.pk for attempt in mine.attempts.all()
    }
    assert others.attempts.count() == len(KINDS[:2])
