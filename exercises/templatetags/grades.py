"""Filters of grades and dates: moments in the zone that they carry, shares, points that may be missing."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from django import template
from django.utils.formats import date_format

from exercises.queries.course_time import zone_words

register = template.Library()


@register.filter
def moment(value: datetime) -> str:
    """Date, minute and zone of a moment that carries its course's zone, in the language of the page."""
    zone = value.tzinfo if isinstance(value.tzinfo, ZoneInfo) else ZoneInfo("UTC")
    there = value.astimezone(zone)
    return f"{date_format(there, 'DATE_FORMAT', use_l10n=True)} {there:%H:%M} ({zone_words(there, zone)})"
