"""An item of the bank, and every version of it that was ever loaded."""

from __future__ import annotations

from decimal import Decimal

from django.db import models
from django.utils import timezone

from exercises.enums import ItemKind
from exercises.models.curriculum import Curriculum
from exercises.models.lesson import Lesson
from exercises.models.ordered_json import OrderedJSONField


class Item(models.Model):
    """What lists need to know of an item without reading its definition: all of it repeats the current version."""

    curriculum = models.ForeignKey(Curriculum, on_delete=models.PROTECT, related_name="items")
    lesson = models.ForeignKey(Lesson, on_delete=models.PROTECT, related_name="items")
    slug = models.SlugField()
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=16, choices=ItemKind.choices)
    title = models.JSONField()
    max_score = models.DecimalField(max_digits=7, decimal_places=3)
    policy = models.JSONField(default=dict, blank=True)
    skill = OrderedJSONField(default=dict, blank=True, help_text="Slug, title and summary; empty if it names none.")
    is_active = models.BooleanField(default=True)
    current_version = models.ForeignKey("ItemVersion", on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["lesson__position", "position"]
        constraints = [
            models.UniqueConstraint(fields=["curriculum", "slug"], name="item_slug_in_curriculum"),
            models.CheckConstraint(condition=models.Q(max_score__gt=Decimal(0)), name="item_max_score_above_zero"),
        ]

    def __str__(self) -> str:
        return self.slug

    @property
    def version(self) -> ItemVersion:
        """The current version. Only the loader, in the middle of its transaction, sees an item without one."""
        if self.current_version is None:
            raise ItemVersion.DoesNotExist(self.slug)
        return self.current_version


class ItemVersion(models.Model):
    """A self-contained definition, never changed once written: it is what old attempts are marked and shown by."""

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
    definition = OrderedJSONField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["item", "number"]
        constraints = [
            models.UniqueConstraint(fields=["item", "number"], name="item_version_number"),
            models.UniqueConstraint(fields=["item", "digest"], name="item_version_digest"),
        ]

    def __str__(self) -> str:
        return f"{self.item} v{self.number}"
