"""Asking about an item, answering, closing: on the pages of both sides."""

from __future__ import annotations

import re
import uuid
from datetime import UTC, datetime

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from exercises.enums import QuestionKind, QuestionState, Role
from exercises.models import Attempt, Course, Question, Reply, User
from exercises.queries.paging import PAGE
from exercises.services.question import MOST_OPEN, question_ask, question_reply
from exercises.services.submission_create import submission_create
from tests.exercises.conftest import AttemptBy
from tests.exercises.responses import transposed_numbers
from tests.exercises.web.conftest import SignedIn
from tests.factories import EnrollmentFactory, UserFactory


def ask_address(attempt: Attempt) -> str:
    return f"/en/courses/spring/items/{attempt.item.slug}/{attempt.public_id}/ask/"


def page(browser: Client, address: str) -> str:
    response = browser.get(address)
    assert response.status_code == 200
    return response.content.decode()


@pytest.fixture
def asked(ada: User, attempt: AttemptBy) -> Question:
    mine = attempt(ada, "by-hand")
    return question_ask(attempt=mine, submission=None, kind=QuestionKind.QUESTION, text="Why rows?")


def test_a_problem_takes_the_numbers_and_the_answer_along(ada: User, attempt: AttemptBy, as_user: SignedIn) -> None:
    mine = attempt(ada, "by-hand")
    sent = submission_create(attempt=mine, raw_response=transposed_numbers(mine)).submission
    browser = as_user(ada)
    lesson = page(browser, "/en/courses/spring/lessons/first/")
    address = re.search(rf'href="({ask_address(mine)}\?kind=problem[^"]*)"', lesson)
    assert address is not None
    form = page(browser, address[1].replace("&amp;", "&"))

    browser.post(ask_address(mine), {"kind": "problem", "text": "It looks right.", "about": sent.public_id})

    question = Question.objects.get()
    assert ('value="problem"\n' in form, "checked" in form, str(sent.public_id) in form) == (True, True, True)
    assert (question.attempt, question.submission, question.kind) == (mine, sent, "problem")


def test_every_item_and_every_mark_has_the_way_to_ask(ada: User, attempt: AttemptBy, as_user: SignedIn) -> None:
    mine = attempt(ada, "by-hand")
    sent = submission_create(attempt=mine, raw_response=transposed_numbers(mine)).submission
    browser = as_user(ada)

    lesson = page(browser, "/en/courses/spring/lessons/first/")
    mark = page(browser, f"/en/submissions/{sent.public_id}/")

    assert (lesson.count("Ask about this"), lesson.count("Report a problem")) == (3, 3)
    assert f"about={sent.public_id}" in mark


def test_the_answer_comes_back_beside_the_item_and_as_news(
    ada: User, ines: User, asked: Question, as_user: SignedIn
) -> None:
    staff, learner = as_user(ines), as_user(ada)
    address = f"/en/questions/{asked.public_id}/"
    assert "Why rows?" in page(staff, "/en/courses/spring/inbox/")
    assert "Why rows?" in page(staff, address)

    staff.post(f"{address}reply/", {"text": "One token a row."})

    lesson = page(learner, "/en/courses/spring/lessons/first/")
    assert ("One token a row." in lesson, "Answered" in lesson, "has-news" in lesson) == (True, True, True)
    assert "One token a row." in page(learner, "/en/news/")
    assert "Nobody waits for an answer." in page(staff, "/en/courses/spring/inbox/")
    assert "Why rows?" in page(staff, "/en/courses/spring/inbox/?state=answered")


def test_a_learner_who_writes_again_opens_it_again(ada: User, ines: User, asked: Question, as_user: SignedIn) -> None:
    question_reply(question=asked, author=ines, is_from_staff=True, text="One token a row.")

    as_user(ada).post(f"/en/questions/{asked.public_id}/reply/", {"text": "And columns?"})

    asked.refresh_from_db()
    assert asked.state == QuestionState.OPEN
    assert [reply.is_from_staff for reply in asked.replies.all()] == [True, False]


def test_either_side_closes(ada: User, ines: User, asked: Question, as_user: SignedIn) -> None:
    to = [as_user(user).post(f"/en/questions/{asked.public_id}/close/")["Location"] for user in (ada, ines)]

    asked.refresh_from_db()
    assert asked.state == QuestionState.CLOSED
    assert to == [f"/en/questions/{asked.public_id}/", "/en/courses/spring/inbox/"]


