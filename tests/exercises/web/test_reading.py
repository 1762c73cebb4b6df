from __future__ import annotations

import re
from decimal import Decimal

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from exercises.enums import Role
from exercises.models import Course, Item, ItemVersion, User
from exercises.services.mark_by_instructor import mark_by_instructor
from exercises.services.submission_create import submission_create
from tests.exercises.conftest import AttemptBy
from tests.exercises.practised import answer, practise
from tests.exercises.responses import right_numbers
from tests.exercises.web.conftest import SignedIn
from tests.factories import CourseFactory, EnrollmentFactory, UserFactory


def page(browser: Client, address: str) -> str:
    return browser.get(address).content.decode()


def test_home_with_one_course_opens_it(ada: User, as_user: SignedIn) -> None:
    assert as_user(ada).get("/en/")["Location"] == "/en/courses/spring/"


def test_home_with_several_courses_lists_them(ada: User, other_course: Course, as_user: SignedIn) -> None:
    EnrollmentFactory(user=ada, course=other_course, role=Role.INSTRUCTOR)

    html = page(as_user(ada), "/en/")

    assert re.findall(r"Course (spring|autumn)</a>", html) == ["autumn", "spring"]


def test_home_without_courses_says_what_to_do(db: None, as_user: SignedIn) -> None:
    html = page(as_user(UserFactory()), "/en/")

    assert ("ask your instructor to add you" in html, 'href="/en/join/"' in html) == (True, True)


@pytest.mark.parametrize(
    ("language", "title", "words"),
    [("en", "A tiny course", "0 of 3 exercises done"), ("zh-hans", "小课", "3 道题，完成 0 道")],
)
def test_course_says_what_is_done_in_the_language_of_the_page(
    language: str, title: str, words: str, ada: User, as_user: SignedIn
) -> None:
    html = page(as_user(ada), f"/{language}/courses/spring/")

    assert (words in html, "For tests." in html) == (True, language == "en")


def test_course_offers_one_next_step(ada: User, attempt: AttemptBy, as_user: SignedIn) -> None:
    browser = as_user(ada)

    fresh = page(browser, "/en/courses/spring/")
    by_hand = attempt(ada, "by-hand")
    submission_create(attempt=by_hand, raw_response=right_numbers(by_hand))
    begun = page(browser, "/en/courses/spring/")

    assert ("Start reading" in fresh, "Continue" in fresh) == (True, False)
    assert ("Start reading" in begun, "Continue" in begun) == (False, True)


def test_course_shows_the_instructor_the_way_to_the_desk(ada: User, ines: User, as_user: SignedIn) -> None:
    shown = ["/en/courses/spring/progress/" in page(as_user(user), "/en/courses/spring/") for user in (ada, ines)]

    assert shown == [False, True]


def test_lesson_has_its_items_in_their_places(ada: User, as_user: SignedIn) -> None:
    html = page(as_user(ada), "/en/courses/spring/lessons/first/")

    order = re.findall(r"Work out one query|Now choose|id=\"item-([\w-]+)\"", html)
    assert order == ["", "by-hand", "", "pick", "program"]


@pytest.mark.parametrize(("language", "words"), [("en", "The first lesson"), ("zh-hans", "第一课")])
def test_lesson_is_told_in_the_language_of_the_page(language: str, words: str, ada: User, as_user: SignedIn) -> None:
    html = page(as_user(ada), f"/{language}/courses/spring/lessons/first/")

    html_language = {"en": "en", "zh-hans": "zh-Hans"}[language]
    assert (f"<h1>{words}</h1>" in html, f'<html lang="{html_language}"' in html) == (True, True)


@pytest.mark.parametrize(("language", "other"), [("en", "zh-hans"), ("zh-hans", "en")])
def test_language_switch_keeps_the_page(language: str, other: str, ada: User, as_user: SignedIn) -> None:
    html = page(as_user(ada), f"/{language}/courses/spring/lessons/first/")

    assert f'href="/{other}/courses/spring/lessons/first/"' in html


def test_cells_have_names_and_labels(ada: User, as_user: SignedIn) -> None:
    html = page(as_user(ada), "/zh-hans/courses/spring/lessons/first/")

    labels = re.findall(r'name="(q-0-\d)"[^>]*?aria-label="([^"]+)"', html)
    assert labels == [("q-0-0", "q，第 1 行第 1 列"), ("q-0-1", "q，第 1 行第 2 列")]


