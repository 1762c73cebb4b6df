"""An answer that an instructor gave back unmarked."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from exercises.models.submission import Submission
from exercises.models.user import User


class SentBack(models.Model):
    """The words that went back with an answer. Its submission is `NotReady` until the learner sends a newer one."""

    submission = models.OneToOneField(Submission, on_delete=models.CASCADE, related_name="sent_back")
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    comment = models.TextField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "sent back"
        ordering = ["created_at"]

    def __str__(self) -> str:
        return f"{self.submission} sent back"
