"""Items and attempts: what a learner may see before answering."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from exercises.api.serializers.common import ArrayField, ScoreField, TextField, UTCField, one_of
from exercises.enums import ItemKind
from exercises.queries.standings import ItemState
from grader.marking.policy import Counts


class ItemRowSerializer(serializers.Serializer[Any]):
    """An item, and how the caller stands with it."""

    slug = serializers.CharField()
    lesson = serializers.CharField(source="lesson_slug")
    title = TextField()
    kind = one_of(ItemKind.values)
    max_score = ScoreField()
    state = one_of(ItemState, source="standing.state")
    tries = serializers.IntegerField(source="standing.tries")
    score = ScoreField(source="standing.score", allow_null=True)


class PolicySerializer(serializers.Serializer[Any]):
    """What tries are worth."""

    tries = serializers.IntegerField(allow_null=True, help_text="null: any number.")
    penalties = serializers.ListField(
        child=ScoreField(), help_text="The share of its gain that each try loses; the last holds for all after it."
    )
    counts = one_of(Counts, help_text="Which try stands.")


class ItemSerializer(ItemRowSerializer):
    """An item with its task, but without numbers: an attempt brings those."""

    prompt = TextField(help_text="Markdown with TeX.")
    multiple = serializers.BooleanField(allow_null=True, help_text="choice: whether several options may be chosen.")
    signature = serializers.CharField(allow_null=True, help_text="code: the function to write.")
    starter = TextField(allow_null=True, help_text="code: what the editor begins with.")
    max_chars = serializers.IntegerField(allow_null=True, help_text="free_text: the longest answer.")
    question = TextField(allow_null=True, help_text="predict, lab: what to guess before working it out.")
    policy = PolicySerializer()
    skill = serializers.CharField(help_text="What the item practises: a slug, or empty.")


class GivenSerializer(serializers.Serializer[Any]):
    """A given array: its name, its TeX, its numbers."""

    name = serializers.CharField()
    tex = serializers.CharField()
    values = ArrayField()


class FieldSerializer(serializers.Serializer[Any]):
    """A field to fill in."""

    name = serializers.CharField()
    tex = serializers.CharField()
    rows = serializers.IntegerField()
    columns = serializers.IntegerField()
    is_vector = serializers.BooleanField()
    decimals = serializers.IntegerField(help_text="How many decimals are asked.")


class OptionSerializer(serializers.Serializer[Any]):
    """An option to choose, an entry to match, or a target to match it with."""

    key = serializers.CharField()
    text = TextField()


class LineSerializer(OptionSerializer):
    """A line to put in order, or to leave out."""

    is_code = serializers.BooleanField()


class AttemptSerializer(serializers.Serializer[Any]):
    """The caller's own numbers, or the caller's own order of options."""

    id = serializers.UUIDField()
    course = serializers.CharField()
    item = serializers.CharField()
    kind = one_of(ItemKind.values)
    number = serializers.IntegerField(help_text="1 for the first attempt at the item.")
    seed = serializers.IntegerField(allow_null=True, help_text="numeric, predict: gives everybody the same numbers.")
    created_at = UTCField()
    prompt = TextField(help_text="Markdown with TeX, in the version of this attempt.")
    convention = serializers.CharField(help_text="row, column, or empty.")
    givens = GivenSerializer(many=True)
    asked = FieldSerializer(many=True, source="fields", help_text="The fields to fill in.")
    options = OptionSerializer(many=True, help_text="choice: the options. predict, lab: what can be guessed.")
    entries = OptionSerializer(many=True, help_text="match: what to match.")
    targets = OptionSerializer(many=True, help_text="match: what to match it with.")
    lines = LineSerializer(many=True, help_text="order: the lines, out of order, with some that do not belong.")
