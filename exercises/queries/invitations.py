"""Which course a visitor may join, and by what."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import F
from django.utils import timezone

from exercises.models import Course, CourseCode

# What people mix up when they copy a code from a projector is left out of the alphabet, so it needs no forgiveness.
_SPOKEN = str.maketrans("", "", "- ‐–—\u3000\t")


@dataclass(frozen=True, slots=True)
class Invitation:
    """A course that may be joined as a student: by a code, or without one because it is open."""

    course: Course
    code: CourseCode | None = None


def canonical_code(typed: str) -> str:
    """A code as it is stored, however it was typed: without blanks and dashes, in capitals, from any keyboard."""
    narrow = "".join(chr(ord(sign) - 0xFEE0) if "！" <= sign <= "～" else sign for sign in typed)
    return narrow.translate(_SPOKEN).upper()


def invitation_by_code(typed: str) -> Invitation | None:
    """The course that a code opens, if the code is still good. Unknown, expired, used up, revoked: all the same."""
    good = CourseCode.objects.filter(revoked_at=None, expires_at__gt=timezone.now(), uses__lt=F("most_uses"))
    code = good.select_related("course__curriculum").filter(code=canonical_code(typed)).first()
    return Invitation(code.course, code) if code else None


def open_courses() -> tuple[Course, ...]:
    """Every course that a guest may read."""
    return tuple(Course.objects.filter(is_open=True).order_by("slug"))
