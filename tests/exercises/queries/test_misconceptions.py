from __future__ import annotations

from decimal import Decimal

import pytest

from exercises.models import Submission
from exercises.queries.misconceptions import misconceptions_known, misconceptions_seen
from exercises.services.mark_by_instructor import mark_by_instructor
from exercises.services.submission_create import submission_create
from grader.marking.slip_finder import ACCIDENTS
from tests.exercises.responses import transposed_numbers
from tests.factories import EnrollmentFactory


def show(attempt, user):
    mine = attempt(user, "by-hand", fresh=True)
    return submission_create(attempt=mine, raw_response=transposed_numbers(mine)).submission


def test_who_and_how_many_and_where(ada, ben, ines, otto, course, attempt):
    for user in (ada, ada, ben, ines, otto):
        show(attempt, user)
    submission_create(attempt=attempt(ada, "pick"), raw_response={"chosen": ["b"]})
    first, second = misconceptions_seen(course)
    assert (first.slug, first.title.en, first.count, first.students) == ("w_transposed", "Mistake w_transposed", 3, 2)
    assert (first.names, first.items) == (("Ada", "Ben"), ("by-hand",))
    assert (second.slug, second.count, second.names, second.items) == (
        "activations_are_parameters",
        1,
        ("Ada",),
        ("pick",),
    )


def test_a_tag_of_the_instructors_is_counted_with_the_rest(ada, ines, course, attempt):
    text = submission_create(attempt=attempt(ada, "in-words"), raw_response={"text": "q 是学来的。"}).submission
    mark_by_instructor(instructor=ines, submission=text, score=Decimal(1), misconceptions=["w_transposed"])
    (seen,) = misconceptions_seen(course)
    assert (seen.slug, seen.items) == ("w_transposed", ("in-words",))


def test_what_does_not_count_is_not_seen(ada, course, attempt):
    show(attempt, ada)
    Submission.objects.update(counted=False)
    assert misconceptions_seen(course) == ()


def test_known_are_those_that_items_can_name(curriculum):
    known = misconceptions_known(curriculum)
    of_projections = {"w_transposed", "projection_ignores_input", "projection_skipped"}
    assert set(known) == {"activations_are_parameters", "laid_out_other_convention", *of_projections, *ACCIDENTS}
    assert known["w_transposed"].en == "Mistake w_transposed"


@pytest.mark.parametrize("count", [1, 3])
def test_the_board_costs_three_queries(course, attempt, django_assert_num_queries, count):
    for _ in range(count):
        show(attempt, EnrollmentFactory(course=course).user)
    with django_assert_num_queries(3):
        assert misconceptions_seen(course)[0].students == count
