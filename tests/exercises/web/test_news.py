"""News on their page, and the e-mails with them."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from exercises.enums import Digest, QuestionKind
from exercises.models import Course, Mark, Question, Submission, User
from exercises.queries.news import NewsKind, news
from exercises.queries.paging import PAGE
from exercises.services.digest_send import digests_send
from exercises.services.mark_by_instructor import mark_by_instructor
from exercises.services.own_reading import second_look_ask
from exercises.services.question import question_ask, question_reply
from exercises.services.submission_create import submission_create
from tests.exercises.conftest import AttemptBy
from tests.exercises.web.conftest import SignedIn

Marked = Callable[..., Submission]


@pytest.fixture
def marked(ada: User, ines: User, attempt: AttemptBy) -> Marked:
    """Ada's text, sent and marked."""

    def by(score: int = 1, text: str = "It asks.") -> Submission:
        mine = attempt(ada, "in-words")
        sent = submission_create(attempt=mine, raw_response={"text": text}).submission
        mark_by_instructor(instructor=ines, submission=sent, score=Decimal(score), comment="Say what it asks for.")
        return sent

    return by


@pytest.fixture
def posted(settings: Settings, ada: User) -> User:
    """Ada with an address, on a site with a mail server."""
    settings.EMAIL_HOST = "mail.example.org"
    User.objects.filter(pk=ada.pk).update(email="ada@example.org", language="en")
    ada.refresh_from_db()
    return ada


def kinds(user: User) -> list[NewsKind]:
    user.refresh_from_db()
    return [each.kind for each in news(user)]


def test_a_mark_another_look_and_an_answer_are_news(ada: User, ines: User, marked: Marked, attempt: AttemptBy) -> None:
    sent = marked()
    first = kinds(ada)
    sent.refresh_from_db()
    second_look_ask(submission=sent, reason="I did say it.")
    mark_by_instructor(instructor=ines, submission=sent, score=Decimal(2), comment="You did.")
    asked = question_ask(attempt=attempt(ada, "pick"), submission=None, kind=QuestionKind.QUESTION, text="Why?")
    question_reply(question=asked, author=ines, is_from_staff=True, text="Because.")

    assert first == [NewsKind.MARKED]
    assert kinds(ada) == [NewsKind.ANSWERED, NewsKind.LOOKED_AGAIN]


def test_staff_see_what_waits_for_them_until_it_is_answered(ada: User, ines: User, attempt: AttemptBy) -> None:
    asked = question_ask(attempt=attempt(ada, "pick"), submission=None, kind=QuestionKind.QUESTION, text="Why?")
    before = kinds(ines)
    question_reply(question=asked, author=ines, is_from_staff=True, text="Because.")

    assert (before, kinds(ines)) == ([NewsKind.ASKED], [])


def test_nobody_elses_marks_are_news(ben: User, otto: User, marked: Marked) -> None:
    marked()

    assert (kinds(ben), kinds(otto), ben.has_news) == ([], [], False)


def test_the_way_to_the_news_says_when_there_are_some_until_they_are_read(
    ada: User, marked: Marked, as_user: SignedIn
) -> None:
    browser = as_user(ada)
    marked()
    before = browser.get("/en/news/").content.decode()
    shown_at = re.search(r'name="until" value="([^"]+)"', before)
    assert shown_at is not None

    browser.post("/en/news/seen/", {"until": shown_at[1]})

    after = browser.get("/en/news/").content.decode()
    assert [("has-news" in html, "is-new" in html, "Say what it asks for." in html) for html in (before, after)] == [
        (True, True, True),
        (False, False, True),
    ]


def test_what_came_while_the_page_was_read_stays_news(ada: User, marked: Marked, as_user: SignedIn) -> None:
    shown_at = timezone.now()
    marked()

    as_user(ada).post("/en/news/seen/", {"until": shown_at.isoformat()})

    ada.refresh_from_db()
    assert ada.has_news


@pytest.mark.parametrize("until", ["", "tomorrow", "2999-01-01T00:00:00+00:00"])
def test_nobody_can_have_read_what_is_still_to_come(ada: User, marked: Marked, as_user: SignedIn, until: str) -> None:
    as_user(ada).post("/en/news/seen/", {"until": until})
    marked()

    ada.refresh_from_db()
    assert ada.has_news


def test_a_page_without_news_says_what_will_stand_there(ada: User, as_user: SignedIn) -> None:
    assert "Nothing yet." in as_user(ada).get("/en/news/").content.decode()


def test_news_go_out_once_a_day_in_the_readers_language(posted: User, marked: Marked) -> None:
    marked()
    sent = [digests_send(), digests_send()]
    marked(2, "It asks what fits.")
    same_day = digests_send()
    User.objects.filter(pk=posted.pk).update(digested_at=timezone.now() - timedelta(hours=25))
    marked(0, "It asks whom it should listen to.")

    assert (sent, same_day, digests_send(), len(mail.outbox)) == ([1, 0], 0, 1, 2)
    assert mail.outbox[0].subject == "News from your course"
    assert "A mark came: In your own words" in mail.outbox[0].body


def test_news_are_told_in_chinese_to_whom_reads_chinese(posted: User, marked: Marked) -> None:
    User.objects.filter(pk=posted.pk).update(language="zh-hans")
    marked()
    digests_send()

    assert "News" not in mail.outbox[0].subject
    assert "/zh-hans/" in mail.outbox[0].body


