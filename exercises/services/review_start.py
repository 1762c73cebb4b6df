"""Give a learner the next review."""

from __future__ import annotations

from exercises.models import Attempt, Enrollment, Item
from exercises.queries.lesson_page import current_attempts
from exercises.services.attempt_start import attempt_start
from grader.marking.items import Convention


def review_start(*, enrollment: Enrollment, item: Item, convention: Convention | None = None) -> Attempt:
    """An attempt at the item on numbers that the learner has sent nothing for: new ones, unless some lie open already."""
    current = next(iter(current_attempts(enrollment, [item])), None)
    is_open = current is not None and current.shown_at is None and not current.submissions.exists()
    return attempt_start(enrollment=enrollment, item=item, fresh=not is_open, convention=convention)
