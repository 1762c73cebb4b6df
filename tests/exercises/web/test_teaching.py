from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from exercises.models import Course, Mark, Submission, User
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

    assert re.findall(r'<th scope="row">(\w+)</th>', html) == ["Ada"]


def test_misconceptions_say_how_many_who_and_where(
    ada: User, ben: User, ines: User, attempt: AttemptBy, as_user: SignedIn
) -> None:
    for user in (ada, ben):
        mine = attempt(user, "by-hand")
        submission_create(attempt=mine, raw_response=transposed_numbers(mine))

    said = words(as_user(ines), "/zh-hans/courses/spring/misconceptions/")

    assert "误区 w_transposed 2 2 Ada, Ben 一个查询" in said


def test_no_misconception_yet_says_so(ada: User, ines: User, as_user: SignedIn) -> None:
    assert "No named mistake has been seen yet" in words(as_user(ines), "/en/courses/spring/misconceptions/")


def test_quick_check_is_shown_as_written_with_rubric_and_points(
    ines: User, adas_text: Submission, as_user: SignedIn
) -> None:
    html = as_user(ines).get("/en/courses/spring/quick-checks/").content.decode()

    assert "A query &lt;looks&gt;\nfor something." in html
    assert "Says that it looks for something" in html
    assert re.findall(r'name="score"\s+value="(\d)"', html) == ["0", "1", "2", "3"]


def test_no_quick_check_yet_says_so(ines: User, as_user: SignedIn) -> None:
    assert "No answer has come in yet" in words(as_user(ines), "/en/courses/spring/quick-checks/")


def test_mark_and_comment_reach_the_student(ada: User, ines: User, adas_text: Submission, as_user: SignedIn) -> None:
    response = as_user(ines).post(
        f"/en/submissions/{adas_text.public_id}/mark/", {"score": "2", "comment": "Good.\r\n<Look> again."}
    )
    page = as_user(ada).get("/en/courses/spring/lessons/second/").content.decode()

    assert response["Location"] == f"/en/courses/spring/quick-checks/#answer-{adas_text.public_id}"
    assert "Good.\n&lt;Look&gt; again." in page
    assert re.search(r"2\s+of 3 points", page) is not None


def test_saved_mark_is_said_and_stays_filled_in(ines: User, adas_text: Submission, as_user: SignedIn) -> None:
    browser = as_user(ines)
    browser.post(f"/en/submissions/{adas_text.public_id}/mark/", {"score": "2", "comment": "Good."})

    html = browser.get("/en/courses/spring/quick-checks/").content.decode()

    assert ("Saved: the mark of Ada." in html, "Good.</textarea>" in html, "Change the mark" in html) == (
        True,
        True,
        True,
    )
    assert re.findall(r'value="(\d)"\s+checked', html) == ["2"]


@pytest.mark.parametrize("score", ["", "4", "-1", "NaN", "two", "1e999", "0.0001"])
def test_mark_that_cannot_be_given_is_refused_and_keeps_the_comment(
    score: str, ines: User, adas_text: Submission, as_user: SignedIn
) -> None:
    form = {"score": score, "comment": "Many <words>."}

    response = as_user(ines).post(f"/zh-hans/submissions/{adas_text.public_id}/mark/", form)
    html = response.content.decode()

    assert (response.status_code, Mark.objects.count()) == (422, 0)
    assert ("Ada 的评分没有保存" in html, "Many &lt;words&gt;.</textarea>" in html) == (True, True)


def test_comment_on_an_answer_that_was_replaced_is_not_lost(
    ada: User, ines: User, adas_text: Submission, attempt: AttemptBy, as_user: SignedIn
) -> None:
    submission_create(attempt=attempt(ada, "in-words"), raw_response={"text": "A newer answer."})

    form = {"score": "2", "comment": "Good words."}
    response = as_user(ines).post(f"/en/submissions/{adas_text.public_id}/mark/", form)
    html = response.content.decode()

    assert (response.status_code, Mark.objects.count()) == (422, 0)
    assert ("The student has sent a newer answer" in html, '<p class="learner-text">Good words.</p>' in html) == (
        True,
        True,
    )


@pytest.mark.parametrize("page_and_queries", [("progress", 6), ("misconceptions", 9), ("quick-checks", 4)])
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
    with django_assert_num_queries(queries):
        browser.get(address)
    one_more_student()
    one_more_student()
    with django_assert_num_queries(queries):
        browser.get(address)
