from __future__ import annotations

from exercises.enums import Role
from exercises.models import Course, Enrollment, User
from exercises.services.demo_create import demo_create

PASSWORDS = {"demo-instructor": "one", "demo-student-1": "two", "demo-student-2": "three"}


def test_the_demo_has_an_instructor_and_two_students(curriculum):
    course = demo_create(curriculum=curriculum, passwords=PASSWORDS)
    members = Enrollment.objects.order_by("user__username").values_list("user__username", "role")
    assert list(members) == [
        ("demo-instructor", Role.INSTRUCTOR),
        ("demo-student-1", Role.STUDENT),
        ("demo-student-2", Role.STUDENT),
    ]
    assert (course.slug, course.curriculum) == ("demo", curriculum)
    assert all(user.check_password(PASSWORDS[user.username]) and user.is_demo for user in User.objects.all())


def test_a_second_run_changes_nothing(curriculum):
    demo_create(curriculum=curriculum, passwords=PASSWORDS)
    before = list(User.objects.order_by("id").values())
    demo_create(curriculum=curriculum, passwords=PASSWORDS)
    assert list(User.objects.order_by("id").values()) == before
    assert (Course.objects.count(), Enrollment.objects.count()) == (1, 3)


def test_new_passwords_replace_the_old_ones(curriculum):
    demo_create(curriculum=curriculum, passwords=PASSWORDS)
    demo_create(curriculum=curriculum, passwords={**PASSWORDS, "demo-student-1": "new"})
    assert User.objects.get(username="demo-student-1").check_password("new")
