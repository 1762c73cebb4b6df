"""What the OpenAPI document says beyond the serializers: the token, parameters, bodies, errors, pages."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, inline_serializer
from rest_framework import serializers

from exercises.api.paging import MOST_LIMIT, USUAL_LIMIT
from exercises.services.run_create import LONGEST_CALL

CURSOR = OpenApiParameter("cursor", OpenApiTypes.STR, description="From the `next` address of the page before.")
LIMIT = OpenApiParameter(
    "limit",
    {"type": "integer", "minimum": 1, "maximum": MOST_LIMIT, "default": USUAL_LIMIT},
    description="Rows on a page.",
)
KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
    OpenApiParameter.HEADER,
    description="Makes the request safe to send again within a day: it is carried out once.",
)
WAIT = OpenApiParameter(
    "Prefer",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="`wait=2`: wait up to two seconds for the verdict on code.",
)


class BearerTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # the package's own hook
    """How the document describes the token."""

    target_class = "exercises.api.authentication.BearerToken"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:  # noqa: ARG002 -- the extension's signature
        """A bearer token."""
        return {"type": "http", "scheme": "bearer", "description": "`qkv_…`, made by `manage.py api_token create`."}


class FaultSerializer(serializers.Serializer[Any]):
    """One thing that is wrong with a request."""

    pointer = serializers.CharField(
        allow_blank=True, help_text='Place in the body (RFC 6901); "" for the whole request.'
    )
    code = serializers.CharField(help_text="Stable.")
    detail = serializers.CharField(help_text="In the language of Accept-Language.")


# Made from a dictionary: as a class it could not have a field of the name `errors`.
PROBLEM = inline_serializer(
    "Problem",
    {
        "type": serializers.CharField(),
        "title": serializers.CharField(),
        "status": serializers.IntegerField(),
        "detail": serializers.CharField(),
        "instance": serializers.CharField(),
        "errors": FaultSerializer(many=True),
    },
)


class AttemptBody(serializers.Serializer[Any]):
    """What to start."""

    fresh = serializers.BooleanField(default=False, help_text="true: other numbers. false: the current attempt.")
    seed = serializers.IntegerField(
        required=False,
        min_value=0,
        help_text="The numbers of this seed, the same for everybody; `fresh` then says nothing.",
    )


class RunBody(serializers.Serializer[Any]):
    """What to run."""

    code = serializers.CharField(help_text="The program, 64 KiB at most.")
    call = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=LONGEST_CALL,
        help_text='An expression to evaluate, such as `project(np.eye(2), np.ones((2, 2)))`; "" for the visible cases.',
    )


CELL = {"oneOf": [{"type": "string", "maxLength": 100}, {"type": "number"}]}
ROW = {"type": "array", "items": CELL, "minItems": 1, "maxItems": 64}
MATRIX = {
    "oneOf": [
        {"type": "array", "items": ROW, "minItems": 1, "maxItems": 64, "description": "Rows of cells."},
        {**ROW, "description": "A single row."},
        {"type": "string", "description": "The whole matrix as text, such as `[[1, 2], [3, 4]]` or `[1 2; 3 4]`."},
    ]
}
RESPONSES = {
    "fields": (
        {"type": "object", "additionalProperties": MATRIX},
        "numeric: the fields by name, as learners write numbers. shape: the shapes by name, such as `[768, S]`.",
    ),
    "pairs": (
        {"type": "object", "additionalProperties": {"type": "string"}},
        "match: the key of a target for the key of each entry.",
    ),
    "order": (
        {"type": "array", "items": {"type": "string"}},
        "order: the keys of the lines in their order, without those that are left out.",
    ),
    "chosen": ({"type": "array", "items": {"type": "string"}}, "choice: the keys of the chosen options."),
    "code": ({"type": "string"}, "code: the program, 64 KiB at most."),
    "text": ({"type": "string"}, "free_text: the answer."),
}
RESPONSE_BODY = {
    "application/json": {
        "oneOf": [
            {
                "type": "object",
                "description": description,
                "properties": {key: schema},
                "required": [key],
                "additionalProperties": False,
            }
            for key, (schema, description) in RESPONSES.items()
        ]
        + [
            {
                "type": "object",
                "description": "predict: the key of the guess, and the fields as for numeric.",
                "properties": {"guess": {"type": "string"}, "fields": RESPONSES["fields"][0]},
                "required": ["guess", "fields"],
                "additionalProperties": False,
            },
            {
                "type": "object",
                "description": "lab: the key of the guess, the arrays that were changed, and for a goal that asks to name"
                " a token its number, counted from 1.",
                "properties": {
                    "guess": {"type": "string"},
                    "fields": RESPONSES["fields"][0],
                    "named": {"type": "object", "additionalProperties": {"type": "integer"}},
                },
                "required": ["guess", "fields"],
                "additionalProperties": False,
            },
        ]
    }
}
FAULTS = {("default", "application/problem+json"): OpenApiResponse(PROBLEM, description="An error.")}


def page_of(name: str, shape: type[serializers.Serializer[Any]]) -> serializers.Serializer[Any]:
    """One page of a list."""
    return inline_serializer(
        name,
        {
            "results": shape(many=True),
            "next": serializers.URLField(allow_null=True, help_text="null on the last page."),
        },
    )
