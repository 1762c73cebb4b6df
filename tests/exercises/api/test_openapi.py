"""The OpenAPI document: committed, true to the code, and kept by every answer to a few hundred generated requests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
import yaml
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiYamlRenderer
from drf_spectacular.validation import validate_schema
from hypothesis import given, settings
from hypothesis import strategies as st

from exercises.models import Attempt, Run
from exercises.services.submission_create import submission_create
from qkvcourse.wsgi import application
from tests.exercises.outcomes import reported
from tests.exercises.responses import right_numbers

DOCUMENT = Path(__file__).parents[3] / "docs" / "lms" / "openapi.yaml"


def generated() -> dict[str, Any]:
    return SchemaGenerator().get_schema(request=None, public=True)


def test_committed_document_is_what_the_code_says():
    """`python manage.py spectacular --file docs/lms/openapi.yaml` writes it anew."""
    assert OpenApiYamlRenderer().render(generated(), renderer_context={}).decode() == DOCUMENT.read_text("utf-8")


def test_document_is_valid_openapi():
    validate_schema(generated())


def test_document_is_served_to_anybody(client, db):
    response = client.get("/api/v1/schema/")
    assert response.status_code == 200
    assert yaml.safe_load(response.content)["paths"].keys() == generated()["paths"].keys()


def test_every_operation_needs_a_token_and_names_its_errors():
    for path in generated()["paths"].values():
        for operation in path.values():
            assert operation["security"] == [{"token": []}]
            assert list(operation["responses"]["default"]["content"]) == ["application/problem+json"]


@pytest.fixture
def places(ada, attempt) -> dict[str, str]:
    """What stands in the addresses for the addresses to lead somewhere."""
    started: Attempt = attempt(ada, "by-hand")
    sent = submission_create(attempt=started, raw_response=right_numbers(started)).submission
    run = Run.objects.create(attempt=started, code="x", ticket="t", settled_at=sent.settled_at)
    run.report = reported(run)["report"]
    run.save()
    return {
        "course_slug": "spring",
        "item_slug": "by-hand",
        "attempt_id": str(started.public_id),
        "submission_id": str(sent.public_id),
        "run_id": str(run.public_id),
    }


@pytest.fixture
def one_connection() -> Iterator[None]:
    """Keep the connection of the test, with its open transaction, from one request to the next."""
    request_started.disconnect(close_old_connections)
    request_finished.disconnect(close_old_connections)
    yield
    request_started.connect(close_old_connections)
    request_finished.connect(close_old_connections)


SCHEMA = schemathesis.openapi.from_wsgi("/api/v1/schema/", application)
OPERATIONS = {f"{found.ok().method} {found.ok().path}": found.ok() for found in SCHEMA.get_all_operations()}


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
def test_answers_to_generated_requests_keep_to_the_document(
    operation, secret, ada, places, one_connection, monkeypatch
):
    monkeypatch.setattr("exercises.api.base.WriteThrottle.rate", "100000/min")
    headers = {"Authorization": f"Bearer {secret(ada)}"}

    @settings(max_examples=20)
    @given(case=operation.as_strategy(), is_real=st.booleans())
    def send(case: schemathesis.Case, *, is_real: bool) -> None:
        if is_real:
            case.path_parameters = {name: places[name] for name in case.path_parameters or {}}
        response = case.call(headers=headers)
        case.validate_response(
            response,
            checks=[
                schemathesis.checks.not_a_server_error,
                schemathesis.checks.status_code_conformance,
                schemathesis.checks.content_type_conformance,
                schemathesis.checks.response_schema_conformance,
            ],
        )

    send()
