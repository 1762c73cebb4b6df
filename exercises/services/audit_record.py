"""Note what an instructor does. Called inside the transaction of the act, so that neither stands without the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import models

from exercises.enums import Act
from exercises.models import AuditEntry, Course, User
from exercises.services.storable import storable_json


def note(
    *, actor: User, course: Course | None, act: Act, subject: models.Model, detail: Mapping[str, Any] | None = None
) -> AuditEntry:
    """Write down who did what to what; `detail` holds plain JSON, such as what stood there before and what stands now."""
    return AuditEntry.objects.create(
        actor=actor, course=course, act=act, subject=subject_name(subject), detail=storable_json(detail or {})
    )


def subject_name(subject: models.Model) -> str:
    """The kind of thing and the id that addresses use, as "submission:6f1c…"."""
    return f"{type(subject).__name__.lower()}:{getattr(subject, 'public_id', subject.pk)}"