def test_an_assistant_answers_as_well(asked: Question, as_user: SignedIn) -> None:
    helper = EnrollmentFactory(user=UserFactory(), course=asked.attempt.enrollment.course, role=Role.ASSISTANT).user

    as_user(helper).post(f"/en/questions/{asked.public_id}/reply/", {"text": "See the figure."})

    assert Reply.objects.get().is_from_staff


@pytest.mark.parametrize("way", ["", "reply/", "close/"])
def test_nobody_else_reaches_a_question(ben: User, otto: User, asked: Question, as_user: SignedIn, way: str) -> None:
    address = f"/en/questions/{asked.public_id}/{way}"
    statuses = [
        (as_user(user).post(address, {"text": "?"}) if way else as_user(user).get(address)).status_code
        for user in (ben, otto)
    ]

    assert statuses == [404, 404]
    assert as_user(ben).get(f"/en/questions/{uuid.uuid4()}/").status_code == 404


def test_the_inbox_is_for_those_who_teach(ada: User, otto: User, ines: User, as_user: SignedIn) -> None:
    assert [as_user(user).get("/en/courses/spring/inbox/").status_code for user in (ada, otto, ines)] == [404, 404, 200]


def test_the_inbox_narrows_to_an_exercise_and_to_a_learner(
    ben: User, ines: User, asked: Question, attempt: AttemptBy, as_user: SignedIn
) -> None:
    question_ask(attempt=attempt(ben, "pick"), submission=None, kind=QuestionKind.PROBLEM, text="Two are right.")
    browser = as_user(ines)
    asking = ("", "?item=pick", "?learner=ada", "?learner=ada&item=pick")

    shown = [
        [words in page(browser, f"/en/courses/spring/inbox/{query}") for words in ("Why rows?", "Two are right.")]
        for query in asking
    ]
    assert shown == [[True, True], [False, True], [True, False], [False, False]]


def test_the_inbox_asks_the_database_as_often_for_three_questions_as_for_one(
    ines: User,
    asked: Question,
    ben: User,
    attempt: AttemptBy,
    as_user: SignedIn,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    browser = as_user(ines)
    question_reply(question=asked, author=asked.attempt.enrollment.user, is_from_staff=False, text="Well?")
    page(browser, "/en/courses/spring/inbox/")

    for text in ("One.", "Two."):
        with django_assert_num_queries(6):
            browser.get("/en/courses/spring/inbox/")
        question_ask(attempt=attempt(ben, "pick"), submission=None, kind=QuestionKind.PROBLEM, text=text)


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"kind": "question", "text": "  "}, "Write something"),
        ({"kind": "question", "text": "x" * 4001}, "Write something"),
        ({"kind": "wish", "text": "More."}, "Say first what it is."),
    ],
)
def test_what_is_refused_comes_back_as_it_was_typed(
    ada: User, attempt: AttemptBy, as_user: SignedIn, sent: dict[str, str], words: str
) -> None:
    response = as_user(ada).post(ask_address(attempt(ada, "pick")), sent)

    html = response.content.decode()
    assert (response.status_code, words in html, sent["text"].strip() in html) == (422, True, True)
    assert not Question.objects.exists()


def test_a_double_click_is_one_question(ada: User, attempt: AttemptBy, as_user: SignedIn) -> None:
    browser, mine = as_user(ada), attempt(ada, "pick")

    places = {browser.post(ask_address(mine), {"kind": "question", "text": "Why?"})["Location"] for _ in range(2)}

    assert (len(places), Question.objects.count()) == (1, 1)


def test_many_open_questions_are_enough(ada: User, attempt: AttemptBy, as_user: SignedIn) -> None:
    mine = attempt(ada, "pick")
    for number in range(MOST_OPEN):
        question_ask(attempt=mine, submission=None, kind=QuestionKind.QUESTION, text=f"Question {number}")

    response = as_user(ada).post(ask_address(mine), {"kind": "question", "text": "One more"})

    assert (response.status_code, "still wait for an answer" in response.content.decode()) == (422, True)


