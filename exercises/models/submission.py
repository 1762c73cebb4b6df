"""One response that was sent for grading."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone

from exercises.enums import GradingProgress, ItemKind
from exercises.models.attempt import Attempt


class Submission(models.Model):
    """The response never changes; how far its grading has come does.

    `counted` says whether this was a try of the learner's: a job that failed by our fault is none, and neither is a
    text that a newer one took the place of. `ticket` is what the outcome of a code job must bring back to be believed.
    `standing_mark` is the mark that counts: the instructor's latest, or else the automatic one.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    attempt = models.ForeignKey(Attempt, on_delete=models.CASCADE, related_name="submissions")
    kind = models.CharField(max_length=16, choices=ItemKind.choices)
    raw_response = models.JSONField()
    response_digest = models.CharField(max_length=64)
    grading_progress = models.CharField(max_length=16, choices=GradingProgress.choices)
    counted = models.BooleanField(default=True)
    failure = models.CharField(max_length=64, blank=True)
    standing_mark = models.ForeignKey("Mark", on_delete=models.SET_NULL, null=True, related_name="+")
    ticket = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001 -- NULLs are distinct, "" is not
    sends = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=timezone.now)
    settled_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["attempt", "created_at", "id"]
        constraints = [
            # A double click is one submission: the second insert would break this, so it finds the first instead.
            models.UniqueConstraint(
                fields=["attempt", "response_digest"],
                condition=models.Q(counted=True),
                name="submission_same_response_once",
            ),
            models.CheckConstraint(
                condition=models.Q(grading_progress__in=GradingProgress.values), name="submission_progress_known"
            ),
            models.CheckConstraint(
                condition=~models.Q(grading_progress=GradingProgress.PENDING) | models.Q(ticket__isnull=False),
                name="submission_pending_has_ticket",
            ),
            models.CheckConstraint(
                condition=~models.Q(grading_progress=GradingProgress.FAILED) | models.Q(counted=False),
                name="submission_failed_not_counted",
            ),
        ]
        indexes = [
            # The sweeper looks every few seconds for the few that wait among the many that are settled.
            models.Index(
                fields=["created_at"],
                condition=models.Q(grading_progress=GradingProgress.PENDING),
                name="submission_pending",
            ),
        ]

    def __str__(self) -> str:
        return str(self.public_id)

    @property
    def job_ticket(self) -> str:
        """The ticket of a submission that has one, as every pending one does."""
        if self.ticket is None:
            raise ValueError(f"submission {self} is no job")
        return self.ticket
