"""Tags of accounts and of the people of a course, and dates in a course's own time."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time, tzinfo
from typing import Final

from django import template
from django.conf import settings
from django.forms import BoundField
from django.utils import timezone
from django.utils.safestring import SafeString

from exercises.models import Course
from exercises.queries.course_time import clock_words, distance_words, in_course_time
from exercises.queries.invitations import open_courses as courses_with_open_doors

register = template.Library()

# The first sign that a browser gives of itself counts: most name Chrome and Safari as well.
BROWSERS: Final = (
    ("MicroMessenger/", "WeChat"),
    ("QQBrowser/", "QQ"),
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("HarmonyOS", "HarmonyOS"),
    ("OpenHarmony", "HarmonyOS"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


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
def device(user_agent: str) -> str:
    """A browser and its system by the names that people know; what tells neither is shown as it came."""
    browser = next((name for sign, name in BROWSERS if sign in user_agent), "")
    system = next((name for sign, name in SYSTEMS if sign in user_agent), "")
    return ", ".join(filter(None, [browser, system])) or user_agent


@register.filter
def without_placeholder(field: BoundField) -> SafeString:
    """A field whose label stands above it needs no second one inside."""
    return field.as_widget(attrs={"placeholder": False})


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
