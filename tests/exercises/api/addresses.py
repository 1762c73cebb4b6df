"""Addresses of the API, and a look at its errors."""

from __future__ import annotations

from django.http import HttpResponse

from exercises.models import Attempt

V1 = "/api/v1"
COURSE = f"{V1}/courses/spring/"
ITEMS = f"{V1}/courses/spring/items/"


def attempt_path(attempt: Attempt) -> str:
    """Where an attempt is shown."""
    return f"{V1}/courses/{attempt.enrollment.course.slug}/items/{attempt.item.slug}/attempts/{attempt.public_id}/"


def submit_path(attempt: Attempt) -> str:
    """Where responses to an attempt are sent."""
    return f"{attempt_path(attempt)}submissions/"


def codes(response: HttpResponse) -> list[str]:
    """The codes of a problem, after a look at its form."""
    assert response["Content-Type"] == "application/problem+json"
    problem = response.json()
    assert sorted(problem) == ["detail", "errors", "instance", "status", "title", "type"]
    assert problem["status"] == response.status_code
    return [error["code"] for error in problem["errors"]]
