"""A course to try everything in, with an instructor and two students, and its end."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from exercises.enums import Role
from exercises.models import Course, Curriculum, Enrollment, User

COURSE_SLUG = "demo"
COURSE_TITLE = {"zh-hans": "演示班", "en": "Demo class"}
MEMBERS = {"demo-instructor": Role.INSTRUCTOR, "demo-student-1": Role.STUDENT, "demo-student-2": Role.STUDENT}


@transaction.atomic
def demo_create(*, curriculum: Curriculum, passwords: Mapping[str, str]) -> Course:
    """See to it that the demo course and its members exist and that these passwords open their accounts."""
    course, _is_new = Course.objects.get_or_create(
        slug=COURSE_SLUG, defaults={"title": COURSE_TITLE, "curriculum": curriculum}
    )
    for username, role in MEMBERS.items():
        user = _user(username, passwords[username])
        Enrollment.objects.get_or_create(course=course, user=user, defaults={"role": role})
    return course


def _user(username: str, password: str) -> User:
    user, _is_new = User.objects.get_or_create(username=username, defaults={"is_demo": True})
    # check_password is slow on purpose, yet setting a password anew at each start would sign everybody out.
    if not user.check_password(password):
        user.set_password(password)
        user.save(update_fields=["password"])
    return user


@transaction.atomic
def demo_remove() -> int:
    """Delete the demo accounts with all their work, and the demo course unless others are in it; return how many."""
    accounts = User.objects.filter(is_demo=True)
    count = accounts.count()
    accounts.delete()
    Course.objects.filter(slug=COURSE_SLUG, enrollments=None).delete()
    return count
