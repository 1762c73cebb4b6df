"""Dates and rules of an assignment are kept wherever something is begun, sent, asked for or shown."""

from __future__ import annotations

import pytest

from exercises.models import Attempt, Course, Enrollment, Extension, Lesson, Submission
from exercises.services.attempt_start import attempt_start, attempts_open
from exercises.services.hint_take import hint_take
from exercises.services.solution_show import SolutionNotYet, solution_show
from exercises.services.submission_create import NoTriesLeft, submission_create
from exercises.services.terms_check import NotOpenAnyMore, NotOpenYet
from tests.exercises.grading import DAY, DUE, HOUR, MOMENT, assigned, send
from tests.exercises.responses import half_right_numbers, right_numbers, transposed_numbers


def test_before_it_opens_nothing_can_be_begun_sent_or_asked_for(course, ada, attempt, item, clock):
    mine = attempt(ada, "by-hand")
    assigned(course, opens_at=DUE)
    clock.move_to(DUE - MOMENT)
    for early in (
        lambda: attempt_start(enrollment=mine.enrollment, item=item("by-hand")),
        lambda: submission_create(attempt=mine, raw_response=right_numbers(mine)),
        lambda: hint_take(attempt=mine),
        lambda: solution_show(attempt=mine),
    ):
        with pytest.raises(NotOpenYet) as refusal:
            early()
        assert refusal.value.opens_at == DUE
    clock.move_to(DUE)
    assert submission_create(attempt=mine, raw_response=right_numbers(mine)).submission.counted


def test_a_lesson_that_is_ahead_begins_nothing(course, ada, clock):
    assigned(course, opens_at=DUE)
    enrollment = Enrollment.objects.select_related("course__curriculum", "user").get(user=ada)
    opened = attempts_open(enrollment=enrollment, lesson=Lesson.objects.get(slug="first"))
    assert (opened.attempts, opened.ahead) == ([], dict.fromkeys(["by-hand", "pick", "program"], DUE))
    assert not Attempt.objects.exists()


def test_closing_takes_its_very_moment_and_nothing_after(course, ada, attempt, item, clock):
    mine = attempt(ada, "by-hand")
    assigned(course, due_at=DUE, closes_at=DUE + DAY)
    send(mine, half_right_numbers(mine), at=DUE + DAY, clock=clock)
    with pytest.raises(NotOpenAnyMore):
        send(mine, right_numbers(mine), at=DUE + DAY + MOMENT, clock=clock)
    with pytest.raises(NotOpenAnyMore):
        hint_take(attempt=mine)
    with pytest.raises(NotOpenAnyMore):
        attempt_start(enrollment=mine.enrollment, item=item("by-hand"), fresh=True)
    assert attempt_start(enrollment=mine.enrollment, item=item("by-hand")) == mine
    assert Submission.objects.count() == 1


def test_an_extension_moves_closing_for_its_student_alone(course, ada, ben, attempt, clock):
    adas, bens = attempt(ada, "by-hand"), attempt(ben, "by-hand")
    row = assigned(course, due_at=DUE, closes_at=DUE)
    Extension.objects.create(assignment=row, enrollment=adas.enrollment, due_at=DUE + DAY, reason="r")
    assert send(adas, right_numbers(adas), at=DUE + HOUR, clock=clock).counted
    with pytest.raises(NotOpenAnyMore):
        send(bens, right_numbers(bens), at=DUE + HOUR, clock=clock)


def test_the_moment_that_counts_is_when_the_answer_came_in(course, ada, attempt, clock, monkeypatch):
    mine = attempt(ada, "by-hand")
    assigned(course, due_at=DUE, closes_at=DUE)
    clock.move_to(DUE)

    def slow_lock(*, user_id: int) -> None:
        clock.move_to(DUE + HOUR)

    monkeypatch.setattr("exercises.services.submission_create.lock_learner", slow_lock)
    assert submission_create(attempt=mine, raw_response=right_numbers(mine)).submission.created_at == DUE


def test_tries_of_the_assignment_take_the_place_of_the_items(course, ada, attempt, clock):
    mine = attempt(ada, "by-hand")
    assigned(course, tries=1)
    submission_create(attempt=mine, raw_response=half_right_numbers(mine))
    with pytest.raises(NoTriesLeft):
        submission_create(attempt=mine, raw_response=right_numbers(mine))


def test_a_solution_waits_for_its_release_whatever_was_tried(course, ada, attempt, clock):
    mine = attempt(ada, "by-hand")
    assigned(course, due_at=DUE, solution="due")
    send(mine, half_right_numbers(mine), at=DUE - DAY, clock=clock)
    send(mine, transposed_numbers(mine), at=DUE - HOUR, clock=clock)
    clock.move_to(DUE)
    with pytest.raises(SolutionNotYet):
        solution_show(attempt=mine)
    clock.move_to(DUE + MOMENT)
    solution_show(attempt=mine)
    assert mine.shown_at == DUE + MOMENT


def test_a_course_that_is_over_takes_nothing_and_begins_nothing(course, ada, ben, attempt, item, clock):
    mine = attempt(ada, "by-hand")
    Course.objects.filter(pk=course.pk).update(archived_at=DUE)
    mine = Attempt.objects.select_related("enrollment__course", "enrollment__user", "item", "item_version").get()
    with pytest.raises(NotOpenAnyMore):
        submission_create(attempt=mine, raw_response=right_numbers(mine))
    assert attempt_start(enrollment=mine.enrollment, item=item("by-hand")) == mine
    with pytest.raises(NotOpenAnyMore):
        attempt(ben, "by-hand")
    bens = Enrollment.objects.select_related("course__curriculum", "user").get(user=ben)
    assert attempts_open(enrollment=bens, lesson=Lesson.objects.get(slug="first")).attempts == []
