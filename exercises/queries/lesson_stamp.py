"""Which versions a lesson's page shows: another stamp means that the content was loaded anew, with changes."""

from __future__ import annotations

from exercises.models import Item, Lesson


def lesson_stamp(lesson: Lesson) -> str:
    """The current versions of the text and of every item, by their ids. One query."""
    items = (
        Item.objects.filter(lesson=lesson, is_active=True).order_by("pk").values_list("current_version_id", flat=True)
    )
    return "-".join(map(str, [lesson.current_version_id, *items]))
