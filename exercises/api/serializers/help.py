"""Help with an attempt: hints and the solution."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from exercises.api.serializers.common import TextField


class HelpSerializer(serializers.Serializer[Any]):
    """What was told, and what may be asked for. All texts are Markdown with TeX."""

    hints = serializers.ListField(child=TextField(), help_text="The hints that were taken, in their order.")
    has_more_hints = serializers.BooleanField()
    solution = serializers.ListField(child=TextField(), help_text="Empty until the attempt is solved or shown.")
    is_shown = serializers.BooleanField(help_text="Whether the solution was asked for: later answers do not count.")
    may_be_shown = serializers.BooleanField(help_text="Whether the solution can be asked for now.")
