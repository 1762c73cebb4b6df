"""A curriculum: the lessons of one folder of the content."""

from __future__ import annotations

from django.db import models

from exercises.models.ordered_json import OrderedJSONField


class Curriculum(models.Model):
    """Written by the content loader only. Several courses can teach one curriculum."""

    slug = models.SlugField(unique=True)
    title = models.JSONField()
    summary = models.JSONField()
    glossary = OrderedJSONField(default=dict)
    is_active = models.BooleanField(default=True)

    class Meta:
        verbose_name_plural = "curriculums"
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.slug
