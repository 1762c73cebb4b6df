"""Dates as a course has them: in its own time zone, and with the zone named, wherever the reader may be."""

from __future__ import annotations

from datetime import datetime, tzinfo
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format

from exercises.models import Course


def course_zone(course: Course) -> ZoneInfo:
    """The course's time zone, or that of the site."""
    return course.zone


def in_course_time(moment: datetime, course: Course) -> str:
    """Date, minute and zone, such as "Nov. 30, 2026, 14:05 (Asia/Shanghai, UTC+8)", in the language of the page."""
    zone = course_zone(course)
    there = timezone.localtime(moment, zone)
    return f"{date_format(there, 'DATE_FORMAT')} {there:%H:%M} ({zone_words(there, zone)})"


def clock_words(moment: datetime, zone: tzinfo | None = None) -> str:
    """Day, minute and distance from UTC: in the zone that is told, else of the course whose page this is, else the site's."""
    there = timezone.localtime(moment, zone)
    return f"{there:%Y-%m-%d %H:%M} ({distance_words(there)})"


def just_now_words(moment: datetime) -> str:
    """The same without the day while that day lasts, for what is read at once."""
    there = timezone.localtime(moment)
    if there.date() != timezone.localdate():
        return clock_words(moment)
    return f"{there:%H:%M} ({distance_words(there)})"


def zone_words(there: datetime, zone: ZoneInfo) -> str:
    """A zone with its distance from UTC at that very moment: summer time moves it."""
    return zone.key if zone.key == "UTC" else f"{zone.key}, {distance_words(there)}"


def distance_words(there: datetime) -> str:
    """How far a moment's zone is from UTC, as in "UTC+5:45"."""
    offset = there.utcoffset()
    minutes = int(offset.total_seconds() // 60) if offset else 0
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'-' if minutes < 0 else '+'}{hours}" + (f":{rest:02}" if rest else "")
