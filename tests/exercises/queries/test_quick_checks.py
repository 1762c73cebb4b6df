from __future__ import annotations

from decimal import Decimal

import pytest

from exercises.queries.quick_checks import quick_check_answers
from exercises.services.mark_by_instructor import mark_by_instructor
from exercises.services.submission_create import submission_create
from tests.factories import EnrollmentFactory


def send(attempt, user, text):
    return submission_create(attempt=attempt(user, "in-words"), raw_response={"text": text}).submission


def test_each_students_latest_text_is_there_and_waiting_ones_come_first(ada, ben, ines, otto, course, attempt):
    marked = send(attempt, ada, "甲")
    mark_by_instructor(instructor=ines, submission=marked, score=Decimal(2), comment="好")
    send(attempt, ben, "乙")
    latest = send(attempt, ben, "丙")
    send(attempt, ines, "my own trial")
    send(attempt, otto, "elsewhere")
    waiting, done = quick_check_answers(course)
    assert (waiting.submission_id, waiting.name, waiting.text, waiting.is_waiting) == (
        latest.public_id,
        "Ben",
        "丙",
        True,
    )
    assert (done.name, done.text, done.score, done.max_score, done.comment) == ("Ada", "甲", 2, 3, "好")
    assert [each.key for each in done.rubric.criteria] == ["asks", "learned", "computed"]
    assert (done.item_slug, done.item_title.en, done.prompt.en) == ("in-words", "In your own words", "What is a query?")


def test_a_newer_text_waits_in_the_place_of_a_marked_one(ada, ines, course, attempt):
    mark_by_instructor(instructor=ines, submission=send(attempt, ada, "甲"), score=Decimal(2))
    newer = send(attempt, ada, "乙")
    (answer,) = quick_check_answers(course)
    assert (answer.submission_id, answer.is_waiting) == (newer.public_id, True)


@pytest.mark.parametrize("count", [1, 3])
def test_the_desk_costs_one_query(course, attempt, django_assert_num_queries, count):
    for _ in range(count):
        send(attempt, EnrollmentFactory(course=course).user, "甲")
    with django_assert_num_queries(1):
        assert len(quick_check_answers(course)) == count