def test_one_click_stops_the_messages(posted: User, marked: Marked) -> None:
    marked()
    digests_send()
    headers = mail.outbox[0].extra_headers
    way_out = headers["List-Unsubscribe"].strip("<>")
    path = way_out.removeprefix("http://127.0.0.1:8000")
    browser = Client(enforce_csrf_checks=True)
    looked = browser.get(path)
    posted.refresh_from_db()
    before = posted.digest

    stopped = browser.post(path, {"List-Unsubscribe": "One-Click"})

    posted.refresh_from_db()
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert (looked.status_code, before, stopped.status_code, posted.digest) == (200, "", 200, Digest.OFF)
    marked(2, "It asks what fits.")
    User.objects.filter(pk=posted.pk).update(digested_at=None)
    assert digests_send() == 0


def test_a_link_that_is_not_ours_stops_nothing(posted: User) -> None:
    response = Client().post("/en/news/no-more/1:nonsense/")

    posted.refresh_from_db()
    assert (response.status_code, posted.digest) == (404, "")


@pytest.mark.parametrize("without", ["server", "address", "wish", "account"])
def test_nothing_is_sent_and_nothing_fails_without(
    settings: Settings, posted: User, marked: Marked, without: str
) -> None:
    change = {"address": {"email": ""}, "wish": {"digest": Digest.OFF}, "account": {"is_active": False}}
    if without == "server":
        settings.EMAIL_HOST = ""
    else:
        User.objects.filter(pk=posted.pk).update(**change[without])
    marked()

    assert (digests_send(), mail.outbox) == (0, [])


def test_a_mail_server_that_is_away_is_tried_again(settings: Settings, posted: User, marked: Marked) -> None:
    backend = settings.EMAIL_BACKEND
    marked()
    settings.EMAIL_BACKEND, settings.EMAIL_PORT, settings.EMAIL_HOST = (
        "django.core.mail.backends.smtp.EmailBackend",
        1,
        "127.0.0.1",
    )
    settings.EMAIL_TIMEOUT = 1
    away = digests_send()
    settings.EMAIL_BACKEND = backend

    assert (away, digests_send()) == (0, 1)


@pytest.mark.parametrize("change", [{"display_name": "Ada\nBcc: ben@example.org"}, {"email": "ada@例子.中国"}])
def test_a_name_or_an_address_that_no_header_takes_keeps_nobodys_news_back(
    posted: User, ines: User, marked: Marked, change: dict[str, str]
) -> None:
    User.objects.filter(pk=posted.pk).update(**change)
    User.objects.filter(pk=ines.pk).update(email="ines@example.org", language="en")
    sent = marked()
    question_ask(attempt=sent.attempt, submission=sent, kind=QuestionKind.QUESTION, text="Why?")
    digests_send()

    reached = [address for message in mail.outbox for address in message.to]
    assert any("ines@example.org" in address for address in reached)
    assert not any("\n" in address for address in reached)
    assert all("\nBcc" not in message.body for message in mail.outbox)


def test_what_was_read_already_is_not_sent(posted: User, marked: Marked, as_user: SignedIn) -> None:
    marked()
    as_user(posted).post("/en/news/seen/", {"until": timezone.now().isoformat()})

    assert digests_send() == 0


def test_each_thing_is_told_in_the_time_of_its_course(ada: User, marked: Marked, as_user: SignedIn) -> None:
    sent = marked()
    Course.objects.update(time_zone="Asia/Kathmandu")
    Mark.objects.filter(submission=sent).update(created_at=datetime(2026, 11, 30, 20, 0, tzinfo=UTC))

    assert "2026-12-01 01:45 (UTC+5:45)" in as_user(ada).get("/en/news/").content.decode()


def test_news_have_pages_on_which_nothing_stands_twice(
    ada: User, ines: User, attempt: AttemptBy, marked: Marked, as_user: SignedIn
) -> None:
    marked()
    asked = question_ask(attempt=attempt(ada, "pick"), submission=None, kind=QuestionKind.QUESTION, text="Why?")
    said = [f"Because of {number}." for number in range(2 * PAGE)]
    for text in said:
        question_reply(question=asked, author=ines, is_from_staff=True, text=text)
    browser = as_user(ada)

    shown = [browser.get(f"/en/news/?page={number}").content.decode() for number in (1, 2, 3, 4)]

    kept = [[text for text in ("Say what it asks for.", *said) if text in html] for html in shown]
    assert [set(each) for each in kept] == [set(said[PAGE:]), set(said[:PAGE]), {"Say what it asks for."}, set(kept[2])]
    assert ["Page 2 of 3" in html for html in shown] == [False, True, False, False]
    assert all(re.search(rf"{2 * PAGE + 1}\s+are new", html) for html in shown)


def test_a_question_that_was_taken_up_again_is_the_latest_news(ada: User, ines: User, attempt: AttemptBy) -> None:
    mine = attempt(ada, "pick")
    for number in range(3):
        question_ask(attempt=mine, submission=None, kind=QuestionKind.QUESTION, text=f"No. {number}?")
    first = Question.objects.earliest("pk")

    question_reply(question=first, author=ada, is_from_staff=False, text="Still.")

    assert news(ines)[0].words == "Still."


@pytest.mark.parametrize("who", ["ada", "ines"])
def test_the_news_ask_the_database_as_often_for_three_as_for_one(
    who: str,
    ada: User,
    ines: User,
    marked: Marked,
    attempt: AttemptBy,
    as_user: SignedIn,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    marked()
    mine = attempt(ada, "pick")
    asked = question_ask(attempt=mine, submission=None, kind=QuestionKind.QUESTION, text="Why?")
    question_reply(question=asked, author=ines, is_from_staff=True, text="Because.")
    browser = as_user(ada if who == "ada" else ines)
    browser.get("/en/news/")

    for text in ("One?", "Two?", "Three?"):
        with django_assert_max_num_queries(18):
            browser.get("/en/news/")
        question_ask(attempt=mine, submission=None, kind=QuestionKind.QUESTION, text=text)
        question_reply(question=asked, author=ines, is_from_staff=True, text=text)
