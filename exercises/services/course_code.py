"""Course codes: made and revoked by an instructor, used by whoever has them."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from exercises.enums import Act
from exercises.models import CourseCode, Enrollment, User
from exercises.services.audit_record import note
from exercises.services.spoken_code import spoken_code

# 31 signs to the power of 8 are 8.5e11: with the limits on the door nobody finds one by trying.
CODE_LENGTH: Final = 8
LONGEST_LIFETIME: Final = timedelta(days=366)
MOST_USES: Final = 5000


@transaction.atomic
def course_code_create(*, instructor: Enrollment, lifetime: timedelta, most_uses: int) -> CourseCode:
    """A new code for the instructor's course. Raises ValueError for a lifetime or a number of uses out of bounds."""
    if not timedelta(0) < lifetime <= LONGEST_LIFETIME or not 1 <= most_uses <= MOST_USES:
        raise ValueError("a course code lives for up to a year and is used 1 to 5000 times")
    code = CourseCode.objects.create(
        course=instructor.course,
        code=spoken_code(CODE_LENGTH),
        created_by=instructor.user,
        expires_at=timezone.now() + lifetime,
        most_uses=most_uses,
    )
    note(actor=instructor.user, course=instructor.course, act=Act.MAKE_CODE, subject=code)
    return code


@transaction.atomic
def course_code_revoke(*, instructor: User, code: CourseCode) -> None:
    """End a code now. Whoever came in by it stays."""
    if CourseCode.objects.filter(pk=code.pk, revoked_at=None).update(revoked_at=timezone.now()):
        note(actor=instructor, course=code.course, act=Act.REVOKE_CODE, subject=code)


def course_code_use(*, code: CourseCode) -> bool:
    """Count one use; False if the code has ended meanwhile. Compare-and-set: a class on one code never overdraws it."""
    good = CourseCode.objects.filter(
        pk=code.pk, revoked_at=None, expires_at__gt=timezone.now(), uses__lt=F("most_uses")
    )
    return bool(good.update(uses=F("uses") + 1))
