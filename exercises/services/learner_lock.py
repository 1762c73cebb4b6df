"""One thing at a time for one learner."""

from __future__ import annotations

from exercises.models import User


def lock_learner(*, user_id: int) -> None:
    """Let the learner's other requests wait until this transaction ends.

    On PostgreSQL this locks the user's row; on SQLite the transaction holds the only write lock already.
    """
    User.objects.select_for_update(no_key=True).only("pk").get(pk=user_id)
