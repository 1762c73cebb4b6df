"""What the frame around every page of the instructors shows."""

from __future__ import annotations

from functools import partial

from exercises.enums import Role
from exercises.models import Course
from exercises.web.glossary_view import course_cards, course_reference
from grader.marking.text import Text


def desk_frame(course: Course, role: str = Role.INSTRUCTOR) -> dict[str, object]:
    """The course and its title; an assistant is shown only the pages that are open to assistants."""
    return {
        "course": course,
        "course_title": Text.from_json(course.title),
        "role": role,
        # Called by the pages that show formulas, and by no other.
        "symbol_cards": partial(course_cards, course),
        "reference": partial(course_reference, course),
    }
