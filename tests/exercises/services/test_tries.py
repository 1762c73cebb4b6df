"""Tries under a policy: refused when none are left, weighed as the policy says, and told the same on every page."""

from __future__ import annotations

from decimal import Decimal

import pytest

from exercises.enums import Verdict
from exercises.models import Enrollment, Item, Mark, Submission
from exercises.queries.grade_page import own_grades
from exercises.queries.standings import ItemState, standings
from exercises.services.attempt_start import attempt_start
from exercises.services.content_load import content_load
from exercises.services.submission_create import NoTriesLeft, submission_create
from grader.marking.mark import Mark as Marking
from grader.marking.response import ResponseError
from tests.exercises.kinds import attempt_at, enroll_ada, kinds_source

PAIRS = {"W_Q": "parameter", "Q": "activation", "K": "activation", "d_k": "constant"}
ONE_WRONG = {**PAIRS, "K": "constant"}
TWO_WRONG = {**ONE_WRONG, "Q": "constant"}


def send(enrollment: Enrollment, *tries: dict) -> list[Submission]:
    attempt = attempt_at(enrollment.user, "match")
    return [submission_create(attempt=attempt, raw_response={"pairs": pairs}).submission for pairs in tries]


def stands(enrollment: Enrollment):
    found = standings(Submission.objects.filter(attempt__enrollment=enrollment))
    return found[enrollment.pk, Item.objects.get(slug="match").pk]


@pytest.fixture
def exam(db: None) -> Enrollment:
    return enroll_ada(match={"tries": 2, "penalties": [0, 0.5]})


def test_a_try_too_many_is_refused_and_stores_nothing(exam):
    send(exam, TWO_WRONG, ONE_WRONG)
    with pytest.raises(NoTriesLeft):
        send(exam, PAIRS)
    assert Submission.objects.count() == 2


def test_the_same_answer_costs_no_try_even_when_none_is_left(exam):
    first, _second, again = send(exam, TWO_WRONG, ONE_WRONG, TWO_WRONG)
    assert (again, Submission.objects.count()) == (first, 2)


def test_what_is_not_understood_costs_no_try(exam):
    send(exam, TWO_WRONG)
    with pytest.raises(ResponseError):
        send(exam, {"Q": "nonsense"})
    assert len(send(exam, PAIRS)) == 1


def test_tries_are_those_at_the_item_whatever_the_variant(exam):
    send(exam, TWO_WRONG, ONE_WRONG)
    other = attempt_start(enrollment=exam, item=Item.objects.get(slug="match"), fresh=True)
    with pytest.raises(NoTriesLeft):
        submission_create(attempt=other, raw_response={"pairs": PAIRS})


def test_a_later_try_earns_its_share_of_what_it_adds(exam):
    send(exam, TWO_WRONG, PAIRS)
    # 1.5 points, and half of the other 1.5
    found = stands(exam)
    assert (found.score, found.verdict, found.state, found.tries) == (
        Decimal("2.25"),
        Verdict.CORRECT,
        ItemState.DONE,
        2,
    )
    (grades,) = own_grades(exam).students
    assert {grade.item_slug: grade.score for grade in grades.items}["match"] == Decimal("2.25")


def test_each_mark_keeps_its_own_score_and_the_credit_after_it(exam):
    send(exam, TWO_WRONG, PAIRS)
    marks = list(Mark.objects.order_by("pk"))
    assert [mark.score for mark in marks] == [Decimal("1.5"), Decimal(3)]
    assert [Marking.from_json(mark.feedback).credit for mark in marks] == [Decimal("1.50"), Decimal("2.25")]


def test_the_last_try_stands_where_the_policy_says_so(db):
    enrollment = enroll_ada(match={"counts": "last"})
    send(enrollment, PAIRS, TWO_WRONG)
    found = stands(enrollment)
    assert (found.score, found.verdict, found.state) == (
        Decimal("1.50"),
        Verdict.PARTIALLY_CORRECT,
        ItemState.TRIED,
    )


def test_without_a_policy_the_best_stands_and_no_query_is_spent_on_it(db, django_assert_num_queries):
    enrollment = enroll_ada()
    send(enrollment, ONE_WRONG, TWO_WRONG)
    with django_assert_num_queries(1):
        found = standings(Submission.objects.filter(attempt__enrollment=enrollment))
    assert [standing.score for standing in found.values()] == [Decimal("2.25")]


def test_a_policy_costs_one_query_however_many_tries(exam, django_assert_num_queries):
    send(exam, TWO_WRONG, PAIRS)
    with django_assert_num_queries(2):
        standings(Submission.objects.filter(attempt__enrollment=exam))


def test_the_bank_keeps_the_policy_of_the_current_version(exam):
    changed = content_load(curriculums=[kinds_source(match={"tries": 5})])
    assert changed.changed == ["item match"]
    assert Item.objects.get(slug="match").policy == {"tries": 5}
    assert Item.objects.get(slug="order").policy == {}
