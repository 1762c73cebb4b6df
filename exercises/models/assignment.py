"""Set work of a course: a lesson, or some items, with its dates, its rules and its weight."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from exercises.enums import LateUnit, Release, TriesCount
from exercises.models.course import Course
from exercises.models.item import Item
from exercises.models.lesson import Lesson


class Assignment(models.Model):
    """Every lesson is an assignment without a row; a row says what is other than usual there.

    An empty date binds nobody, an empty weight is the points, empty tries, penalties and counts are those of each item.
    `late_steps` are the percentages that each begun unit after the due date takes from a gain, the last one for every unit
    after it; `late_floor` is the percentage that is always left. Nothing is taken after `closes_at`.
    """

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="assignments")
    slug = models.SlugField()
    lesson = models.ForeignKey(Lesson, on_delete=models.PROTECT, null=True, related_name="assignments")
    title = models.JSONField(default=dict, blank=True, help_text="Empty: that of the lesson.")
    items = models.ManyToManyField(
        Item, through="AssignmentItem", through_fields=("assignment", "item"), related_name="assignments"
    )
    opens_at = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(null=True, blank=True)
    closes_at = models.DateTimeField(null=True, blank=True)
    weight = models.DecimalField(max_digits=7, decimal_places=3, null=True, blank=True)
    tries = models.PositiveSmallIntegerField(null=True, blank=True)
    penalties = models.JSONField(default=list, blank=True)
    counts = models.CharField(max_length=8, choices=TriesCount.choices, blank=True)
    late_unit = models.CharField(max_length=8, choices=LateUnit.choices, default=LateUnit.DAY)
    late_steps = models.JSONField(default=list, blank=True)
    late_floor = models.PositiveSmallIntegerField(default=0)
    feedback = models.CharField(max_length=8, choices=Release.choices, default=Release.AT_ONCE)
    solution = models.CharField(max_length=8, choices=Release.choices, default=Release.AT_ONCE)
    released_at = models.DateTimeField(null=True, blank=True, help_text="When what waits for a word was released.")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["course", "lesson__position", "id"]
        constraints = [
            models.UniqueConstraint(fields=["course", "slug"], name="assignment_slug_in_course"),
            models.UniqueConstraint(fields=["course", "lesson"], name="assignment_once_for_lesson"),
            models.CheckConstraint(
                condition=Q(opens_at=None) | Q(due_at=None) | Q(opens_at__lt=F("due_at")), name="assignment_opens_first"
            ),
            models.CheckConstraint(
                condition=Q(due_at=None) | Q(closes_at=None) | Q(due_at__lte=F("closes_at")),
                name="assignment_closes_last",
            ),
            models.CheckConstraint(condition=Q(weight=None) | Q(weight__gte=0), name="assignment_weight_not_negative"),
            models.CheckConstraint(condition=Q(tries=None) | Q(tries__gte=1), name="assignment_one_try_at_least"),
            models.CheckConstraint(condition=Q(late_floor__lte=100), name="assignment_floor_is_a_share"),
            models.CheckConstraint(
                condition=Q(feedback__in=Release.values) & Q(solution__in=Release.values),
                name="assignment_release_known",
            ),
        ]

    def __str__(self) -> str:
        return self.slug


class AssignmentItem(models.Model):
    """An item that was taken out of its lesson's assignment into another one.

    `taken_from` is for items that do not count: the assignment whose dates and rules still hold, empty for the lesson's.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="chosen")
    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="+")
    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="+")
    taken_from = models.ForeignKey(Assignment, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["assignment", "item__lesson__position", "item__position"]
        constraints = [
            models.UniqueConstraint(fields=["course", "item"], name="assignment_item_once_in_course"),
        ]

    def __str__(self) -> str:
        return f"{self.item} in {self.assignment}"
