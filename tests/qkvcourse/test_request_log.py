from __future__ import annotations

import pytest
from django.test import Client
from structlog.testing import capture_logs


@pytest.mark.django_db
def test_a_request_is_logged_by_its_route(client: Client) -> None:
    with capture_logs() as events:
        client.get("/en/accounts/password/reset/key/1-secret-token/")

    (event,) = [event for event in events if event["event"] == "request"]
    assert "secret-token" not in str(event)
    assert (event["method"], event["user"]) == ("GET", None)
    assert event["route"].startswith("en/accounts/password/reset/key/")


def test_health_checks_are_not_logged(client: Client) -> None:
    with capture_logs() as events:
        client.get("/health/live")

    assert events == []
