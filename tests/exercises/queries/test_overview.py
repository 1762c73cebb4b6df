from __future__ import annotations

from collections import Counter
from datetime import timedelta

import pytest
from django.utils import timezone

from exercises.enums import Role
from exercises.models import MisconceptionSighting, SecondLook
from exercises.queries.course_time import course_zone
from exercises.queries.overview import DAYS_SHOWN, overview
from exercises.queries.student_figures import StudentFigures, class_figures
from tests.exercises.figures import bare_course, enroll, send

pytestmark = pytest.mark.django_db


@pytest.fixture
def bare():
    return bare_course("bare", 2)


def fail(student, item, times, *, beginning=0.0, slug=""):
    for number in range(times):
        submission = send(student, item, 0.0, minutes=beginning + number)
        if slug:
            title = {"zh-hans": slug, "en": f"{slug} {number}"}
            MisconceptionSighting.objects.create(submission=submission, slug=slug, title=title)


def test_who_tried_in_vain_lately_is_stuck_and_the_latest_mistake_is_named(bare):
    course, items = bare
    fail(enroll(course, "ada"), items[0], 3, slug="m")
    fail(enroll(course, "ben"), items[0], 4)
    fail(enroll(course, "two-tries"), items[0], 2)
    solved = enroll(course, "solved")
    fail(solved, items[0], 3)
    send(solved, items[0], 1.0, minutes=9)
    fail(enroll(course, "long-ago"), items[0], 3, beginning=-30 * 24 * 60)
    waits = enroll(course, "waits")
    fail(waits, items[0], 3)
    send(waits, items[0], None, minutes=9)
    looked = enroll(course, "looked")
    fail(looked, items[0], 3)
    looked.attempts.update(shown_at=timezone.now())
    found = overview(course)
    assert [(each.name, each.tries) for each in found.stuck] == [("ben", 4), ("ada", 3)]
    assert [each.misconception and each.misconception.en for each in found.stuck] == [None, "m 2"]
    assert (found.stuck_count, found.students, found.started) == (2, 7, 7)
    assert sum(each.stuck for each in class_figures(course).students) == found.stuck_count


def test_only_students_are_in_any_figure(bare):
    course, items = bare
    for name, role in (("ines", Role.INSTRUCTOR), ("guest", Role.GUEST), ("gone", Role.FORMER)):
        fail(enroll(course, name, role), items[0], 5)
    enroll(course, "ada")
    found = overview(course)
    assert (found.students, found.started, found.active, found.stuck, found.hard) == (1, 0, 0, (), ())
    assert {(day.answers, day.students) for day in found.days} == {(0, 0)}
    assert class_figures(course).students == ()


def test_the_items_with_most_wrong_answers_come_first(bare):
    course, items = bare
    ada, ben = enroll(course, "ada"), enroll(course, "ben")
    fail(ada, items[0], 2)
    send(ada, items[0], 1.0, minutes=9)
    fail(ben, items[0], 1)
    fail(ben, items[1], 1)
    send(ada, items[1], None)
    first, second = overview(course).hard
    assert (first.item_slug, first.wrong, first.answers, first.students, first.unsolved) == ("item-1", 3, 4, 2, 1)
    assert (second.item_slug, second.wrong, second.answers, second.students, second.unsolved) == ("item-2", 1, 1, 2, 2)


def test_what_waits_is_counted(bare):
    course, items = bare
    ada = enroll(course, "ada")
    send(ada, items[0], None)
    marked = send(ada, items[1], 0.5)
    SecondLook.objects.create(mark=marked.standing_mark, reason="?")
    found = overview(course)
    assert (found.waiting, found.looks_waiting, found.programs_waiting) == (1, 1, 0)


def test_activity_has_a_day_for_each_of_four_weeks_in_the_time_of_the_course(bare):
    course, items = bare
    course.time_zone = "Pacific/Kiritimati"
    course.save()
    submission = send(enroll(course, "ada"), items[0], 1.0)
    days = overview(course).days
    assert len(days) == DAYS_SHOWN
    assert [day.on for day in days if day.answers] == [
        timezone.localtime(submission.created_at, course_zone(course)).date()
    ]
    assert days[-1].on - days[0].on == timedelta(days=DAYS_SHOWN - 1)


@pytest.mark.parametrize("zone", ["Asia/Shanghai", "Australia/Lord_Howe", "America/St_Johns"])
def test_every_answer_is_of_the_day_that_the_wall_of_the_course_shows(bare, zone):
    course, items = bare
    course.time_zone = zone
    course.save()
    ada = enroll(course, "ada")
    sent = [send(ada, items[0], 0.0, minutes=-minutes) for minutes in range(1, 26 * 24 * 60, 431)]
    walls = Counter(timezone.localtime(each.created_at, course_zone(course)).date() for each in sent)
    days = overview(course).days
    assert [day.answers for day in days] == [walls[day.on] for day in days]
    assert sum(day.answers for day in days) > DAYS_SHOWN


def test_a_student_has_figures_to_sort_by(bare):
    course, items = bare
    ada = enroll(course, "ada")
    fail(ada, items[0], 3)
    last = send(ada, items[1], 1.0, minutes=5)
    send(ada, items[1], 0.0, minutes=6, counted=False)
    assert class_figures(course).students == (StudentFigures(ada.pk, 2, 1, 1.0, 1, last.pk),)


@pytest.mark.parametrize("count", [1, 3])
def test_the_queries_do_not_grow_with_the_class(bare, django_assert_num_queries, count):
    course, items = bare
    for number in range(count):
        fail(enroll(course, f"learner-{number}"), items[0], 3, slug="m")
    with django_assert_num_queries(9):
        overview(course)
