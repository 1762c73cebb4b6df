"""Dates as a course has them: in its own time zone, and with the zone named, wherever the reader may be."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.utils import timezone
from django.utils.formats import date_format

from exercises.models import Course


def course_zone(course: Course) -> ZoneInfo:
    """The course's time zone; that of the site where none was set, or where this machine knows the set one no more."""
    try:
        return ZoneInfo(course.time_zone or settings.TIME_ZONE)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo(settings.TIME_ZONE)


def in_course_time(moment: datetime, course: Course) -> str:
    """Date, minute and zone, such as "Nov. 30, 2026, 14:05 (Asia/Shanghai, UTC+8)", in the language of the page."""
    zone = course_zone(course)
    there = timezone.localtime(moment, zone)
    return f"{date_format(there, 'DATE_FORMAT')} {there:%H:%M} ({zone_words(there, zone)})"


def zone_words(there: datetime, zone: ZoneInfo) -> str:
    """A zone with its distance from UTC at that very moment: summer time moves it."""
    offset = there.utcoffset()
    minutes = int(offset.total_seconds() // 60) if offset else 0
    hours, rest = divmod(abs(minutes), 60)
    distance = f"UTC{'-' if minutes < 0 else '+'}{hours}" + (f":{rest:02}" if rest else "")
    return zone.key if zone.key == "UTC" else f"{zone.key}, {distance}"
