"""What a learner asks or reports about an item, and what is said to it."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone

from exercises.enums import QuestionKind, QuestionState
from exercises.models.attempt import Attempt
from exercises.models.submission import Submission
from exercises.models.user import User


class Question(models.Model):
    """Asked from an attempt, which has the version and the numbers; `submission` is the response that it is about, if any."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="questions")
    submission = models.ForeignKey(Submission, on_delete=models.SET_NULL, null=True, related_name="questions")
    kind = models.CharField(max_length=16, choices=QuestionKind.choices)
    text = models.TextField()
    state = models.CharField(max_length=16, choices=QuestionState.choices, default=QuestionState.OPEN)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(condition=models.Q(kind__in=QuestionKind.values), name="question_kind_known"),
            models.CheckConstraint(condition=models.Q(state__in=QuestionState.values), name="question_state_known"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.public_id}"


class Reply(models.Model):
    """One message in answer, from either side; who has left is still one of the two."""

    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="replies")
    author = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="replies")
    is_from_staff = models.BooleanField()
    text = models.TextField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "replies"
        ordering = ["created_at", "id"]

    def __str__(self) -> str:
        return f"{self.question} ({self.created_at:%Y-%m-%d})"
