"""The walk from the first page to the instructor's last, one line for each step that went as it should.

Only what both languages share is looked at: addresses, fields, numbers, the classes that colour a state. It can be
repeated at will: numbers are asked for anew, and code and text differ each time.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping

from exercises.management.smoke.instructor import Instructor
from exercises.management.smoke.page import Surprise
from exercises.management.smoke.student import Student
from exercises.management.smoke.visitor import Visitor

# The second student, so that whoever tries the site by hand finds the first one's pages untouched.
STUDENT, INSTRUCTOR = "demo-student-2", "demo-instructor"


def walk(origin: str, passwords: Mapping[str, str], language: str) -> Iterator[str]:
    """Take each step, and say what it showed. Raises Surprise at the first that is not as it should be."""
    student = Student(Visitor(origin), language, STUDENT, mark=secrets.token_hex(4))
    yield ready(student.visitor)
    yield student.signs_in(passwords[STUDENT])
    yield student.reads()
    by_hand = student.errs_by_hand()
    yield f"wrong numbers are named: {by_hand}"
    yield student.is_right_by_hand()
    in_code = student.errs_in_code()
    yield f"wrong code is named: {in_code}"
    yield student.is_right_in_code()
    yield student.answers_in_words()
    instructor = Instructor(Visitor(origin), language, INSTRUCTOR)
    yield instructor.signs_in(passwords[INSTRUCTOR])
    yield instructor.sees_progress(STUDENT, student.titles())
    yield instructor.sees_misconceptions(STUDENT, [by_hand, in_code])
    yield instructor.sees_words(student.words)


def ready(visitor: Visitor) -> str:
    """The site says itself that all its parts are there."""
    checks = visitor.get_json("health/ready").get("checks")
    if not isinstance(checks, dict) or not checks:
        raise Surprise("/health/ready should tell of its checks and does not")
    broken = [name for name, holds in checks.items() if holds is not True]
    if broken:
        raise Surprise(f"/health/ready says that something is not as it should be: {', '.join(broken)}")
    return f"ready: {', '.join(checks)}"
