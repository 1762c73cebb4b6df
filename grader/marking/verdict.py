"""The two closed sets that the whole product shares: how an answer was judged, and how far grading has come."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """The class of a mark. Waiting and failing are not verdicts: see `GradingProgress`."""

    CORRECT = "correct"
    PARTIALLY_CORRECT = "partially_correct"
    INCORRECT = "incorrect"


class GradingProgress(StrEnum):
    """How far grading has come, in the five words of LTI 1.3 Assignment and Grade Services, section 3.4.5."""

    NOT_READY = "NotReady"
    PENDING = "Pending"
    PENDING_MANUAL = "PendingManual"
    FULLY_GRADED = "FullyGraded"
    FAILED = "Failed"
