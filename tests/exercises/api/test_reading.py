"""What lists and objects hold, and in how many queries."""

from __future__ import annotations

from decimal import Decimal

import pytest

from exercises.enums import ApiScope, Role
from exercises.models import Item
from exercises.queries.grade_page import GradePage, grade_page
from exercises.services.submission_create import submission_create
from tests.exercises.api.addresses import COURSE, ITEMS, V1, codes
from tests.exercises.responses import half_right_numbers, right_numbers
from tests.factories import ApiTokenFactory, EnrollmentFactory, UserFactory


def test_me(call, ada, course):
    token = ApiTokenFactory(user=ada, scopes=[ApiScope.READ_ITEMS], course=course)
    body = call("GET", f"{V1}/me/", token.name).json()
    assert body | {"expires_at": ""} == {
        "username": "ada",
        "name": "Ada",
        "token": "token-",
        "scopes": ["items:read"],
        "course": "spring",
        "expires_at": "",
    }


def test_me_of_a_token_for_all_courses(call, secret, ada):
    assert call("GET", f"{V1}/me/", secret(ada)).json()["course"] is None


def test_courses(call, secret, ada):
    title = {"zh-hans": "课程 spring", "en": "Course spring"}
    assert call("GET", f"{V1}/courses/", secret(ada)).json() == {
        "results": [{"slug": "spring", "title": title, "role": "student"}],
        "next": None,
    }


def test_course(call, secret, ines):
    body = call("GET", COURSE, secret(ines)).json()
    assert (body["slug"], body["role"], body["summary"]["en"]) == ("spring", "instructor", "For tests.")
    assert [(lesson["slug"], lesson["done"], lesson["total"]) for lesson in body["lessons"]] == [
        ("first", 0, 3),
        ("second", 0, 1),
    ]


def test_items_with_how_the_caller_stands(call, secret, ada, attempt):
    started = attempt(ada, "by-hand")
    submission_create(attempt=started, raw_response=half_right_numbers(started))
    rows = call("GET", ITEMS, secret(ada)).json()["results"]
    assert [(row["slug"], row["lesson"], row["kind"], row["max_score"]) for row in rows] == [
        ("by-hand", "first", "numeric", 2.0),
        ("pick", "first", "choice", 1.0),
        ("program", "first", "code", 3.0),
        ("in-words", "second", "free_text", 3.0),
    ]
    assert [(row["state"], row["tries"], row["score"]) for row in rows] == [
        ("tried", 1, 1.0),
        ("open", 0, None),
        ("open", 0, None),
        ("open", 0, None),
    ]


@pytest.mark.parametrize(
    ("slug", "told"),
    [
        ("by-hand", (None, None, None, None)),
        ("pick", (False, None, None, None)),
        ("program", (None, "project(x, W)", "def project(x, W):\n    ...\n", None)),
        ("in-words", (None, None, None, 4000)),
    ],
)
def test_item_says_what_its_kind_needs(call, secret, ada, slug, told):
    body = call("GET", f"{ITEMS}{slug}/", secret(ada)).json()
    starter = body["starter"] and body["starter"]["en"]
    assert (body["multiple"], body["signature"], starter, body["max_chars"]) == told
    assert body["prompt"] == Item.objects.get(slug=slug).current_version.definition["prompt"]


def test_retired_item_is_gone(call, secret, ada):
    Item.objects.filter(slug="pick").update(is_active=False)
    assert call("GET", f"{ITEMS}pick/", secret(ada)).status_code == 404
    assert "pick" not in [row["slug"] for row in call("GET", ITEMS, secret(ada)).json()["results"]]


def test_grades(call, secret, ada, ben, ines, attempt):
    started = attempt(ada, "by-hand")
    submission_create(attempt=started, raw_response=right_numbers(started))
    first, second = call("GET", f"{COURSE}grades/", secret(ines)).json()["results"]
    assert (first["username"], first["name"], first["score"], first["max_score"]) == ("ada", "Ada", 2.0, 9.0)
    assert first["items"][0] == {"item": "by-hand", "score": 2.0, "max_score": 2.0, "state": "done", "tries": 1}
    assert (second["score"], second["items"][0]["score"]) == (0.0, None)


def test_instructor_has_no_grades_of_the_own(course, ines):
    assert grade_page(course, after=0, limit=10) == GradePage(students=(), next_after=None)


