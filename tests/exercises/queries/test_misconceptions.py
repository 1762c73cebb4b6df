from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest

from exercises.models import MisconceptionSighting, Submission
from exercises.queries.misconceptions import NAMES_SHOWN, Cure, misconception_board, misconceptions_known
from exercises.services.mark_by_instructor import mark_by_instructor
from exercises.services.submission_create import submission_create
from grader.marking.slip_finder import ACCIDENTS
from tests.exercises.figures import BEGINNING, bare_course, enroll, send
from tests.exercises.responses import transposed_numbers
from tests.factories import EnrollmentFactory


def show(attempt, user):
    mine = attempt(user, "by-hand", fresh=True)
    return submission_create(attempt=mine, raw_response=transposed_numbers(mine)).submission


def test_who_and_how_many_and_where(ada, ben, ines, otto, course, attempt):
    for user in (ada, ada, ben, ines, otto):
        show(attempt, user)
    submission_create(attempt=attempt(ada, "pick"), raw_response={"chosen": ["b"]})
    first, second = misconception_board(course).seen
    assert (first.slug, first.title.en, first.count, first.students) == ("w_transposed", "Mistake w_transposed", 3, 2)
    assert [each.name for each in first.people] == ["Ben", "Ada"]
    assert [(each.item_slug, each.kind, each.count) for each in first.places] == [("by-hand", "numeric", 3)]
    assert (second.slug, second.count, second.people_more) == ("activations_are_parameters", 1, 0)
    assert [each.item_slug for each in second.places] == ["pick"]


def test_a_tag_of_the_instructors_is_counted_with_the_rest(ada, ines, course, attempt):
    text = submission_create(attempt=attempt(ada, "in-words"), raw_response={"text": "q 是学来的。"}).submission
    mark_by_instructor(instructor=ines, submission=text, score=Decimal(1), misconceptions=["w_transposed"])
    (seen,) = misconception_board(course).seen
    assert (seen.slug, [each.kind for each in seen.places]) == ("w_transposed", ["free_text"])


def test_what_does_not_count_is_not_seen(ada, course, attempt):
    show(attempt, ada)
    Submission.objects.update(counted=False)
    assert misconception_board(course).seen == ()


def test_known_are_those_that_items_can_name(curriculum):
    known = misconceptions_known(curriculum)
    of_projections = {"w_transposed", "projection_ignores_input", "projection_skipped"}
    assert set(known) == {"activations_are_parameters", "laid_out_other_convention", *of_projections, *ACCIDENTS}
    assert known["w_transposed"].en == "Mistake w_transposed"


@pytest.mark.parametrize("count", [1, 3])
def test_the_board_costs_six_queries(course, attempt, django_assert_num_queries, count):
    for _ in range(count):
        show(attempt, EnrollmentFactory(course=course).user)
    with django_assert_num_queries(6):
        assert misconception_board(course).seen[0].students == count


def follow(course, item, name, *steps):
    """Answers of one student, a minute apart: a slug that is shown, "" for none, or the number of a hint taken."""
    student = enroll(course, name)
    minutes = 0.0
    for step in steps:
        minutes += 1
        if isinstance(step, int):
            attempt = student.attempts.get()
            attempt.hints.create(rung=step, created_at=BEGINNING + timedelta(minutes=minutes))
        else:
            submission = send(student, item, 0.0 if step else 1.0, minutes=minutes)
            if step:
                MisconceptionSighting.objects.create(
                    submission=submission, slug=step, title={"zh-hans": "误", "en": "M"}
                )


def test_the_cure_rate_of_each_hint_is_told_by_the_next_answer(db):
    course, [item] = bare_course("cures", 1)
    follow(course, item, "cured-alone", "m", "")
    follow(course, item, "not-cured-alone", "m", "m")
    follow(course, item, "cured-by-first", "m", 1, "")
    follow(course, item, "cured-by-second", "m", 1, "m", 2, "")
    follow(course, item, "both-at-once", "m", 1, 2, "")
    follow(course, item, "another-mistake-next", "m", 1, "other")
    follow(course, item, "gave-up", "m", 1)
    seen = {each.slug: each for each in misconception_board(course).seen}["m"]
    assert (seen.students, seen.count) == (7, 9)
    assert seen.overall == Cure(-1, 6, 4)
    assert seen.without_hint == Cure(0, 2, 1)
    assert seen.by_hint == (Cure(1, 4, 3), Cure(2, 2, 2))
    assert seen.by_hint[0].rate == 0.75


def test_a_hint_at_another_item_cures_nothing_here(db):
    course, items = bare_course("elsewhere", 2)
    follow(course, items[0], "ada", "m", "")
    student = course.enrollments.get()
    send(student, items[1], 0.0, minutes=1).attempt.hints.create(rung=1, created_at=BEGINNING + timedelta(seconds=90))
    [seen] = misconception_board(course).seen
    assert (seen.by_hint, seen.without_hint) == ((), Cure(0, 1, 1))


def test_of_many_students_the_latest_are_named_and_the_rest_counted(db):
    course, [item] = bare_course("many", 1)
    for number in range(NAMES_SHOWN + 3):
        follow(course, item, f"learner-{number:02}", "m")
    [seen] = misconception_board(course).seen
    assert (seen.people[0].name, len(seen.people), seen.people_more) == ("learner-14", NAMES_SHOWN, 3)
