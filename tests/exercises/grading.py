"""What tests of grades share: a clock to move, and assignments with dates."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from exercises.models import Assignment, Course, Submission
from exercises.services.submission_create import submission_create

ZONE = ZoneInfo("Asia/Shanghai")
DUE = datetime(2027, 3, 10, 23, 59, tzinfo=ZONE)
MOMENT = timedelta(microseconds=1)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@dataclass
class Clock:
    """What the site takes for the time."""

    now: datetime

    def move_to(self, moment: datetime) -> None:
        self.now = moment


def assigned(course: Course, slug: str = "first", **settings) -> Assignment:
    """The row of a lesson, with these settings."""
    lesson = course.curriculum.lessons.get(slug=slug)
    return Assignment.objects.update_or_create(course=course, lesson=lesson, defaults={"slug": slug, **settings})[0]


def send(attempt, response, *, at: datetime, clock: Clock) -> Submission:
    """An answer that comes in at that moment."""
    clock.move_to(at)
    return submission_create(attempt=attempt, raw_response=response).submission
