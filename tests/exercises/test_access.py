from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.http import Http404
from django.utils import timezone

from exercises import access
from exercises.enums import QuestionKind, Role
from exercises.models import Lesson, Run
from exercises.queries.outline import my_courses, my_enrollments
from exercises.services.question import question_ask
from tests.factories import ApiTokenFactory, SubmissionFactory


def test_members_reach_their_course_and_nobody_else_does(ada, ines, otto):
    assert access.enrollment_for_user(user=ada, course_slug="spring").user == ada
    assert access.enrollment_for_user(user=ines, course_slug="spring").user == ines
    with pytest.raises(Http404):
        access.enrollment_for_user(user=otto, course_slug="spring")
    with pytest.raises(Http404):
        access.enrollment_for_user(user=ada, course_slug="no-such-course")


def test_only_the_instructor_reaches_the_course_as_instructor(ada, ines, otto):
    assert access.enrollment_for_instructor(user=ines, course_slug="spring").user == ines
    for user in (ada, otto):
        with pytest.raises(Http404):
            access.enrollment_for_instructor(user=user, course_slug="spring")
    with pytest.raises(Http404):
        access.enrollment_for_instructor(user=ines, course_slug="autumn")


def test_a_lesson_is_reached_through_its_own_course_while_it_is_active(ada, otto):
    found = access.lesson_for_user(user=ada, course_slug="spring", lesson_slug="first")
    assert (found.lesson.slug, found.enrollment.user) == ("first", ada)
    with pytest.raises(Http404):
        access.lesson_for_user(user=otto, course_slug="spring", lesson_slug="first")
    Lesson.objects.update(is_active=False)
    with pytest.raises(Http404):
        access.lesson_for_user(user=ada, course_slug="spring", lesson_slug="first")


def test_an_item_is_reached_through_its_own_course_while_it_is_active(ada, otto, item):
    assert access.item_for_user(user=ada, course_slug="spring", item_slug="pick").item == item("pick")
    with pytest.raises(Http404):
        access.item_for_user(user=otto, course_slug="spring", item_slug="pick")
    with pytest.raises(Http404):
        access.item_for_user(user=ada, course_slug="spring", item_slug="no-such-item")
    retired = item("pick")
    retired.is_active = False
    retired.save()
    with pytest.raises(Http404):
        access.item_for_user(user=ada, course_slug="spring", item_slug="pick")


def test_an_attempt_is_its_owners_and_belongs_to_one_item_of_one_course(ada, ben, ines, otto, attempt):
    mine = attempt(ada, "by-hand")
    place = {"course_slug": "spring", "item_slug": "by-hand", "attempt_id": mine.public_id}
    assert access.attempt_for_user(user=ada, **place) == mine
    for stranger in (ben, ines, otto):
        with pytest.raises(Http404):
            access.attempt_for_user(user=stranger, **place)
    for change in ({"item_slug": "pick"}, {"course_slug": "autumn"}, {"attempt_id": uuid.uuid4()}):
        with pytest.raises(Http404):
            access.attempt_for_user(user=ada, **{**place, **change})


def test_a_submission_is_seen_by_its_author_and_the_instructor_of_the_course(ada, ben, ines, otto, attempt):
    submission = SubmissionFactory(attempt=attempt(ada, "program"))
    for user in (ada, ines):
        assert access.submission_for_user(user=user, submission_id=submission.public_id) == submission
    for user in (ben, otto):
        with pytest.raises(Http404):
            access.submission_for_user(user=user, submission_id=submission.public_id)
    with pytest.raises(Http404):
        access.submission_for_user(user=ada, submission_id=uuid.uuid4())


def test_a_submission_is_marked_by_the_instructor_of_its_course_only(ada, ines, otto, attempt):
    submission = SubmissionFactory(attempt=attempt(ada, "program"))
    elsewhere = SubmissionFactory(attempt=attempt(otto, "program"))
    assert access.submission_for_instructor(user=ines, submission_id=submission.public_id) == submission
    with pytest.raises(Http404):
        access.submission_for_instructor(user=ada, submission_id=submission.public_id)
    with pytest.raises(Http404):
        access.submission_for_instructor(user=ines, submission_id=elsewhere.public_id)


@pytest.mark.parametrize("role", [Role.FORMER, Role.GUEST])
def test_who_was_shown_out_reaches_nothing_of_what_they_did(role, ada, attempt, item):
    """A former member, and a guest of a course that is open no more."""
    mine = attempt(ada, "program")
    submission = SubmissionFactory(attempt=mine)
    question = question_ask(attempt=mine, submission=None, kind=QuestionKind.QUESTION, text="Why?")
    run = Run.objects.create(attempt=mine, code="def f(): pass", ticket="t")
    ada.enrollments.update(role=role)
    ways = {
        "course": lambda: access.enrollment_for_user(user=ada, course_slug="spring"),
        "attempt": lambda: access.attempt_for_user(
            user=ada, course_slug="spring", item_slug="program", attempt_id=mine.public_id
        ),
        "submission": lambda: access.submission_for_user(user=ada, submission_id=submission.public_id),
        "own": lambda: access.own_submission_for_user(user=ada, submission_id=submission.public_id),
        "question": lambda: access.question_for_user(user=ada, question_id=question.public_id),
        "run": lambda: access.run_for_user(user=ada, run_id=run.public_id),
    }
    for way in ways.values():
        with pytest.raises(Http404):
            way()
    assert (my_courses(ada), my_enrollments(ada)) == ((), ())


def test_a_guest_reaches_an_open_course_and_what_they_did_there(ada, course, attempt):
    submission = SubmissionFactory(attempt=attempt(ada, "by-hand"))
    ada.enrollments.update(role=Role.GUEST)
    course.is_open = True
    course.save()
    assert access.enrollment_for_user(user=ada, course_slug="spring").user == ada
    assert access.submission_for_user(user=ada, submission_id=submission.public_id) == submission
    assert [each.slug for each in my_courses(ada)] == ["spring"]


def test_a_good_token_is_found_by_its_secret(ada):
    token = ApiTokenFactory(user=ada, name="qkv_secret")
    assert access.token_by_secret("qkv_secret") == token
    assert access.token_by_secret("qkv_other") is None
    assert access.token_by_secret("\ud800") is None


def test_an_expired_or_revoked_token_or_one_of_a_locked_account_opens_nothing(ada, ben):
    now = timezone.now()
    ApiTokenFactory(user=ada, name="expired", expires_at=now - timedelta(seconds=1))
    ApiTokenFactory(user=ada, name="revoked", revoked_at=now)
    ApiTokenFactory(user=ben, name="locked")
    ben.is_active = False
    ben.save()
    assert [access.token_by_secret(name) for name in ("expired", "revoked", "locked")] == [None, None, None]
