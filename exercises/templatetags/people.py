"""Tags of accounts and of the people of a course, and dates in a course's own time."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time, tzinfo

from django import template
from django.conf import settings
from django.utils import timezone

from exercises.models import Course
from exercises.queries.course_time import clock_words, distance_words, in_course_time
from exercises.queries.invitations import open_courses as courses_with_open_doors

register = template.Library()


@register.simple_tag
def open_courses() -> tuple[Course, ...]:
    """The courses that anybody may look into."""
    return courses_with_open_doors()


@register.simple_tag
def course_time(moment: datetime, course: Course) -> str:
    """A moment in the course's time zone, with the zone named."""
    return in_course_time(moment, course)


@register.filter
def clock(moment: datetime | None, zone: tzinfo | None = None) -> str:
    """Day, minute and distance from UTC: in the zone that is told, else of the course whose page this is, else the site's."""
    return "" if moment is None else clock_words(moment, zone)


@register.filter
def calendar(day: date | None) -> str:
    """A day, and the distance from UTC of the clock by which it begins."""
    if day is None:
        return ""
    begins = timezone.make_aware(datetime.combine(day, time.min))
    return f"{day:%Y-%m-%d} ({distance_words(begins)})"


@register.simple_tag
def now_in_course(course: Course) -> str:
    """The present moment there."""
    return in_course_time(timezone.now(), course)


@register.simple_tag
def site_facts() -> Mapping[str, str]:
    """Who runs the site, and the numbers under which it is registered."""
    return {
        "operator": settings.OPERATOR_NAME,
        "contact": settings.PRIVACY_CONTACT,
        "icp": settings.ICP_NUMBER,
        "police": settings.POLICE_NUMBER,
    }
