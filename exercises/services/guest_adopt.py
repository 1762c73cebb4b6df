"""What a guest did becomes the work of the account that they sign in to."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Max

from exercises.enums import Role
from exercises.models import Attempt, Enrollment, User


@transaction.atomic
def guest_adopt(*, guest: User, user: User) -> None:
    """Move the guest's attempts to the user's own membership of each course, behind the user's own; forget the guest.

    Where the user is no student, nothing is moved: trying out is no work of an instructor, and a former member stays out.
    Nobody comes into a course that was closed meanwhile.
    """
    locked = {
        each.pk: each for each in User.objects.select_for_update().filter(pk__in=[guest.pk, user.pk]).order_by("pk")
    }
    if guest.pk not in locked or not locked[guest.pk].is_guest:
        return
    for visit in Enrollment.objects.filter(user=guest).select_related("course"):
        if visit.course.is_open:
            Enrollment.objects.get_or_create(user=user, course=visit.course, defaults={"role": Role.STUDENT})
        mine = Enrollment.objects.filter(user=user, course=visit.course, role=Role.STUDENT).first()
        if mine is not None:
            _move_attempts(visit, mine)
    locked[guest.pk].delete()


def _move_attempts(visit: Enrollment, mine: Enrollment) -> None:
    highest = dict(
        Attempt.objects.filter(enrollment=mine).order_by().values_list("item").annotate(number=Max("number"))
    )
    for attempt in Attempt.objects.filter(enrollment=visit).order_by("item", "number"):
        attempt.number = highest[attempt.item_id] = highest.get(attempt.item_id, 0) + 1
        attempt.enrollment = mine
        attempt.save(update_fields=["number", "enrollment"])
