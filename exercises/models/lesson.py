"""A lesson, and every version of it that was ever loaded."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from exercises.models.curriculum import Curriculum
from exercises.models.ordered_json import OrderedJSONField


class Lesson(models.Model):
    """A place in a curriculum. A lesson that leaves the files is retired, never deleted."""

    curriculum = models.ForeignKey(Curriculum, on_delete=models.PROTECT, related_name="lessons")
    slug = models.SlugField()
    title = models.JSONField(help_text="Repeats the current version, for lists.")
    position = models.PositiveIntegerField()
    is_active = models.BooleanField(default=True)
    current_version = models.ForeignKey("LessonVersion", on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["curriculum", "position"]
        constraints = [models.UniqueConstraint(fields=["curriculum", "slug"], name="lesson_slug_in_curriculum")]

    def __str__(self) -> str:
        return self.slug

    @property
    def version(self) -> LessonVersion:
        """The current version. Only the loader, in the middle of its transaction, sees a lesson without one."""
        if self.current_version is None:
            raise LessonVersion.DoesNotExist(self.slug)
        return self.current_version


class LessonVersion(models.Model):
    """The text of a lesson in both languages, never changed once written."""

    lesson = models.ForeignKey(Lesson, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
    source = OrderedJSONField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["lesson", "number"]
        constraints = [
            models.UniqueConstraint(fields=["lesson", "number"], name="lesson_version_number"),
            models.UniqueConstraint(fields=["lesson", "digest"], name="lesson_version_digest"),
        ]

    def __str__(self) -> str:
        return f"{self.lesson} v{self.number}"
