"""Marking the answers to one item of one course anew, tried on all of them before anything is written."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone

from exercises.enums import RegradeAction, RegradeOutcome, RegradeState
from exercises.models.course import Course
from exercises.models.item import Item, ItemVersion
from exercises.models.mark import Mark
from exercises.models.ordered_json import OrderedJSONField
from exercises.models.submission import Submission
from exercises.models.user import User


class Regrade(models.Model):
    """First every line is tried, then a person decides, then every line that would change is applied.

    Each line is settled by itself, so that the work may pause, die and begin again anywhere.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="regrades")
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="regrades")
    item_version = models.ForeignKey(ItemVersion, on_delete=models.PROTECT, related_name="+")
    action = models.CharField(max_length=16, choices=RegradeAction.choices)
    reason = models.CharField(max_length=300)
    state = models.CharField(max_length=16, choices=RegradeState.choices, default=RegradeState.TRYING)
    is_paused = models.BooleanField(default=False)
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    stepped_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(condition=models.Q(state__in=RegradeState.values), name="regrade_state_known"),
            models.UniqueConstraint(
                fields=["course", "item"],
                condition=models.Q(state__in=[RegradeState.TRYING, RegradeState.READY, RegradeState.APPLYING]),
                name="regrade_one_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.item} @ {self.course}"


class RegradeLine(models.Model):
    """One submission. `before` is the mark that stood when it was tried: another one since then is left alone.

    `marking` is the mark that it would get, as the grader writes it; `ticket` is what a program's outcome must bring back.
    """

    regrade = models.ForeignKey(Regrade, on_delete=models.CASCADE, related_name="lines")
    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="regrade_lines")
    before = models.ForeignKey(Mark, on_delete=models.SET_NULL, null=True, related_name="+")
    outcome = models.CharField(max_length=16, choices=RegradeOutcome.choices, default=RegradeOutcome.WAITING)
    marking = OrderedJSONField(null=True)
    ticket = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001 -- NULLs are distinct, "" is not
    sends = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["regrade", "submission"]
        constraints = [
            models.UniqueConstraint(fields=["regrade", "submission"], name="regrade_line_once"),
            models.CheckConstraint(
                condition=models.Q(outcome__in=RegradeOutcome.values), name="regrade_line_outcome_known"
            ),
        ]
        indexes = [models.Index(fields=["regrade", "outcome"], name="regrade_line_outcome")]

    def __str__(self) -> str:
        return f"{self.submission}: {self.outcome}"
