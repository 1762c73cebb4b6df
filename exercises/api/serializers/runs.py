"""What came of running a program, in a mark or in a run that is no try."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from exercises.api.serializers.common import ScoreField, TextField, UTCField, one_of
from exercises.queries.run_view import RunStage
from grader.marking.properties import CaseGroup, Property
from grader.marking.run_report import CaseState


class FindingSerializer(serializers.Serializer[Any]):
    """A named mistake, or another remark."""

    slug = serializers.CharField()
    title = TextField()
    text = TextField()
    field = serializers.CharField(allow_blank=True, help_text='The field it is about; "" for the whole answer.')
    is_misconception = serializers.BooleanField()


class CodeArraySerializer(serializers.Serializer[Any]):
    """An array that went in or came out; its numbers as text in C order, none where there are too many."""

    name = serializers.CharField()
    dtype = serializers.CharField(help_text="As NumPy names it; `None` for Python's None.")
    shape = serializers.ListField(child=serializers.IntegerField())
    cells = serializers.ListField(child=serializers.CharField())


class DifferenceSerializer(serializers.Serializer[Any]):
    """The first number that differs."""

    name = serializers.CharField()
    cell = serializers.ListField(child=serializers.IntegerField(), help_text="Its place, counted from 0.")
    expected = serializers.CharField()
    got = serializers.CharField()
    worked = serializers.CharField(allow_blank=True, help_text="How it is worked out, as TeX.")


class CaseSerializer(serializers.Serializer[Any]):
    """One call of the function. Of a hidden case only group, property and state are told."""

    number = serializers.IntegerField()
    group = one_of(CaseGroup)
    property = one_of(Property, help_text="What the case is about.")
    state = one_of(CaseState)
    call = serializers.CharField(allow_blank=True)
    given = CodeArraySerializer(many=True)
    expected = CodeArraySerializer(many=True, help_text="Shown for visible cases and for the smallest failing one.")
    got = CodeArraySerializer(many=True)
    difference = DifferenceSerializer(allow_null=True)
    error = serializers.CharField(allow_blank=True, help_text="What came back instead of numbers.")
    line = serializers.IntegerField(allow_null=True, help_text="The line of the code where it was raised.")
    inputs_changed = serializers.BooleanField()
    printed = serializers.CharField(allow_blank=True)
    note = TextField()


class PropertySerializer(serializers.Serializer[Any]):
    """What one property earned, and how many of its cases passed."""

    property = one_of(Property)
    earned = ScoreField()
    of = ScoreField()
    passed = serializers.IntegerField()
    total = serializers.IntegerField()


class LimitsSerializer(serializers.Serializer[Any]):
    """What one run may use."""

    cpu_s = serializers.FloatField()
    wall_s = serializers.FloatField()
    memory_mib = serializers.IntegerField()
    output_kib = serializers.IntegerField()


class RunReportSerializer(serializers.Serializer[Any]):
    """What was measured while the code ran, what it printed, and how each call ended."""

    status = serializers.CharField()
    limit = serializers.CharField(allow_blank=True, help_text="The limit that ended the run, if one did.")
    result = serializers.CharField(allow_blank=True, help_text="What a call of one's own came to, as Python writes it.")
    stdout = serializers.CharField(allow_blank=True)
    traceback = serializers.CharField(allow_blank=True)
    cpu_ms = serializers.IntegerField()
    wall_ms = serializers.IntegerField()
    memory_mib = serializers.IntegerField()
    limits = LimitsSerializer()
    cases = CaseSerializer(many=True)
    smallest = CaseSerializer(allow_null=True, help_text="The smallest call that goes wrong, shown whole.")
    properties = PropertySerializer(many=True)
    findings = FindingSerializer(many=True, help_text="What is said of a run without a mark; a mark has its own.")


class RunSerializer(serializers.Serializer[Any]):
    """A run that is no try. It is kept for half an hour."""

    id = serializers.UUIDField()
    stage = one_of(RunStage)
    call = serializers.CharField(allow_blank=True, help_text='"" for the visible cases.')
    created_at = UTCField()
    settled_at = UTCField(allow_null=True)
    report = RunReportSerializer(allow_null=True)
