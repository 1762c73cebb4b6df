"""A person who can sign in."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from exercises.enums import Convention, Digest, Editor, Language, Theme


class User(AbstractUser):
    """Django's user, with a name to show and preferences. What a user may see follows from enrollments alone.

    A preference that is empty was never chosen. There is something new where `news_at` is later than `news_seen_at`.
    """

    display_name = models.CharField(max_length=150, blank=True)
    language = models.CharField(max_length=16, choices=Language.choices, blank=True)
    theme = models.CharField(max_length=8, choices=Theme.choices, blank=True)
    convention = models.CharField(max_length=8, choices=Convention.choices, blank=True)
    editor = models.CharField(max_length=8, choices=Editor.choices, blank=True)
    digest = models.CharField(max_length=8, choices=Digest.choices, blank=True)
    news_at = models.DateTimeField(null=True, blank=True)
    news_seen_at = models.DateTimeField(null=True, blank=True)
    digested_at = models.DateTimeField(null=True, blank=True)
    origin = models.ForeignKey(
        "exercises.Course",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text="The course whose list or code made this account: its instructors may reset it.",
    )
    is_guest = models.BooleanField(default=False, help_text="Made for a visitor of an open course, until they sign up.")
    is_demo = models.BooleanField(default=False, help_text="Made by make_demo; such a site listens on loopback only.")

    class Meta(AbstractUser.Meta):
        constraints = [
            # Sign-in, activation and lists read a name in any case, so two that differ in nothing else would be one person.
            models.UniqueConstraint(
                Lower("username"),
                name="user_name_once_in_any_case",
                violation_error_message=_("Somebody else has this name already, in other capitals perhaps."),
            )
        ]

    @property
    def has_news(self) -> bool:
        """Whether something happened since the news were last seen."""
        return self.news_at is not None and (self.news_seen_at is None or self.news_at > self.news_seen_at)

    def __str__(self) -> str:
        # In one line: a name stands in headers of messages and between other words, and anything can be sent as a name.
        return " ".join(self.display_name.split()) or self.username
