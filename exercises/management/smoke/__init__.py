"""A walk through a running site from outside, as a student and as an instructor: what `manage.py smoke` does."""

from __future__ import annotations

from exercises.management.smoke.page import Surprise
from exercises.management.smoke.walk import INSTRUCTOR, STUDENT, walk

__all__ = ["INSTRUCTOR", "STUDENT", "Surprise", "walk"]
