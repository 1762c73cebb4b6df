"""Submissions, marks, and what explains them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from exercises.api.serializers.common import ScoreField, UTCField, one_of
from exercises.api.serializers.runs import FindingSerializer, RunReportSerializer
from exercises.enums import GradingProgress, ItemKind, MarkedBy, Verdict
from exercises.queries.submission_view import Stage
from grader.marking.mark import CellState, FieldState


class MarkSerializer(serializers.Serializer[Any]):
    """The mark that counts."""

    by = one_of(MarkedBy.values)
    verdict = one_of(Verdict.values)
    score = ScoreField()
    max_score = ScoreField()
    misconceptions = serializers.ListField(child=serializers.CharField())
    comment = serializers.CharField(allow_blank=True)
    created_at = UTCField()


class FieldMarkSerializer(serializers.Serializer[Any]):
    """How one field and each of its cells were judged."""

    name = serializers.CharField()
    state = one_of(FieldState)
    cells = serializers.ListField(child=serializers.ListField(child=one_of(CellState)))


class FeedbackSerializer(serializers.Serializer[Any]):
    """What the automatic marking found."""

    field_marks = FieldMarkSerializer(many=True, source="fields")
    findings = FindingSerializer(many=True)
    run = RunReportSerializer(allow_null=True)


class SubmissionSerializer(serializers.Serializer[Any]):
    """A submission, how far its grading has come, and what came of it."""

    id = serializers.UUIDField(source="view.id")
    course = serializers.CharField(source="view.course_slug")
    item = serializers.CharField(source="view.item_slug")
    attempt = serializers.UUIDField()
    username = serializers.CharField()
    kind = one_of(ItemKind.values, source="view.kind")
    response = serializers.JSONField(source="view.raw_response", help_text="As it was sent.")
    grading_progress = one_of(GradingProgress.values, source="view.grading_progress")
    stage = one_of(Stage, help_text="Where it is on its way, in more detail.")
    counted = serializers.BooleanField(source="view.counted", help_text="false: not a try of the student's.")
    is_repeat = serializers.BooleanField(help_text="true: sent before, and not counted again.")
    created_at = UTCField(source="view.created_at")
    settled_at = UTCField(source="view.settled_at", allow_null=True)
    mark = MarkSerializer(source="view.standing", allow_null=True)
    feedback = FeedbackSerializer(source="view.marking", allow_null=True)
