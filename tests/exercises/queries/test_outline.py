from __future__ import annotations

import pytest

from exercises.enums import GradingProgress, Role
from exercises.models import Item
from exercises.queries.outline import course_outline, my_courses
from exercises.queries.standings import ItemState
from exercises.services.submission_create import submission_create
from tests.exercises.responses import half_right_numbers, right_numbers
from tests.factories import CourseFactory, EnrollmentFactory, SubmissionFactory


def states(outline):
    return {item.slug: item.standing.state for lesson in outline.lessons for item in lesson.items}


def test_my_courses_are_those_i_am_in(ada, ines, otto):
    EnrollmentFactory(
        user=ada, course=CourseFactory(slug="a-first", curriculum=ines.enrollments.get().course.curriculum)
    )
    assert [(each.slug, each.role) for each in my_courses(ada)] == [
        ("a-first", Role.STUDENT),
        ("spring", Role.STUDENT),
    ]
    assert [(each.slug, each.role, each.title.en) for each in my_courses(ines)] == [
        ("spring", Role.INSTRUCTOR, "Course spring")
    ]


def test_a_new_student_finds_everything_open(ada, enrollment_of):
    outline = course_outline(enrollment_of(ada))
    assert [(lesson.slug, lesson.done, lesson.total) for lesson in outline.lessons] == [
        ("first", 0, 3),
        ("second", 0, 1),
    ]
    assert set(states(outline).values()) == {ItemState.OPEN}
    assert outline.next_lesson.slug == "first"
    assert (outline.title.en, outline.summary.en, outline.role) == ("Course spring", "For tests.", Role.STUDENT)


def test_states_follow_what_was_sent(ada, ben, attempt, enrollment_of):
    numbers = attempt(ada, "by-hand")
    submission_create(attempt=numbers, raw_response=half_right_numbers(numbers))
    submission_create(attempt=attempt(ada, "pick"), raw_response={"chosen": ["a"]})
    submission_create(attempt=attempt(ada, "in-words"), raw_response={"text": "它在找。"})
    SubmissionFactory(attempt=attempt(ada, "program"), grading_progress=GradingProgress.FAILED, counted=False)
    outline = course_outline(enrollment_of(ada))
    assert states(outline) == {
        "by-hand": ItemState.TRIED,
        "pick": ItemState.DONE,
        "program": ItemState.TROUBLE,
        "in-words": ItemState.WAITING,
    }
    assert [lesson.is_done for lesson in outline.lessons] == [False, True]
    assert outline.next_lesson.slug == "first"
    assert set(states(course_outline(enrollment_of(ben))).values()) == {ItemState.OPEN}


def test_the_next_lesson_moves_on_and_ends(ada, attempt, enrollment_of):
    Item.objects.filter(slug="program").update(is_active=False)
    numbers = attempt(ada, "by-hand")
    submission_create(attempt=numbers, raw_response=right_numbers(numbers))
    submission_create(attempt=attempt(ada, "pick"), raw_response={"chosen": ["a"]})
    assert course_outline(enrollment_of(ada)).next_lesson.slug == "second"
    submission_create(attempt=attempt(ada, "in-words"), raw_response={"text": "它在找。"})
    assert course_outline(enrollment_of(ada)).next_lesson is None


@pytest.mark.parametrize("count", [1, 3])
def test_the_outline_costs_three_queries(ada, attempt, enrollment_of, django_assert_num_queries, count):
    for slug in ("by-hand", "pick", "in-words")[:count]:
        SubmissionFactory(attempt=attempt(ada, slug))
    enrollment = enrollment_of(ada)
    with django_assert_num_queries(3):
        course_outline(enrollment)


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_of_courses_costs_one_query(ada, curriculum, django_assert_num_queries, count):
    for _ in range(count - 1):
        EnrollmentFactory(user=ada, course=CourseFactory(curriculum=curriculum))
    with django_assert_num_queries(1):
        assert len(my_courses(ada)) == count
