from __future__ import annotations

import pytest
from django.apps import apps
from django.contrib import admin
from django.urls import reverse

from exercises.models import Mark, Submission, User
from tests.factories import MarkFactory, SubmissionFactory


@pytest.fixture
def staff(client, ada):
    client.force_login(User.objects.create_superuser("root", password="x"))
    return client


def test_every_table_has_its_page():
    ours = {model._meta.model_name for model in admin.site._registry if model._meta.app_label == "exercises"}
    every = {model._meta.model_name for model in apps.get_app_config("exercises").get_models()}
    # Members stand on their course's page, sightings repeat what marks say, and keys of repeats tell nobody anything.
    assert every - ours == {"enrollment", "misconceptionsighting", "idempotencykey"} & every


def test_lists_and_rows_open_and_history_cannot_be_changed(staff, ada, attempt):
    submission = SubmissionFactory(attempt=attempt(ada, "program"))
    mark = MarkFactory(submission=submission)
    for model in (User, Submission, Mark):
        assert staff.get(reverse(f"admin:exercises_{model._meta.model_name}_changelist")).status_code == 200
    page = staff.get(reverse("admin:exercises_submission_change", args=[submission.pk]))
    assert page.status_code == 200
    assert submission.ticket not in page.content.decode()
    change = reverse("admin:exercises_mark_change", args=[mark.pk])
    assert staff.post(change, {"score": "3"}).status_code == 403
    assert staff.post(reverse("admin:exercises_mark_delete", args=[mark.pk]), {"post": "yes"}).status_code == 403
    assert Mark.objects.get().score == 0


def test_a_course_is_made_with_its_members(staff, curriculum, ada):
    fields = {"slug": "new", "title": '{"zh-hans": "新", "en": "New"}', "curriculum": curriculum.pk}
    times = {"created_at_0": "2026-03-01", "created_at_1": "12:00:00"}
    members = {
        "enrollments-TOTAL_FORMS": 1,
        "enrollments-INITIAL_FORMS": 0,
        "enrollments-0-user": ada.pk,
        "enrollments-0-role": "student",
        "enrollments-0-created_at_0": "2026-03-01",
        "enrollments-0-created_at_1": "12:00:00",
    }
    answer = staff.post(reverse("admin:exercises_course_add"), {**fields, **times, **members})
    assert answer.status_code == 302, answer.context["errors"]
    assert ada.enrollments.filter(course__slug="new").exists()
