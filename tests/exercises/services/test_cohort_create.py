from __future__ import annotations

import pytest

from exercises.enums import GradingProgress, ItemKind
from exercises.models import Attempt, Enrollment, HintTaken, Mark, MisconceptionSighting, Submission, User
from exercises.queries.definitions import attempt_content
from exercises.queries.repertoires import repertoires
from exercises.services.cohort_create import CourseHasPeople, cohort_create, cohort_remove
from grader.marking.judge import mark_response
from grader.marking.mark import Mark as Marking


@pytest.fixture
def cohort(curriculum):
    known = repertoires(curriculum, [])
    return lambda slug="simulated", count=12, seed=1: cohort_create(
        curriculum=curriculum, slug=slug, count=count, repertoires=known, seed=seed
    )


def test_every_stored_mark_is_what_marking_says_of_the_stored_response(cohort):
    cohort()
    marks = Mark.objects.exclude(submission__kind=ItemKind.FREE_TEXT).select_related(
        "submission__attempt__item_version"
    )
    assert marks
    for mark in marks:
        attempt = mark.submission.attempt
        judged = mark_response(attempt_content(attempt), attempt.variant, mark.submission.raw_response)
        assert Marking.from_json(mark.feedback).score == judged.score == mark.score
        assert mark.misconceptions == list(judged.misconceptions)


def test_rows_hang_together_as_those_of_real_learners_do(cohort):
    course = cohort()
    assert course.enrollments.count() == 12
    graded = Submission.objects.filter(grading_progress=GradingProgress.FULLY_GRADED)
    assert all(each.standing_mark.submission_id == each.pk for each in graded.select_related("standing_mark"))
    assert not Submission.objects.filter(grading_progress=GradingProgress.PENDING_MANUAL).exclude(standing_mark=None)
    named = {(mark.submission_id, slug) for mark in Mark.objects.all() for slug in mark.misconceptions}
    assert named == set(MisconceptionSighting.objects.values_list("submission_id", "slug"))
    assert not Attempt.objects.exclude(item_version__item_id__in=Attempt.objects.values("item_id"))


def test_nobody_can_sign_in_as_a_simulated_learner(cohort):
    cohort()
    people = User.objects.filter(username__startswith="synthetic-")
    assert people.count() == 12
    assert not any(person.has_usable_password() for person in people)
    assert people.first().display_name == "Learner 0001"


def test_the_same_seed_gives_the_same_answers_and_more_learners_can_follow(cohort):
    def answers(slug):
        rows = Submission.objects.filter(attempt__enrollment__course__slug=slug)
        return [(row.raw_response, row.attempt.seed) for row in rows.order_by("pk").select_related("attempt")]

    cohort("one")
    cohort("other")
    assert answers("one") == answers("other")
    cohort("one", count=3)
    assert set(Enrollment.objects.filter(course__slug="one").values_list("user__display_name", flat=True)) == {
        f"Learner {number:04}" for number in range(1, 16)
    }


def test_simulated_learners_never_stand_among_real_ones(cohort, ada, course):
    with pytest.raises(CourseHasPeople):
        cohort(course.slug)
    assert course.enrollments.count() == 1


def test_removing_takes_the_simulated_alone(cohort, ada, course):
    cohort()
    assert cohort_remove(slug=course.slug) == 0
    assert cohort_remove(slug="simulated") == 12
    assert list(User.objects.all()) == [ada]
    assert not HintTaken.objects.exists()
    assert not Submission.objects.exists()
