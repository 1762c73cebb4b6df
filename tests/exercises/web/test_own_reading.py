from __future__ import annotations

from decimal import Decimal
from uuid import uuid4

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from exercises.models import SecondLook, SelfMark, Submission, User
from exercises.queries.quick_checks import quick_check_answers
from exercises.services.mark_by_instructor import Judgement, mark_by_instructor, mark_give
from exercises.services.own_reading import LONGEST_REASON
from exercises.services.submission_create import submission_create
from tests.exercises.conftest import AttemptBy
from tests.exercises.web.conftest import SignedIn

LESSON = "/en/courses/spring/lessons/second/"
PART = {"hx-request": "true"}


@pytest.fixture
def sent(ada: User, attempt: AttemptBy) -> Submission:
    return submission_create(attempt=attempt(ada, "in-words"), raw_response={"text": "It asks."}).submission


def address(sent: Submission, what: str) -> str:
    return f"/en/submissions/{sent.public_id}/{what}/"


def rubric_of(sent: Submission) -> list[str]:
    return [each["key"] for each in sent.attempt.item_version.definition["criterion"]]


def page(browser: Client, where: str) -> str:
    return " ".join(browser.get(where).content.decode().split())


def test_after_sending_one_reads_it_against_the_rubric(sent: Submission, ada: User, as_user: SignedIn) -> None:
    browser, (first, *_) = as_user(ada), rubric_of(sent)
    before = page(browser, LESSON)

    answered = browser.post(address(sent, "own-mark"), {"met": [first, "no-such-key"]}, headers=PART)

    assert "Keep my own reading" in before
    assert SelfMark.objects.get().criteria == [first]
    assert "Change my own reading" in answered.content.decode()
    assert "By your own reading: 1 of" in page(browser, LESSON)


def test_without_scripts_it_leads_back_to_the_lesson(sent: Submission, ada: User, as_user: SignedIn) -> None:
    assert as_user(ada).post(address(sent, "own-mark"))["Location"] == f"{LESSON}#item-in-words"


def test_once_marked_the_own_reading_stays_as_it_was(
    sent: Submission, ada: User, ines: User, as_user: SignedIn
) -> None:
    mark_by_instructor(instructor=ines, submission=sent, score=Decimal(1))

    assert as_user(ada).post(address(sent, "own-mark"), {"met": rubric_of(sent)}, headers=PART).status_code == 409
    assert SelfMark.objects.count() == 0


@pytest.mark.parametrize("what", ["own-mark", "another-look"])
def test_nobody_speaks_for_another(what: str, sent: Submission, ben: User, ines: User, as_user: SignedIn) -> None:
    statuses = [as_user(user).post(address(sent, what), {"reason": "Please."}).status_code for user in (ben, ines)]

    assert statuses == [404, 404]


def test_another_look_is_asked_once_for_each_mark_and_answered_by_a_new_one(
    sent: Submission, ada: User, ines: User, as_user: SignedIn
) -> None:
    browser = as_user(ada)
    early = browser.post(address(sent, "another-look"), {"reason": "Please."}, headers=PART)
    mark_by_instructor(instructor=ines, submission=sent, score=Decimal(1))
    offered = page(browser, LESSON)

    asked = browser.post(address(sent, "another-look"), {"reason": "I did say it.\n"}, headers=PART)
    again = browser.post(address(sent, "another-look"), {"reason": "Please!"}, headers=PART)
    mark_by_instructor(instructor=ines, submission=sent, score=sent.attempt.item.max_score)

    assert (early.status_code, asked.status_code, again.status_code) == (409, 200, 409)
    assert ("Ask for another look" in offered, "I did say it." in asked.content.decode()) == (True, True)
    assert SecondLook.objects.get().reason == "I did say it."
    assert "Ask for another look" in page(browser, LESSON)


@pytest.mark.parametrize("reason", ["", "  \n", "x" * (LONGEST_REASON + 1)])
def test_another_look_needs_a_reason(reason: str, sent: Submission, ada: User, ines: User, as_user: SignedIn) -> None:
    mark_by_instructor(instructor=ines, submission=sent, score=Decimal(1))

    response = as_user(ada).post(address(sent, "another-look"), {"reason": reason}, follow=True)

    assert "what should be looked at again" in response.content.decode()
    assert SecondLook.objects.count() == 0


def test_the_desk_shows_both_and_puts_the_request_before_what_is_done(
    sent: Submission, ada: User, ben: User, ines: User, attempt: AttemptBy, as_user: SignedIn
) -> None:
    earlier = submission_create(attempt=attempt(ben, "in-words"), raw_response={"text": "It looks."}).submission
    Submission.objects.filter(pk=earlier.pk).update(created_at="2026-01-01T00:00Z")
    as_user(ada).post(address(sent, "own-mark"), {"met": rubric_of(sent)})
    for each in (sent, earlier):
        mark_by_instructor(instructor=ines, submission=each, score=Decimal(1))
    as_user(ada).post(address(sent, "another-look"), {"reason": "I did say it."})

    html = page(as_user(ines), "/en/courses/spring/quick-checks/in-words/?show=all&names=shown")

    assert [answer.name for answer in quick_check_answers(sent.attempt.enrollment.course)] == ["Ada", "Ben"]
    assert ("I did say it." in html, "By the student's own reading" in html) == (True, True)


def test_the_instructor_reads_a_submission_without_the_learners_forms(
    sent: Submission, ines: User, as_user: SignedIn
) -> None:
    html = page(as_user(ines), f"/en/submissions/{sent.public_id}/")

    assert ("What your instructor looks for" in html, "own-mark/" in html) == (True, False)


def test_a_lesson_with_a_text_costs_one_query_more(
    sent: Submission, ada: User, as_user: SignedIn, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    browser = as_user(ada)
    browser.get(LESSON)

    with django_assert_num_queries(14):
        browser.get(LESSON)


def test_the_learner_sees_what_the_instructor_found_said(
    sent: Submission, ada: User, ines: User, as_user: SignedIn
) -> None:
    first, *rest = rubric_of(sent)
    judgement = Judgement(Decimal(1), "Say what it is asked for.", criteria=(first,))
    mark_give(instructor=ines, submission=sent, judgement=judgement, batch=uuid4())
    html = page(as_user(ada), LESSON)

    assert "Say what it is asked for." in html
    assert (html.count("Said:"), html.count("Not said yet:")) == (1, len(rest))
