from __future__ import annotations

from decimal import Decimal

import pytest

from exercises.enums import GradingProgress, MarkedBy, Verdict
from exercises.models import Mark, MisconceptionSighting, Submission
from exercises.services.mark_by_instructor import LONGEST_COMMENT, MarkRefused, mark_by_instructor
from exercises.services.submission_create import submission_create
from tests.exercises.responses import right_numbers, transposed_numbers
from tests.factories import SubmissionFactory


@pytest.fixture
def text(ada, attempt):
    """A text of Ada's that waits for Ines."""
    return submission_create(attempt=attempt(ada, "in-words"), raw_response={"text": "它在找。"}).submission


def test_a_text_is_marked_with_a_comment(ines, text):
    mark = mark_by_instructor(instructor=ines, submission=text, score=Decimal("2.5"), comment="不错。\0")
    text.refresh_from_db()
    assert (text.grading_progress, text.standing_mark) == (GradingProgress.FULLY_GRADED, mark)
    assert (mark.by, mark.marker, mark.verdict) == (MarkedBy.INSTRUCTOR, ines, Verdict.PARTIALLY_CORRECT)
    assert (mark.score, mark.max_score, mark.comment) == (Decimal("2.5"), Decimal(3), "不错。␀")


def test_a_second_thought_stands_and_the_first_stays_as_history(ines, text):
    mark_by_instructor(instructor=ines, submission=text, score=Decimal(1))
    second = mark_by_instructor(instructor=ines, submission=text, score=Decimal(3))
    text.refresh_from_db()
    assert text.standing_mark == second
    assert [mark.score for mark in Mark.objects.order_by("id")] == [1, 3]


def test_the_instructors_mark_stands_above_the_automatic_one(ada, ines, attempt):
    mine = attempt(ada, "by-hand")
    submission = submission_create(attempt=mine, raw_response=transposed_numbers(mine)).submission
    mark_by_instructor(instructor=ines, submission=submission, score=Decimal(2))
    submission.refresh_from_db()
    assert (submission.standing_mark.by, submission.standing_mark.score) == (MarkedBy.INSTRUCTOR, 2)
    assert Mark.objects.filter(by=MarkedBy.AUTO).count() == 1
    assert MisconceptionSighting.objects.count() == 0


def test_an_answer_is_tagged_with_a_misconception_of_the_course(ines, text):
    mark_by_instructor(
        instructor=ines, submission=text, score=Decimal(0), misconceptions=["activations_are_parameters"]
    )
    sighting = MisconceptionSighting.objects.get()
    assert (sighting.slug, sighting.title["en"]) == (
        "activations_are_parameters",
        "Mistake activations_are_parameters",
    )


@pytest.mark.parametrize(
    "mark",
    [
        {"score": Decimal("3.001")},
        {"score": Decimal(-1)},
        {"score": Decimal("NaN")},
        {"score": Decimal("Infinity")},
        {"score": Decimal("1.0001")},
        {"score": Decimal(1), "comment": "x" * (LONGEST_COMMENT + 1)},
        {"score": Decimal(1), "misconceptions": ["no_such_thing"]},
    ],
)
def test_a_mark_that_cannot_be_is_refused_and_nothing_changes(ines, text, mark):
    with pytest.raises(MarkRefused) as refusal:
        mark_by_instructor(instructor=ines, submission=text, **mark)
    assert refusal.value.text.zh_hans != refusal.value.text.en
    assert "{" not in refusal.value.text.zh_hans + refusal.value.text.en
    text.refresh_from_db()
    assert (text.grading_progress, Mark.objects.count()) == (GradingProgress.PENDING_MANUAL, 0)


def test_a_text_that_was_replaced_meanwhile_is_not_marked(ines, text):
    submission_create(attempt=text.attempt, raw_response={"text": "新的。"})
    with pytest.raises(MarkRefused, match="newer"):
        mark_by_instructor(instructor=ines, submission=text, score=Decimal(1))
    assert Mark.objects.count() == 0


def test_a_program_in_the_queue_is_not_marked(ada, ines, attempt):
    submission = SubmissionFactory(attempt=attempt(ada, "program"))
    with pytest.raises(MarkRefused, match="still"):
        mark_by_instructor(instructor=ines, submission=submission, score=Decimal(1))


def test_a_marked_text_keeps_its_mark_when_a_newer_one_arrives(ines, text):
    mark_by_instructor(instructor=ines, submission=text, score=Decimal(1))
    submission_create(attempt=text.attempt, raw_response={"text": "新的。"})
    assert list(Submission.objects.order_by("id").values_list("counted", "grading_progress")) == [
        (True, GradingProgress.FULLY_GRADED),
        (True, GradingProgress.PENDING_MANUAL),
    ]


def test_right_numbers_stay_right(ada, ines, attempt):
    mine = attempt(ada, "by-hand")
    submission = submission_create(attempt=mine, raw_response=right_numbers(mine)).submission
    assert mark_by_instructor(instructor=ines, submission=submission, score=Decimal(2)).verdict == Verdict.CORRECT
