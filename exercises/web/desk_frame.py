"""What the frame around every page of the instructors shows."""

from __future__ import annotations

from exercises.enums import Role
from exercises.models import Course
from grader.marking.text import Text


def desk_frame(course: Course, role: str = Role.INSTRUCTOR) -> dict[str, object]:
    """The course and its title; an assistant is shown only the pages that are open to assistants."""
    return {"course": course, "course_title": Text.from_json(course.title), "role": role}