@pytest.mark.parametrize(("language", "said"), [("en", "in a short time"), ("zh-hans", "你在短时间内发了很多条消息")])
def test_messages_are_limited_in_rate_and_what_was_written_is_kept(
    ada: User, ben: User, attempt: AttemptBy, asked: Question, as_user: SignedIn, language: str, said: str
) -> None:
    browser, mine = as_user(ada), attempt(ada, "pick")
    ways = [
        (ask_address(mine).replace("/en/", f"/{language}/"), {"kind": "question"}),
        (f"/{language}/questions/{asked.public_id}/reply/", {}),
    ]
    for number in range(10):
        address, form = ways[number % 2]
        assert browser.post(address, {**form, "text": f"Message {number}"}).status_code == 302

    for address, form in ways:
        response = browser.post(address, {**form, "text": "One message more"})
        html = response.content.decode()
        assert (response.status_code, response["Retry-After"]) == (429, "60")
        assert (said in html, ">One message more</textarea>" in html) == (True, True)
    assert (Question.objects.count(), Reply.objects.count()) == (6, 5)
    theirs = as_user(ben).post(ask_address(attempt(ben, "pick")), {"kind": "question", "text": "Mine"})
    assert theirs.status_code == 302


def test_staff_answer_a_full_inbox_without_a_pause(ines: User, asked: Question, as_user: SignedIn) -> None:
    browser = as_user(ines)

    sent = [browser.post(f"/en/questions/{asked.public_id}/reply/", {"text": f"Answer {each}"}) for each in range(30)]

    assert {each.status_code for each in sent} == {302}


def test_the_inbox_has_pages_that_keep_what_is_asked_for(ines: User, asked: Question, as_user: SignedIn) -> None:
    texts = [f"Question no. {number}." for number in range(PAGE)]
    for text in texts:
        Question.objects.create(attempt=asked.attempt, kind=QuestionKind.QUESTION, text=text)
    browser, address = as_user(ines), "/en/courses/spring/inbox/?state=all&learner=ada"

    first, second, beyond = (page(browser, f"{address}&page={number}") for number in ("x", "2", "99"))

    assert [text in first for text in texts] == [True] * PAGE
    assert ("Why rows?" in first, "Why rows?" in second, texts[0] in second) == (False, True, False)
    assert re.findall(r'href="(\?[^"]*page=\d+)"\s+rel="(\w+)"', first + second) == [
        ("?state=all&amp;learner=ada&amp;page=2", "next"),
        ("?state=all&amp;learner=ada&amp;page=1", "prev"),
    ]
    assert ("Page 1 of 2" in first, "Page 2 of 2" in second, "Page 2 of 2" in beyond) == (True, True, True)


def test_what_people_write_is_text(ada: User, ines: User, attempt: AttemptBy, as_user: SignedIn) -> None:
    asked = question_ask(
        attempt=attempt(ada, "pick"), submission=None, kind=QuestionKind.QUESTION, text="<script>alert(1)</script>"
    )

    html = page(as_user(ines), f"/en/questions/{asked.public_id}/")

    assert ("<script>alert" in html, "&lt;script&gt;alert" in html) == (False, True)


def test_a_question_about_an_answer_of_somebody_else_does_not_take_it_along(
    ada: User, ben: User, attempt: AttemptBy, as_user: SignedIn
) -> None:
    his = attempt(ben, "by-hand")
    sent = submission_create(attempt=his, raw_response=transposed_numbers(his)).submission
    mine = attempt(ada, "by-hand")

    as_user(ada).post(ask_address(mine), {"kind": "question", "text": "Why?", "about": sent.public_id})

    assert Question.objects.get().submission is None


@pytest.mark.parametrize("page", ["question", "inbox"])
def test_what_was_said_is_dated_by_the_clock_of_the_course(
    ines: User, asked: Question, as_user: SignedIn, page: str
) -> None:
    Course.objects.update(time_zone="America/St_Johns")
    Question.objects.update(created_at=datetime(2026, 11, 30, 20, 0, tzinfo=UTC))
    address = f"/en/questions/{asked.public_id}/" if page == "question" else "/en/courses/spring/inbox/"

    assert "2026-11-30 16:30 (UTC-3:30)" in as_user(ines).get(address).content.decode()
