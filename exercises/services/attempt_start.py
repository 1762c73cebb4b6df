"""Give a learner the numbers to work on."""

from __future__ import annotations

import secrets

from django.db import transaction

from exercises.models import Attempt, Enrollment, Item, Lesson
from exercises.queries.definitions import item_content
from exercises.queries.lesson_page import current_attempts
from exercises.services.learner_lock import lock_learner
from grader.marking.variants import draw_variant

# Every number up to here survives a trip through JSON and JavaScript.
SEEDS = 2**53


def attempt_start(*, enrollment: Enrollment, item: Item, fresh: bool = False) -> Attempt:
    """The current attempt at the item, or with `fresh` a new one with other numbers ("another one like this").

    An attempt that nothing was sent for follows the content: when the item has a newer version, a new one takes over.
    """
    with transaction.atomic():
        lock_learner(user_id=enrollment.user_id)
        current = next(iter(current_attempts(enrollment, [item])), None)
        if current is not None and not fresh and not _is_outdated(current, item):
            return current
        return _draw(enrollment, item, number=current.number + 1 if current else 1)


def attempts_open(*, enrollment: Enrollment, lesson: Lesson) -> None:
    """See to it that each item of the lesson has an attempt, so that its page can be shown."""
    items = list(Item.objects.filter(lesson=lesson, is_active=True).select_related("current_version"))
    opened = {attempt.item_id: attempt for attempt in current_attempts(enrollment, items)}
    for item in items:
        if item.pk not in opened or _is_outdated(opened[item.pk], item):
            attempt_start(enrollment=enrollment, item=item)


def _is_outdated(attempt: Attempt, item: Item) -> bool:
    return attempt.item_version_id != item.current_version_id and not attempt.submissions.exists()


def _draw(enrollment: Enrollment, item: Item, *, number: int) -> Attempt:
    # A numeric item may move on to a seed on which all named mistakes give different answers.
    variant = draw_variant(item_content(item.version), secrets.randbelow(SEEDS))
    return Attempt.objects.create(
        enrollment=enrollment,
        item=item,
        item_version=item.version,
        number=number,
        seed=variant["seed"],
        variant=variant,
    )
