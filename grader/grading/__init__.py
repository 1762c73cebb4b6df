"""Use cases: grade a learner's code, or only run it. `grader.grading.grade` says what happens when."""

from __future__ import annotations

from grader.grading.grade import Graded, grade_code
from grader.grading.own_call import Ran, run_code

__all__ = ["Graded", "Ran", "grade_code", "run_code"]
