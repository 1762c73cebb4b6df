"""Fields that several serializers share."""

from __future__ import annotations

from datetime import UTC
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from grader.marking.text import Text


@extend_schema_field(
    {
        "type": "object",
        "properties": {"zh-hans": {"type": "string"}, "en": {"type": "string"}},
        "required": ["zh-hans", "en"],
        "additionalProperties": False,
    }
)
class TextField(serializers.Field[Text, Text, dict[str, str], Any]):
    """A text in both languages."""

    def to_representation(self, value: Text) -> dict[str, str]:
        """Both languages by their tags."""
        return value.to_json()


@extend_schema_field({"type": "array", "items": {}})
class ArrayField(serializers.Field[Any, Any, Any, Any]):
    """A given array as nested lists of numbers."""

    def to_representation(self, value: Any) -> Any:  # noqa: ANN401 -- nested lists
        """As it is."""
        return value


class UTCField(serializers.DateTimeField):
    """A moment in UTC, whatever the site's own zone is."""

    def __init__(self, **options: Any) -> None:
        super().__init__(default_timezone=UTC, **options)


class ScoreField(serializers.FloatField):
    """A score as a number; it has three decimals at most."""


def one_of(values: Any, **options: Any) -> serializers.ChoiceField:  # noqa: ANN401 -- an enumeration class of any kind
    """A closed set of words."""
    return serializers.ChoiceField(choices=[str(value) for value in values], **options)
