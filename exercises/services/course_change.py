"""What an instructor sets for a whole course."""

from __future__ import annotations

from zoneinfo import available_timezones

from django.db import transaction

from exercises.enums import Act
from exercises.models import Enrollment
from exercises.services.audit_record import note


@transaction.atomic
def course_change(*, instructor: Enrollment, time_zone: str, is_open: bool) -> None:
    """Set the time zone, "" for that of the site, and whether guests may come in. ValueError for an unknown zone."""
    if time_zone and time_zone not in available_timezones():
        raise ValueError(f"no time zone is called {time_zone!r}")
    course = instructor.course
    before = {"time_zone": course.time_zone, "is_open": course.is_open}
    after = {"time_zone": time_zone, "is_open": is_open}
    if before == after:
        return
    course.time_zone, course.is_open = time_zone, is_open
    course.save(update_fields=["time_zone", "is_open"])
    note(
        actor=instructor.user,
        course=course,
        act=Act.CHANGE_COURSE,
        subject=course,
        detail={"from": before, "to": after},
    )