def test_grades_come_in_pages_without_repeat_or_miss(call, secret, ines, course):
    for number in range(5):
        EnrollmentFactory(user=UserFactory(username=f"s{number}"), course=course)
    token, path, seen, pages = secret(ines), f"{COURSE}grades/?limit=2", [], 0
    while path:
        response = call("GET", path, token)
        page = response.json()
        seen += [row["username"] for row in page["results"]]
        pages += 1
        if page["next"]:
            assert response["Link"] == f'<{page["next"]}>; rel="next"'
        if pages == 1:
            EnrollmentFactory(user=UserFactory(username="late"), course=course)
        path = page["next"]
    assert (seen, pages) == ([*(f"s{number}" for number in range(5)), "late"], 3)


@pytest.mark.parametrize("limit", ["0", "201", "-1", "1e1", "", "٣", "9" * 5000])
def test_limit_out_of_bounds_is_refused(call, secret, ines, limit):
    response = call("GET", f"{COURSE}grades/?limit={limit}", secret(ines))
    assert (response.status_code, codes(response)) == (400, ["invalid_limit"])


@pytest.mark.parametrize("cursor", ["", "1", "WzFd:1abc:forged", "%00"])
def test_cursor_that_we_did_not_make_is_refused(call, secret, ines, cursor):
    response = call("GET", f"{COURSE}grades/?cursor={cursor}", secret(ines))
    assert (response.status_code, codes(response)) == (400, ["invalid_cursor"])


def test_cursor_of_one_list_opens_no_other(call, secret, ines, course):
    for number in range(2):
        EnrollmentFactory(user=UserFactory(username=f"s{number}"), course=course)
    query = call("GET", f"{COURSE}grades/?limit=1", secret(ines)).json()["next"].partition("?")[2]
    assert codes(call("GET", f"{ITEMS}by-hand/submissions/?{query}", secret(ines))) == ["invalid_cursor"]


@pytest.mark.parametrize("students", [1, 3])
def test_grades_take_the_same_queries_for_any_class(
    call, secret, ines, course, attempt, django_assert_num_queries, students
):
    for number in range(students):
        user = UserFactory(username=f"s{number}")
        EnrollmentFactory(user=user, course=course, role=Role.STUDENT)
        submission_create(attempt=(started := attempt(user, "by-hand")), raw_response=right_numbers(started))
    token = secret(ines)
    call("GET", f"{V1}/me/", token)
    # Token and its use; enrollment; students and their labels; assignments, items, standings.
    with django_assert_num_queries(8):
        rows = call("GET", f"{COURSE}grades/", token).json()["results"]
    assert [row["score"] for row in rows] == [2.0] * students


@pytest.mark.parametrize("count", [1, 3])
def test_submissions_take_the_same_queries_for_any_number(call, secret, ada, attempt, django_assert_num_queries, count):
    for number in range(count):
        started = attempt(ada, "by-hand", fresh=number > 0)
        submission_create(attempt=started, raw_response=right_numbers(started))
    token = secret(ada)
    call("GET", f"{V1}/me/", token)
    # Token and its use; enrollment, item; assignments; submissions, marks.
    with django_assert_num_queries(7):
        rows = call("GET", f"{ITEMS}by-hand/submissions/", token).json()["results"]
    assert [Decimal(row["mark"]["score"]) for row in rows] == [Decimal(2)] * count


def test_items_take_five_queries(call, secret, ada, django_assert_num_queries):
    token = secret(ada)
    call("GET", f"{V1}/me/", token)
    # Token and its use; enrollment; items, standings.
    with django_assert_num_queries(5):
        call("GET", ITEMS, token)


def test_submissions_come_newest_first_in_pages(call, secret, ada, attempt):
    sent = []
    for number in range(3):
        started = attempt(ada, "by-hand", fresh=number > 0)
        submitted = submission_create(attempt=started, raw_response=right_numbers(started))
        sent.insert(0, str(submitted.submission.public_id))
    first = call("GET", f"{ITEMS}by-hand/submissions/?limit=2", secret(ada)).json()
    second = call("GET", first["next"], secret(ada)).json()
    assert [row["id"] for row in first["results"] + second["results"]] == sent
    assert second["next"] is None
