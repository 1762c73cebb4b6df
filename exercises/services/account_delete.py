"""Delete an account: the person is gone, what the statistics of exercises stand on stays without a name."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from typing import Any, Final

from django.contrib.admin.models import LogEntry
from django.db import models, transaction
from django.db.models import Q

from exercises.enums import Role
from exercises.models import (
    Attempt,
    AuditEntry,
    Enrollment,
    HintTaken,
    Mark,
    MisconceptionSighting,
    Snapshot,
    Submission,
    User,
)

# All that stays. Whatever else hangs on a person, on their place in a course or on their work is deleted: a table that
# somebody adds tomorrow is forgotten as well, unless it is named here.
_KEPT: Final = frozenset({Enrollment, Attempt, HintTaken, Submission, Mark, MisconceptionSighting})

NOBODY: Final = "—"
SHORTEST_NAME: Final = 2


class StillNeededError(Exception):
    """The only instructor of a course must first hand it over."""


@transaction.atomic
def account_delete(*, user: User) -> None:
    """Erase who somebody is and every word they wrote; keep verdicts and points under a name that leads nowhere.

    A guest, and whoever has sent nothing, is deleted outright. Raises StillNeededError.
    """
    taught = Enrollment.objects.select_for_update().filter(user=user, role=Role.INSTRUCTOR)
    for mine in taught:
        others = Enrollment.objects.filter(course=mine.course, role=Role.INSTRUCTOR).exclude(pk=mine.pk)
        if not others.exists():
            raise StillNeededError
    _erase_mentions(user)
    if user.is_guest or not Submission.objects.filter(attempt__enrollment__user=user).exists():
        user.delete()
        return
    _erase_what_hangs_on(user)
    _erase_answers(user)
    _erase_person(user)


def _erase_mentions(user: User) -> None:
    """Notes of what instructors did stay, without who it was done to; figures of their classes are worked out anew."""
    mine = Enrollment.objects.filter(user=user).values("course")
    named = _named(user)
    for entry in AuditEntry.objects.filter(Q(course__in=mine) | Q(course=None) | Q(actor=user)).iterator():
        told = _without(named, entry.detail)
        if told != entry.detail:
            AuditEntry.objects.filter(pk=entry.pk).update(detail=told)
    Snapshot.objects.filter(course__in=mine).delete()
    LogEntry.objects.filter(content_type__model="user", object_id=str(user.pk)).update(
        object_repr="", change_message=""
    )


def _named(user: User) -> re.Pattern[str]:
    """What a person is called by; letters and digits of the Latin alphabet must not go on before or after it."""
    names = {str(user), user.display_name, user.first_name, user.last_name, user.get_full_name(), user.email}
    texts = {user.username, *(name for name in names if len(name.strip()) >= SHORTEST_NAME)}
    words = sorted(map(re.escape, texts), key=len, reverse=True)
    return re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(words)})(?![A-Za-z0-9])", re.IGNORECASE)


def _without(named: re.Pattern[str], told: Any) -> Any:  # noqa: ANN401 -- plain JSON
    """The same detail with a dash in place of the person."""
    match told:
        case str():
            return named.sub(NOBODY, told)
        case list():
            return [_without(named, each) for each in told]
        case dict():
            return {key: _without(named, each) for key, each in told.items()}
    return told


def _erase_what_hangs_on(user: User) -> None:
    holders: tuple[models.QuerySet[Any], ...] = (
        Mark.objects.filter(submission__attempt__enrollment__user=user),
        Submission.objects.filter(attempt__enrollment__user=user),
        Attempt.objects.filter(enrollment__user=user),
        Enrollment.objects.filter(user=user),
        User.objects.filter(pk=user.pk),
    )
    for held in holders:
        for model, field in _hangers(held.model):
            model._base_manager.filter(**{f"{field}__in": held}).delete()  # noqa: SLF001 -- Django's documented name


def _hangers(model: type[models.Model]) -> Iterator[tuple[type[models.Model], str]]:
    """The tables whose rows would go with a row of this one, the hidden ones between two tables as well."""
    for relation in model._meta.get_fields(include_hidden=True):  # noqa: SLF001 -- Django's documented name
        if not isinstance(relation, models.ManyToOneRel) or relation.on_delete is not models.CASCADE:
            continue
        if relation.related_model not in _KEPT:
            yield relation.related_model, relation.field.name


def _erase_answers(user: User) -> None:
    """Answers are emptied, not deleted: their marks hang on them."""
    mine = Submission.objects.filter(attempt__enrollment__user=user)
    Mark.objects.filter(submission__in=mine).update(feedback={}, comment="")
    for pk in mine.values_list("pk", flat=True):
        # The digest says two answers of one attempt apart; a random one says nothing about the answer.
        Submission.objects.filter(pk=pk).update(raw_response={}, response_digest=secrets.token_hex(32))


def _erase_person(user: User) -> None:
    Enrollment.objects.filter(user=user).update(role=Role.FORMER)
    blank = User(username=f"deleted-{secrets.token_hex(12)}", is_active=False)
    blank.set_unusable_password()
    for field in User._meta.concrete_fields:  # noqa: SLF001 -- Django's documented name
        if field.name not in {"id", "date_joined"}:
            setattr(user, field.attname, getattr(blank, field.attname))
    user.save()
