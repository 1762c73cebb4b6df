from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from exercises.models import Course, Submission, User
from exercises.services.submission_create import submission_create
from tests.exercises.conftest import AttemptBy
from tests.exercises.responses import half_right_numbers, right_numbers, transposed_numbers
from tests.exercises.web.conftest import SignedIn
from tests.factories import EnrollmentFactory, UserFactory


def words(browser: Client, address: str) -> str:
    html = browser.get(address).content.decode()
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


@pytest.fixture
def adas_text(ada: User, attempt: AttemptBy) -> Submission:
    response = {"text": "A query <looks>\nfor something."}
    return submission_create(attempt=attempt(ada, "in-words"), raw_response=response).submission


def test_progress_shows_each_standing_in_words(
    ada: User, ben: User, ines: User, attempt: AttemptBy, adas_text: Submission, as_user: SignedIn
) -> None:
    adas, bens = attempt(ada, "by-hand"), attempt(ben, "by-hand")
    submission_create(attempt=adas, raw_response=half_right_numbers(adas))
    submission_create(attempt=adas, raw_response=right_numbers(adas))
    submission_create(attempt=bens, raw_response=half_right_numbers(bens))

    said = words(as_user(ines), "/en/courses/spring/progress/")

    assert "students 2 have started 2 answers waiting 1" in said
    assert "Ada 2 / 9 Correct 2 / 2 · 2 tries Not started Not started Waiting 1 try" in said
    assert "Ben 1 / 9 Partly correct 1 / 2 · 1 try Not started Not started Not started" in said
    assert "Done / tried 1 / 2 0 / 0 0 / 0 0 / 1" in said


def test_progress_of_an_empty_class_says_so(ines: User, as_user: SignedIn) -> None:
    assert "No student is in this course yet" in words(as_user(ines), "/en/courses/spring/progress/")


def test_progress_leaves_other_courses_and_the_instructor_out(
    ada: User, ines: User, otto: User, as_user: SignedIn
) -> None:
    html = as_user(ines).get("/en/courses/spring/progress/").content.decode()

    assert re.findall(r"/students/\d+/\"\s*>(\w+)</a>", html) == ["Ada"]


def test_misconceptions_say_how_many_who_and_where(
    ada: User, ben: User, ines: User, attempt: AttemptBy, as_user: SignedIn
) -> None:
    for user in (ada, ben):
        mine = attempt(user, "by-hand")
        submission_create(attempt=mine, raw_response=transposed_numbers(mine))

    said = words(as_user(ines), "/zh-hans/courses/spring/misconceptions/")

    assert re.search(r"误区 w_transposed 2 2 .*一个查询 2 .* Ben Ada", said)


def test_no_misconception_yet_says_so(ada: User, ines: User, as_user: SignedIn) -> None:
    assert "No named mistake has been seen yet" in words(as_user(ines), "/en/courses/spring/misconceptions/")


PAGES = [("progress", 8), ("overview", 11), ("misconceptions", 12), ("unexplained", 7), ("analysis", 11)]


@pytest.mark.parametrize("page_and_queries", PAGES)
def test_desk_asks_the_database_as_often_for_three_students_as_for_one(
    page_and_queries: tuple[str, int],
    course: Course,
    ines: User,
    attempt: AttemptBy,
    as_user: SignedIn,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    page, queries = page_and_queries
    browser, address = as_user(ines), f"/en/courses/spring/{page}/"

    def one_more_student() -> None:
        student = UserFactory()
        EnrollmentFactory(user=student, course=course)
        numbers = attempt(student, "by-hand")
        submission_create(attempt=numbers, raw_response=transposed_numbers(numbers))
        submission_create(attempt=attempt(student, "in-words"), raw_response={"text": "Words."})

    one_more_student()
    browser.get(address)  # from here on there are figures that were kept
    with django_assert_num_queries(queries):
        browser.get(address)
    one_more_student()
    one_more_student()
    with django_assert_num_queries(queries):
        browser.get(address)
