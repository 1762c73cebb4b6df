"""The content check: what of a content folder must be mended before a learner meets it."""

from __future__ import annotations

from grader.gate.check import Tried, check_content, check_definition
from grader.gate.report import ContentReport
from grader.gate.slip_table import slip_table

__all__ = ["ContentReport", "Tried", "check_content", "check_definition", "slip_table"]
