"""What deleting an account erases, and what it leaves without a name."""

from __future__ import annotations

import json

import pytest
from django.apps import apps
from django.core import serializers

from exercises.enums import Role
from exercises.models import Draft, Enrollment, Label, Mark, SelfMark, StudentNote, Submission, User
from exercises.services.account_delete import StillNeededError, account_delete
from exercises.services.consent_give import consent_give
from exercises.services.submission_create import submission_create
from tests.exercises.responses import right_numbers
from tests.factories import EnrollmentFactory, UserFactory

SECRET = "a-sentence-that-only-ada-wrote"


def everything_stored() -> str:
    """The whole database as text, but the trail of what instructors did."""
    rows = [row for model in apps.get_models() for row in model._default_manager.all()]
    return serializers.serialize("json", rows)


def test_no_word_of_the_person_is_left_anywhere(ada, attempt):
    ada.email, ada.first_name = "ada@example.org", "Augusta"
    ada.save()
    consent_give(user=ada)
    mine, words = attempt(ada, "by-hand"), attempt(ada, "in-words")
    submission_create(attempt=mine, raw_response=right_numbers(mine))
    answer = submission_create(attempt=words, raw_response={"text": SECRET}).submission
    SelfMark.objects.create(submission=answer, criteria=[])
    StudentNote.objects.create(enrollment=answer.attempt.enrollment, text=SECRET)
    answer.attempt.enrollment.labels.add(Label.objects.create(course=answer.attempt.enrollment.course, name="Class 1"))
    Draft.objects.create(attempt=words, fields=[["text", SECRET]])
    Mark.objects.update(comment=SECRET)
    account_delete(user=ada)
    left = everything_stored()
    assert Enrollment.labels.through.objects.count() == 0
    assert [word for word in ("ada@example.org", "Augusta", '"ada"', '"Ada"', SECRET) if word in left] == []


def test_verdicts_and_points_stay_without_a_name(ada, attempt):
    mine = attempt(ada, "by-hand")
    submission_create(attempt=mine, raw_response=right_numbers(mine))
    account_delete(user=ada)
    left = User.objects.get(pk=ada.pk)
    assert (left.is_active, left.has_usable_password(), left.username[:8]) == (False, False, "deleted-")
    assert Enrollment.objects.get(user=left).role == Role.FORMER
    assert Mark.objects.get().score == 2
    assert Submission.objects.get().raw_response == {}


def test_whoever_did_nothing_is_gone_altogether(ada):
    account_delete(user=ada)
    assert not User.objects.filter(pk=ada.pk).exists()


def test_the_only_instructor_of_a_course_hands_it_over_first(ines, course):
    with pytest.raises(StillNeededError):
        account_delete(user=ines)
    EnrollmentFactory(course=course, user=UserFactory(), role=Role.INSTRUCTOR)
    account_delete(user=ines)
    assert not User.objects.filter(username="ines").exists()


def test_marks_that_an_instructor_gave_stay(ines, ada, course, attempt):
    mine = attempt(ada, "by-hand")
    submission_create(attempt=mine, raw_response=right_numbers(mine))
    Mark.objects.update(marker=ines)
    EnrollmentFactory(course=course, user=UserFactory(), role=Role.INSTRUCTOR)
    account_delete(user=ines)
    assert json.loads(serializers.serialize("json", Mark.objects.all()))[0]["fields"]["marker"] is None