def test_code_box_states_python_and_limits(ada: User, as_user: SignedIn) -> None:
    html = page(as_user(ada), "/en/courses/spring/lessons/first/")

    said = re.search(r"Runs in Python 3\.\d+ with NumPy\. One run may take 2 s of processor time and 512 MiB", html)
    assert said is not None


def test_lesson_gives_everybody_numbers_of_their_own_once(ada: User, ben: User, as_user: SignedIn) -> None:
    browser = as_user(ada)

    first = page(browser, "/en/courses/spring/lessons/first/")
    again = page(browser, "/en/courses/spring/lessons/first/")
    other = page(as_user(ben), "/en/courses/spring/lessons/first/")

    attempts = [re.findall(r'data-draft="([^"]+)"', html) for html in (first, again, other)]
    assert attempts[0] == attempts[1]
    assert set(attempts[0]).isdisjoint(attempts[2])


def test_lesson_asks_the_database_as_often_for_three_items_as_for_one(
    ada: User, as_user: SignedIn, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    browser = as_user(ada)
    addresses = ["/en/courses/spring/lessons/first/", "/en/courses/spring/lessons/second/"]
    for address in addresses:
        browser.get(address)

    for address in addresses:
        with django_assert_num_queries(12):
            browser.get(address)


def test_home_asks_the_database_as_often_for_three_courses_as_for_two(
    ada: User, course: Course, as_user: SignedIn, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    browser = as_user(ada)

    with django_assert_num_queries(3):
        browser.get("/en/")
    for _ in range(2):
        EnrollmentFactory(user=ada, course=CourseFactory(curriculum=course.curriculum))
        with django_assert_num_queries(11):
            browser.get("/en/")


def test_course_asks_the_database_as_often_whatever_was_sent(
    ada: User, attempt: AttemptBy, as_user: SignedIn, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    browser = as_user(ada)
    practise("by-hand", "pick")

    for _ in range(3):
        answer(attempt(ada, "by-hand", fresh=True), days_ago=30)
        with django_assert_num_queries(11):
            browser.get("/en/courses/spring/")


def test_continue_leads_to_the_first_item_with_something_left(ada: User, attempt: AttemptBy, as_user: SignedIn) -> None:
    answer(attempt(ada, "by-hand"))

    html = page(as_user(ada), "/en/courses/spring/")

    assert 'class="button"\n                href="/en/courses/spring/lessons/first/#item-pick"' in html


def test_course_says_what_is_due_and_what_was_said_last(
    ada: User, ines: User, attempt: AttemptBy, as_user: SignedIn
) -> None:
    practise("by-hand")
    answer(attempt(ada, "by-hand"), days_ago=300)
    said = answer(attempt(ada, "in-words"), response={"text": "It asks."})
    mark_by_instructor(instructor=ines, submission=said, score=Decimal(1), comment="Say what it is compared with.")

    html = page(as_user(ada), "/en/courses/spring/")

    shown = [words in html for words in ("1 skill due", "about 2 minutes", "Say what it is compared with.")]
    assert shown == [True, True, True]


@pytest.mark.parametrize("address", ["/en/courses/spring/lessons/none/", "/en/courses/none/", "/en/none/"])
def test_what_does_not_exist_is_a_page_with_a_way_on(address: str, ada: User, as_user: SignedIn) -> None:
    response = as_user(ada).get(address)

    assert (response.status_code, "To my courses" in response.content.decode()) == (404, True)


def test_all_that_can_be_taught_is_listed_for_whoever_is_signed_in(
    ada: User, course: Course, as_user: SignedIn
) -> None:
    html = as_user(ada).get("/en/curriculums/").content.decode()

    assert ("All curriculums" in html, 'href="/en/courses/spring/"' in html, "4 exercises" in html) == (True,) * 3
    assert Client().get("/en/curriculums/").status_code == 302


def test_a_lesson_that_is_watched_tells_when_another_version_was_loaded(ada: User, as_user: SignedIn) -> None:
    browser, address = as_user(ada), "/en/courses/spring/lessons/first/"
    watched = page(browser, f"{address}?watch")
    (stamp,) = re.findall(r'data-stamp="([\d-]+)"', watched)

    assert "watch.js" in watched
    assert page(browser, f"{address}stamp/") == stamp
    version = Item.objects.get(slug="by-hand").version
    changed = ItemVersion.objects.create(
        item=version.item, number=version.number + 1, digest="another", definition=version.definition
    )
    Item.objects.filter(slug="by-hand").update(current_version=changed)
    assert page(browser, f"{address}stamp/") != stamp
    assert "watch.js" not in page(browser, address)
