"""Guests: what they may see, what becomes of their work, and when they are forgotten."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from exercises.enums import Role
from exercises.models import Attempt, Course, Enrollment, Submission, User
from exercises.queries.invitations import Invitation
from exercises.services.guest_adopt import guest_adopt
from exercises.services.guest_start import GUEST_KEPT, guest_start, guests_forget
from exercises.services.sign_up import NameTakenError, Newcomer, sign_up
from exercises.services.submission_create import submission_create
from tests.exercises.responses import right_numbers
from tests.factories import PASSWORD

ADA = Newcomer("ada-2", "Ada", PASSWORD)


@pytest.fixture
def open_course(course: Course) -> Course:
    course.is_open = True
    course.save()
    return course


@pytest.fixture
def guest(open_course) -> User:
    return guest_start(course=open_course)


def solved(attempt, user) -> Submission:
    mine = attempt(user, "by-hand")
    return submission_create(attempt=mine, raw_response=right_numbers(mine)).submission


def test_a_guest_is_in_no_figure_and_cannot_sign_in(guest):
    assert (guest.is_guest, guest.has_usable_password()) == (True, False)
    assert Enrollment.objects.get(user=guest).role == Role.GUEST


def test_at_sign_up_the_guest_becomes_the_student_with_everything_done(guest, open_course, other_course, attempt):
    done = solved(attempt, guest)
    other_course.is_open = True
    other_course.save()
    guest_start(course=other_course, guest=guest)
    user = sign_up(newcomer=ADA, invitation=Invitation(open_course), guest=guest)
    assert (user.pk, user.is_guest, user.username) == (guest.pk, False, "ada-2")
    assert {each.role for each in Enrollment.objects.filter(user=user)} == {Role.STUDENT}
    assert Submission.objects.get(attempt__enrollment__user=user) == done
    assert user.consents.count() == 1


@pytest.mark.parametrize("way", ["sign_up", "sign_in"])
def test_nobody_becomes_a_student_of_a_course_that_was_closed_meanwhile(way, guest, open_course, other_course, otto):
    other_course.is_open = True
    other_course.save()
    guest_start(course=other_course, guest=guest)
    open_course.is_open = False
    open_course.save()
    if way == "sign_up":
        user = sign_up(newcomer=ADA, invitation=Invitation(other_course), guest=guest)
    else:
        guest_adopt(guest=guest, user=otto)
        user = otto
    students = Enrollment.objects.filter(user=user, role=Role.STUDENT)
    assert [each.course for each in students] == [other_course]


def test_sign_up_takes_nobodys_name(open_course, ada):
    with pytest.raises(NameTakenError):
        sign_up(newcomer=Newcomer("ada", "Otto", PASSWORD), invitation=Invitation(open_course))
    assert User.objects.filter(display_name="Otto").count() == 0


def test_at_sign_in_the_guests_attempts_come_behind_ones_own(guest, ada, attempt, enrollment_of):
    own, theirs = solved(attempt, ada), solved(attempt, guest)
    guest_adopt(guest=guest, user=ada)
    numbers = Attempt.objects.filter(enrollment=enrollment_of(ada)).values_list("submissions", "number")
    assert sorted(numbers) == [(own.pk, 1), (theirs.pk, 2)]
    assert not User.objects.filter(pk=guest.pk).exists()


def test_an_instructor_who_tried_as_a_guest_keeps_a_clean_course(guest, ines, attempt):
    solved(attempt, guest)
    guest_adopt(guest=guest, user=ines)
    assert Attempt.objects.count() == 0
    assert Enrollment.objects.get(user=ines).role == Role.INSTRUCTOR


def test_nobody_but_a_guest_is_adopted(ada, ben, attempt):
    solved(attempt, ben)
    guest_adopt(guest=ben, user=ada)
    assert User.objects.filter(pk=ben.pk).exists()
    assert Attempt.objects.get().enrollment.user == ben


def test_guests_are_forgotten_after_their_time_and_nobody_else(guest, ada, open_course):
    long_ago = timezone.now() - GUEST_KEPT - timedelta(hours=1)
    User.objects.update(last_login=long_ago, date_joined=long_ago)
    fresh = guest_start(course=open_course)
    assert guests_forget() == 1
    assert set(User.objects.filter(is_guest=True)) == {fresh}
    assert User.objects.filter(pk=ada.pk).exists()
