"""Tokens, courses, grades."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from exercises.api.serializers.common import ScoreField, TextField, UTCField, one_of
from exercises.enums import ApiScope, Role
from exercises.queries.grade_page import GradeState
from exercises.queries.standings import ItemState


class TokenSerializer(serializers.Serializer[Any]):
    """The token that asks."""

    username = serializers.CharField(source="user.username")
    name = serializers.CharField(source="user")
    token = serializers.CharField(source="prefix", help_text="The beginning of the token.")
    scopes = serializers.ListField(child=one_of(ApiScope.values))
    course = serializers.CharField(source="course.slug", default=None, allow_null=True, help_text="null: all courses.")
    expires_at = UTCField()


class CourseRowSerializer(serializers.Serializer[Any]):
    """A course of the caller."""

    slug = serializers.CharField()
    title = TextField()
    role = one_of(Role.values)


class LessonSerializer(serializers.Serializer[Any]):
    """A lesson, and how many of its items the caller has done."""

    slug = serializers.CharField()
    title = TextField()
    done = serializers.IntegerField()
    total = serializers.IntegerField()


class CourseSerializer(CourseRowSerializer):
    """A course with its lessons."""

    summary = TextField()
    lessons = LessonSerializer(many=True)


class ItemGradeSerializer(serializers.Serializer[Any]):
    """The best standing score for one item."""

    item = serializers.CharField(source="item_slug")
    score = ScoreField(allow_null=True, help_text="null: no score, which is not zero.")
    max_score = ScoreField()
    state = one_of(ItemState)
    tries = serializers.IntegerField()


class AssignmentGradeSerializer(serializers.Serializer[Any]):
    """What a student has in one assignment: a lesson, or items that were put together."""

    assignment = serializers.CharField(source="slug")
    score = ScoreField(allow_null=True, help_text="null: no score, which is not zero.")
    max_score = ScoreField()
    weight = ScoreField(help_text="What it counts in the total; its points unless the instructor says otherwise.")
    state = one_of(GradeState)
    is_late = serializers.BooleanField(help_text="Whether something counted was sent after the due date.")
    due_at = UTCField(allow_null=True, help_text="With the student's extensions.")


class GradesSerializer(serializers.Serializer[Any]):
    """All grades of one student."""

    username = serializers.CharField()
    name = serializers.CharField()
    score = ScoreField()
    max_score = ScoreField()
    total = ScoreField(
        allow_null=True, help_text="Weighted share of all that could be earned, in per cent; null: nothing has weight."
    )
    assignments = AssignmentGradeSerializer(many=True)
    items = ItemGradeSerializer(many=True)
