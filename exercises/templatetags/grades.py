"""Filters of grades and dates: moments in the zone that they carry, shares, points that may be missing."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django import template
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from exercises.models import Course
from exercises.queries.course_time import course_zone, zone_words
from exercises.queries.terms import Terms

register = template.Library()


@register.filter
def moment(value: datetime) -> str:
    """Date, minute and zone of a moment that carries its course's zone, in the language of the page."""
    zone = value.tzinfo if isinstance(value.tzinfo, ZoneInfo) else ZoneInfo("UTC")
    there = value.astimezone(zone)
    return f"{date_format(there.replace(tzinfo=None), 'DATE_FORMAT')} {there:%H:%M} ({zone_words(there, zone)})"


@register.filter
def in_zone(value: datetime, course: Course) -> datetime:
    """The same moment, carrying the course's zone."""
    return value.astimezone(course_zone(course))


@register.filter
def day(value: datetime) -> str:
    """The day of a moment, short, in the zone that it carries."""
    return date_format(value.replace(tzinfo=None), "SHORT_DATE_FORMAT")


@register.filter
def late_words(terms: Terms) -> str:
    """What lateness costs, in a sentence."""
    steps = ", ".join(f"{int(step * 100)} %" for step in terms.late.steps)
    hourly = _("Lateness takes from what an answer adds, hour by hour: %(steps)s.")
    daily = _("Lateness takes from what an answer adds, day by day: %(steps)s.")
    said = (hourly if terms.late.unit == timedelta(hours=1) else daily) % {"steps": steps}
    left = _("At least %(floor)d %% are left.") % {"floor": int(terms.late.floor * 100)}
    return f"{said} {left}" if terms.late.floor else said
