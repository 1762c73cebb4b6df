"""Keep what a reader has chosen."""

from __future__ import annotations

from collections.abc import Mapping

from exercises.models import User


def preferences_set(*, user: User, chosen: Mapping[str, str]) -> None:
    """Keep choices, by the names of `exercises.enums.PREFERENCES`, in the account; an empty one takes a choice back."""
    for name, value in chosen.items():
        setattr(user, name, value)
    user.save(update_fields=list(chosen))
