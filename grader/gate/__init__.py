"""The content check: what of a content folder must be mended before a learner meets it."""

from __future__ import annotations

from grader.gate.check import check_content
from grader.gate.report import ContentReport
from grader.gate.slip_table import slip_table

__all__ = ["ContentReport", "check_content", "slip_table"]
