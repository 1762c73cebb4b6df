"""JSON whose objects keep the order of their keys, on every database."""

from __future__ import annotations

import json

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper


class OrderedJSONField(models.JSONField):
    """Stored as text, for PostgreSQL's own JSON type sorts the keys of an object.

    In a definition the order has a meaning: what is given is drawn and shown in it, and a step may use those before it.
    Nothing ever searches inside, so nothing is lost.
    """

    def get_internal_type(self) -> str:
        """The column's type is that of a text."""
        return "TextField"

    def get_db_prep_value(
        self,
        value: object,
        connection: BaseDatabaseWrapper,  # noqa: ARG002 -- Django's signature
        prepared: bool = False,  # noqa: ARG002, FBT001, FBT002 -- Django's signature
    ) -> str | None:
        """Write strict JSON: a number that is none is refused here rather than by a reader later."""
        return None if value is None else json.dumps(value, ensure_ascii=False, allow_nan=False)
