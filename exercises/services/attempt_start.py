"""Give a learner the numbers to work on."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from exercises.models import Attempt, Draft, Enrollment, Item, Lesson
from exercises.queries.definitions import definitions_load, item_content, tellings
from exercises.queries.help import attempt_on_seed
from exercises.queries.lesson_page import OpenItems, current_attempts
from exercises.queries.terms import terms_at
from exercises.services.learner_lock import lock_learner
from exercises.services.terms_check import check_begun, check_going_on, check_open, is_over
from grader.bank import variant_convention, variant_in
from grader.marking.items import Convention
from grader.marking.variants import VariantJson, draw_variant

# Every number up to here survives a trip through JSON and JavaScript.
SEEDS = 2**53


def attempt_start(
    *,
    enrollment: Enrollment,
    item: Item,
    fresh: bool = False,
    seed: int | None = None,
    convention: Convention | None = None,
) -> Attempt:
    """The current attempt at the item, or with `fresh` a new one with other numbers ("another one like this").

    With a `seed` it is the attempt on the numbers of that seed, which somebody else may have as well: the one that the
    learner has on them already, or a new one.

    An attempt that nothing was typed, guessed or sent for follows the content and the reader: when the item has a newer version,
    or the reader prefers another `convention` in which it can be told, a new one takes over.

    Raises NotOpenYet before the assignment opens, NotOpenAnyMore for other numbers after it has closed.
    """
    terms, now = terms_at(enrollment, [item])[item.pk], timezone.now()
    check_begun(terms=terms, now=now)
    if fresh or seed is not None:
        check_open(enrollment=enrollment, terms=terms, now=now)
    if seed is not None:
        variant = _draw(item, seed, convention)
        mine = attempt_on_seed(enrollment, item, variant["seed"])
        return mine or _start(enrollment, [item], [variant], fresh=True)[0]
    current = next(iter(current_attempts(enrollment, [item])), None)
    if current and not fresh and (is_over(enrollment) or not _is_outdated(current, item, convention)):
        return current
    check_going_on(enrollment=enrollment)
    return _start(enrollment, [item], [_drawn(item, None if fresh else current, convention)], fresh=fresh)[0]


def attempts_open(*, enrollment: Enrollment, lesson: Lesson, convention: Convention | None = None) -> OpenItems:
    """The current attempts at the items of the lesson, one for each that has opened; those that are missing are begun.

    In a course that is over none is begun any more.
    """
    found = Item.objects.filter(lesson=lesson, is_active=True).select_related("current_version")
    every = list(found.defer("current_version__definition").order_by("position"))
    for item in every:
        item.lesson = lesson
    terms, now = terms_at(enrollment, every), timezone.now()
    ahead = {item.slug: opens for item in every if (opens := terms[item.pk].opens_at) and terms[item.pk].is_ahead(now)}
    items = [item for item in every if item.slug not in ahead]
    definitions_load(item.version for item in items)
    current = current_attempts(enrollment, items)
    if is_over(enrollment):
        return OpenItems(current, terms, ahead)
    opened = {attempt.item_id: attempt for attempt in current}
    missing = [item for item in items if item.pk not in opened or _is_outdated(opened[item.pk], item, convention)]
    if missing:
        # A class opens a lesson in the same minute: the drawing, which takes its time, stays outside the lock.
        drawn = [_drawn(item, opened.get(item.pk), convention) for item in missing]
        opened |= {attempt.item_id: attempt for attempt in _start(enrollment, missing, drawn, fresh=False)}
    return OpenItems([opened[item.pk] for item in items], terms, ahead)


def _is_outdated(attempt: Attempt, item: Item, convention: Convention | None) -> bool:
    if attempt.guess:
        return False
    is_current = attempt.item_version_id == item.current_version_id
    if is_current and variant_convention(attempt.variant) is _told(item, convention):
        return False
    return not attempt.submissions.exists() and not Draft.objects.filter(attempt=attempt).exists()


def _told(item: Item, preferred: Convention | None) -> Convention | None:
    """The convention that an attempt at the item is told in; None where there is only one."""
    known = tellings(item.version)
    if len(known) == 1:
        return None
    return preferred if preferred in known else known[0]


def _drawn(item: Item, before: Attempt | None, preferred: Convention | None) -> VariantJson:
    """Other numbers, or the same where only the convention is another."""
    is_same = before is not None and before.item_version_id == item.current_version_id
    return _draw(item, before.seed if is_same and before else secrets.randbelow(SEEDS), preferred)


def _draw(item: Item, seed: int, preferred: Convention | None) -> VariantJson:
    content = item_content(item.version)
    variant, convention = draw_variant(content, seed), _told(item, preferred)
    return variant if convention is None else variant_in(content, variant, convention)


def _start(
    enrollment: Enrollment, items: Sequence[Item], drawn: Sequence[VariantJson], *, fresh: bool
) -> list[Attempt]:
    with transaction.atomic():
        lock_learner(user_id=enrollment.user_id)
        opened = {attempt.item_id: attempt for attempt in current_attempts(enrollment, items)}
        started = []
        for item, variant in zip(items, drawn, strict=True):
            current = opened.get(item.pk)
            # Another tab may have been quicker.
            if current is None or fresh or _is_outdated(current, item, variant_convention(variant)):
                current = _create(enrollment, item, variant, number=current.number + 1 if current else 1)
            started.append(current)
        return started


def _create(enrollment: Enrollment, item: Item, variant: VariantJson, *, number: int) -> Attempt:
    return Attempt.objects.create(
        enrollment=enrollment,
        item=item,
        item_version=item.version,
        number=number,
        # Not always the one that was asked for: drawing moves on to numbers on which all named mistakes differ.
        seed=variant["seed"],
        variant=variant,
    )
