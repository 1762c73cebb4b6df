"""What holds for a student at an assignment: dates, extensions, and the late share of what a try adds."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from exercises.enums import Role
from exercises.models import Enrollment, Extension, Item, Label, Submission
from exercises.queries.grade_page import grade_page, own_grades
from exercises.queries.standings import standings
from exercises.queries.terms import FREE, barred, terms_at
from exercises.services.submission_create import submission_create
from tests.exercises.grading import DAY, DUE, HOUR, MOMENT, assigned, send
from tests.exercises.responses import half_right_numbers, right_numbers, transposed_numbers
from tests.factories import EnrollmentFactory


def terms(user, slug="by-hand"):
    enrollment = Enrollment.objects.select_related("course").get(user=user)
    item = Item.objects.get(slug=slug)
    return terms_at(enrollment, [item])[item.pk]


def score(user, slug="by-hand"):
    enrollment = Enrollment.objects.get(user=user)
    found = standings(Submission.objects.filter(attempt__enrollment=enrollment))
    return found[enrollment.pk, Item.objects.get(slug=slug).pk].score


def test_a_lesson_without_a_row_binds_nobody_and_costs_one_query(course, ada, django_assert_num_queries):
    enrollment, item = Enrollment.objects.get(user=ada), Item.objects.get(slug="by-hand")
    with django_assert_num_queries(1):
        assert terms_at(enrollment, [item]) == {item.pk: FREE}


def test_who_teaches_is_bound_by_nothing(course, ines):
    assigned(course, opens_at=DUE + DAY, feedback="by_hand")
    assert terms(ines) == FREE


def test_the_latest_extension_of_student_and_labels_holds_and_moves_closing_along(course, ada, ben):
    row = assigned(course, due_at=DUE, closes_at=DUE + 2 * DAY)
    enrollment = Enrollment.objects.get(user=ada)
    label = Label.objects.create(course=course, name="Resit")
    enrollment.labels.add(label)
    Extension.objects.create(assignment=row, label=label, due_at=DUE + 3 * DAY, reason="r")
    Extension.objects.create(assignment=row, enrollment=enrollment, due_at=DUE + DAY, reason="r")
    assert (terms(ada).due_at, terms(ada).closes_at, terms(ada).is_extended) == (DUE + 3 * DAY, DUE + 5 * DAY, True)
    assert (terms(ben).due_at, terms(ben).is_extended) == (DUE, False)


def test_an_extension_that_is_no_later_changes_nothing(course, ada):
    row = assigned(course, due_at=DUE)
    Extension.objects.create(assignment=row, enrollment=Enrollment.objects.get(user=ada), due_at=DUE - DAY, reason="r")
    assert terms(ada).due_at == DUE


def test_days_are_full_days_when_the_clocks_are_moved(course, ada):
    course.time_zone = "Europe/Berlin"
    course.save()
    due = datetime(2027, 3, 27, 12, 0, tzinfo=ZoneInfo("Europe/Berlin"))  # clocks go forward that night
    assigned(course, due_at=due, late_steps=[10, 10])
    sent = datetime(2027, 3, 28, 12, 30, tzinfo=ZoneInfo("Europe/Berlin"))  # 23 hours and a half later
    assert terms(ada).kept(sent) == Decimal("0.9")


@pytest.mark.parametrize(
    ("later", "points"),
    [
        (-MOMENT, "2"),
        (0 * MOMENT, "2"),  # the due moment itself is in time
        (MOMENT, "1.8"),  # 1 in time + 1 * 0.8
        (DAY, "1.8"),
        (DAY + MOMENT, "1.5"),  # 1 + 1 * (1 - 0.2 - 0.3)
        (2 * DAY + MOMENT, "1.25"),  # the floor of 25 %
    ],
)
def test_lateness_costs_its_share_of_what_was_added_late(course, ada, attempt, clock, later, points):
    assigned(course, due_at=DUE, late_steps=[20, 30], late_floor=25)
    mine = attempt(ada, "by-hand")
    send(mine, half_right_numbers(mine), at=DUE - DAY, clock=clock)
    send(mine, right_numbers(mine), at=DUE + later, clock=clock)
    assert score(ada) == Decimal(points)


def test_a_late_try_that_adds_nothing_takes_nothing(course, ada, attempt, clock):
    assigned(course, due_at=DUE, late_steps=[90])
    mine = attempt(ada, "by-hand")
    send(mine, right_numbers(mine), at=DUE - HOUR, clock=clock)
    send(mine, half_right_numbers(mine), at=DUE + HOUR, clock=clock)
    other = attempt(ada, "by-hand", fresh=True)
    send(other, right_numbers(other), at=DUE + DAY, clock=clock)
    assert score(ada) == 2


def test_an_extension_given_afterwards_makes_late_work_timely(course, ada, attempt, clock):
    row = assigned(course, due_at=DUE, late_unit="hour", late_steps=[50])
    mine = attempt(ada, "by-hand")
    send(mine, right_numbers(mine), at=DUE + HOUR + MOMENT, clock=clock)
    assert score(ada) == 0
    Extension.objects.create(assignment=row, enrollment=Enrollment.objects.get(user=ada), due_at=DUE + DAY, reason="r")
    assert score(ada) == 2


def test_penalties_of_the_assignment_take_the_place_of_the_items_and_meet_lateness(course, ada, attempt, clock):
    assigned(course, due_at=DUE, late_steps=[50], penalties=[0, 40])
    mine = attempt(ada, "by-hand")
    send(mine, half_right_numbers(mine), at=DUE - HOUR, clock=clock)
    send(mine, right_numbers(mine), at=DUE + HOUR, clock=clock)
    assert score(ada) == Decimal("1.3")  # 1 + 1 * 0.6 * 0.5


def test_the_last_try_counts_where_the_assignment_says_so(course, ada, attempt):
    assigned(course, counts="last")
    mine = attempt(ada, "by-hand")
    for response in (right_numbers(mine), transposed_numbers(mine)):
        submission_create(attempt=mine, raw_response=response)
    assert score(ada) == 0


def test_a_class_costs_the_same_queries_however_many_are_late(course, attempt, clock, django_assert_max_num_queries):
    row = assigned(course, due_at=DUE, late_steps=[20])
    for number in range(3):
        enrollment = EnrollmentFactory(course=course, role=Role.STUDENT)
        mine = attempt(enrollment.user, "by-hand")
        send(mine, right_numbers(mine), at=DUE + DAY, clock=clock)
        Extension.objects.create(assignment=row, enrollment=enrollment, due_at=DUE + number * DAY, reason="r")
    with django_assert_max_num_queries(11):
        page = grade_page(course, after=0, limit=10)
    assert [line.score for line in page.students] == [Decimal("1.6"), 2, 2]


def test_an_own_line_costs_as_much(course, ada, attempt, django_assert_max_num_queries):
    assigned(course, due_at=DUE, late_steps=[20])
    mine = attempt(ada, "by-hand")
    enrollment = Enrollment.objects.select_related("course").get(user=ada)
    submission_create(attempt=mine, raw_response=right_numbers(mine))
    with django_assert_max_num_queries(11):
        own_grades(enrollment)


def test_reviews_leave_alone_what_is_closed_or_counts_tries(course, ada, clock):
    enrollment = Enrollment.objects.select_related("course").get(user=ada)
    first = set(Item.objects.filter(lesson__slug="first").values_list("pk", flat=True))
    row = assigned(course, due_at=DUE, closes_at=DUE)
    assert barred([enrollment])[enrollment.pk].shut == set()
    clock.move_to(DUE + MOMENT)
    assert barred([enrollment])[enrollment.pk].shut == first
    Extension.objects.create(assignment=row, enrollment=enrollment, due_at=DUE + DAY, reason="r")
    assert barred([enrollment])[enrollment.pk].shut == set()
    assigned(course, due_at=None, closes_at=None, tries=3)
    assert barred([enrollment])[enrollment.pk].shut == first
