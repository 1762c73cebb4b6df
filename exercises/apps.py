"""The app's entry in INSTALLED_APPS."""

from __future__ import annotations

from django.apps import AppConfig


class ExercisesConfig(AppConfig):
    """Named so that settings can say "exercises" alone."""

    name = "exercises"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = "QKV Course"
