"""Give a learner the numbers to work on."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from django.db import transaction

from exercises.models import Attempt, Enrollment, Item, Lesson
from exercises.queries.definitions import item_content
from exercises.queries.help import attempt_on_seed
from exercises.queries.lesson_page import current_attempts
from exercises.services.learner_lock import lock_learner
from grader.marking.variants import draw_variant

# Every number up to here survives a trip through JSON and JavaScript.
SEEDS = 2**53


def attempt_start(*, enrollment: Enrollment, item: Item, fresh: bool = False, seed: int | None = None) -> Attempt:
    """The current attempt at the item, or with `fresh` a new one with other numbers ("another one like this").

    With a `seed` it is the attempt on the numbers of that seed, which somebody else may have as well: the one that the
    learner has on them already, or a new one.

    An attempt that nothing was sent for follows the content: when the item has a newer version, a new one takes over.
    """
    if seed is not None:
        variant = draw_variant(item_content(item.version), seed)
        mine = attempt_on_seed(enrollment, item, variant["seed"])
        return mine or _start(enrollment, [item], [variant], fresh=True)[0]
    if not fresh:
        for current in current_attempts(enrollment, [item]):
            if not _is_outdated(current, item):
                return current
    return _start(enrollment, [item], _drawn([item]), fresh=fresh)[0]


def attempts_open(*, enrollment: Enrollment, lesson: Lesson) -> None:
    """See to it that each item of the lesson has an attempt, so that its page can be shown."""
    items = list(Item.objects.filter(lesson=lesson, is_active=True).select_related("current_version"))
    opened = {attempt.item_id: attempt for attempt in current_attempts(enrollment, items)}
    missing = [item for item in items if item.pk not in opened or _is_outdated(opened[item.pk], item)]
    if missing:
        _start(enrollment, missing, _drawn(missing), fresh=False)


def _is_outdated(attempt: Attempt, item: Item) -> bool:
    return attempt.item_version_id != item.current_version_id and not attempt.submissions.exists()


def _drawn(items: Sequence[Item]) -> list[dict[str, Any]]:
    # A class opens a lesson in the same minute: the drawing, which takes its time, stays outside the lock.
    return [draw_variant(item_content(item.version), secrets.randbelow(SEEDS)) for item in items]


def _start(
    enrollment: Enrollment, items: Sequence[Item], drawn: Sequence[dict[str, Any]], *, fresh: bool
) -> list[Attempt]:
    with transaction.atomic():
        lock_learner(user_id=enrollment.user_id)
        opened = {attempt.item_id: attempt for attempt in current_attempts(enrollment, items)}
        started = []
        for item, variant in zip(items, drawn, strict=True):
            current = opened.get(item.pk)
            # Another tab may have been quicker.
            if current is None or fresh or _is_outdated(current, item):
                current = _create(enrollment, item, variant, number=current.number + 1 if current else 1)
            started.append(current)
        return started


def _create(enrollment: Enrollment, item: Item, variant: dict[str, Any], *, number: int) -> Attempt:
    return Attempt.objects.create(
        enrollment=enrollment,
        item=item,
        item_version=item.version,
        number=number,
        # Not always the one that was asked for: drawing moves on to numbers on which all named mistakes differ.
        seed=variant["seed"],
        variant=variant,
    )
