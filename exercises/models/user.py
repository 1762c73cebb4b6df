"""A person who can sign in."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models

from exercises.enums import Language, Theme


class User(AbstractUser):
    """Django's user, with a name to show and two tastes. What a user may see follows from enrollments alone."""

    display_name = models.CharField(max_length=150, blank=True)
    language = models.CharField(max_length=16, choices=Language.choices, blank=True)
    theme = models.CharField(max_length=8, choices=Theme.choices, default=Theme.SYSTEM)
    is_demo = models.BooleanField(default=False, help_text="Made by make_demo; such a site listens on loopback only.")

    def __str__(self) -> str:
        return self.display_name or self.username
