"""The ways in, as a browser without scripts goes them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client

from exercises.enums import Role
from exercises.models import Attempt, Course, CourseCode, Enrollment, Submission, User
from exercises.queries.duties import PRIVACY_VERSION
from exercises.services.course_code import course_code_create
from exercises.services.members_add import ListedPerson, members_add
from exercises.services.submission_create import submission_create
from tests.exercises.responses import right_numbers
from tests.factories import PASSWORD, CourseFactory, UserFactory

ADA = {"username": "ada", "display_name": "Ada", "password1": PASSWORD, "password2": PASSWORD, "consent": "on"}


@pytest.fixture(autouse=True)
def fresh_limits(db) -> None:
    cache.clear()


@pytest.fixture
def code(ines, enrollment_of) -> CourseCode:
    return course_code_create(instructor=enrollment_of(ines), lifetime=timedelta(days=7), most_uses=500)


@pytest.fixture
def open_course(course: Course) -> Course:
    course.is_open = True
    course.save()
    return course


def test_a_course_code_leads_to_an_account_in_the_course(code, client):
    asked = client.post("/en/join/", {"code": f"{code.code[:4]}-{code.code[4:].lower()}"})
    page = client.get(asked["Location"]).content.decode()
    done = client.post(asked["Location"], ADA)

    assert "Course spring" in page
    assert done["Location"] == "/en/courses/spring/"
    assert client.get(done["Location"]).status_code == 200
    user = User.objects.get(username="ada")
    assert Enrollment.objects.get(user=user).role == Role.STUDENT
    assert [consent.version for consent in user.consents.all()] == [PRIVACY_VERSION]
    assert (user.origin, user.email) == (code.course, "")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"consent": ""}, "Without your consent"),
        ({"password2": "another one"}, "not the same as above"),
        ({"password1": "12345678", "password2": "12345678"}, "too common"),
        ({"username": "ines"}, "already exists"),
        ({"username": "guest-1"}, "already exists"),
        ({"username": "a b"}, "valid username"),
        ({"display_name": ""}, "required"),
    ],
)
def test_a_form_that_cannot_be_used_says_why_and_makes_nothing(change, said, code, client):
    response = client.post(f"/en/join/{code.code}/", ADA | change)

    assert (response.status_code, said in response.content.decode()) == (422, True)
    assert User.objects.count() == 1
    assert CourseCode.objects.get().uses == 0


def test_a_member_of_the_site_joins_with_one_button(code, otto, as_user):
    ottos = as_user(otto)

    page, done = ottos.get(f"/en/join/{code.code}/"), ottos.post(f"/en/join/{code.code}/")

    assert "signed in as Otto" in page.content.decode()
    assert done["Location"] == "/en/courses/spring/"
    assert ottos.get("/en/courses/spring/").status_code == 200


def test_unknown_and_ended_codes_answer_alike(code, client):
    CourseCode.objects.update(uses=500)
    answers = [client.post("/en/join/", {"code": typed}) for typed in (code.code, "AAAABBBB")]

    assert [
        (answer.status_code, "No course is opened by this code" in answer.content.decode()) for answer in answers
    ] == [
        (422, True),
        (422, True),
    ]


def test_a_slip_of_paper_opens_an_account_without_e_mail(ines, enrollment_of, client):
    (issued,) = members_add(instructor=enrollment_of(ines), people=[ListedPerson("2023001", "Ada")]).issued
    form = {"username": "2023001", "code": issued.code, "password1": PASSWORD, "password2": PASSWORD, "consent": "on"}

    refused = client.post("/en/accounts/activate/", form | {"code": "ABCD-EFGH-JKMN"})
    opened = client.post("/en/accounts/activate/", form)
    again = Client().post("/en/accounts/activate/", form)

    assert (refused.status_code, opened["Location"], again.status_code) == (422, "/en/", 422)
    assert client.get("/en/courses/spring/").status_code == 200
    signed_in = Client().post("/en/accounts/login/", {"login": "2023001", "password": PASSWORD})
    assert signed_in.status_code == 302


def test_nobody_guesses_an_activation_code(ines, enrollment_of, client):
    (issued,) = members_add(instructor=enrollment_of(ines), people=[ListedPerson("2023001", "Ada")]).issued
    form = {
        "username": "2023001",
        "code": "ABCD-EFGH-JKMN",
        "password1": PASSWORD,
        "password2": PASSWORD,
        "consent": "on",
    }

    statuses = [client.post("/en/accounts/activate/", form).status_code for _ in range(11)]
    late = client.post("/en/accounts/activate/", form | {"code": issued.code}).status_code

    assert (statuses, late) == ([422] * 10 + [429], 429)


def test_a_guest_reads_and_practises_and_keeps_it_all_at_sign_up(open_course, client, attempt):
    client.post("/en/courses/spring/visit/")
    guest = User.objects.get(is_guest=True)
    page = client.get("/en/courses/spring/lessons/first/")
    mine = attempt(guest, "by-hand")
    submission_create(attempt=mine, raw_response=right_numbers(mine))

    door = client.get(client.get("/en/keep/")["Location"])
    done = client.post("/en/courses/spring/welcome/", ADA)

    assert (page.status_code, "Guest: keep your progress" in page.content.decode()) == (200, True)
    assert "Everything you did as a guest becomes yours" in door.content.decode()
    assert done["Location"] == "/en/courses/spring/"
    assert Submission.objects.get().attempt.enrollment.user.username == "ada"
    assert client.get("/en/courses/spring/").status_code == 200


def test_a_guest_who_signs_in_takes_their_work_along(open_course, ada, attempt, client):
    client.post("/en/courses/spring/visit/")
    mine = attempt(User.objects.get(is_guest=True), "by-hand")
    submission_create(attempt=mine, raw_response=right_numbers(mine))

    client.post("/en/accounts/login/", {"login": "ada", "password": PASSWORD})

    assert Submission.objects.get().attempt.enrollment.user == ada
    assert not User.objects.filter(is_guest=True).exists()


@pytest.mark.parametrize("page", ["/en/accounts/login/", "/en/courses/spring/welcome/"])
def test_on_a_shared_computer_the_work_of_an_earlier_guest_is_left_behind(page, open_course, ada, attempt, client):
    client.post("/en/courses/spring/visit/")
    guest = User.objects.get(is_guest=True)
    attempt(guest, "by-hand")

    asked = client.get(page).content.decode()
    left = client.post("/en/accounts/logout/", {"next": page})
    again = client.get(left["Location"]).content.decode()
    client.post("/en/accounts/login/", {"login": "ada", "password": PASSWORD})

    told = ["It was not me" in html for html in (asked, again)]
    assert (left["Location"], told) == (page, [True, False])
    assert [each.enrollment.user for each in Attempt.objects.all()] == [guest]


@pytest.mark.parametrize(
    "page",
    ["password/set/", "password/change/", "email/", "connections/", "second-factor/", "second-factor/totp/activate/"],
)
def test_nothing_that_lasts_is_tied_to_a_guest(page, open_course, client):
    client.post("/en/courses/spring/visit/")
    address, sent = f"/en/accounts/{page}", {"password1": "long and new 77", "password2": "long and new 77"}

    answers = [client.get(address), client.post(address, sent)]

    assert [(answer.status_code, answer["Location"]) for answer in answers] == [(302, "/en/keep/")] * 2
    assert User.objects.get(is_guest=True).has_usable_password() is False


def test_a_closed_course_has_no_open_door(course, client):
    answers = [client.get("/en/courses/spring/welcome/"), client.post("/en/courses/spring/visit/")]

    assert [answer.status_code for answer in answers] == [404, 404]
    assert User.objects.count() == 0


def test_guests_see_one_course_and_nothing_of_its_class(open_course, other_course, ada, client):
    client.post("/en/courses/spring/visit/")
    addresses = ["/en/courses/autumn/", "/en/courses/spring/people/", "/en/courses/spring/progress/"]

    assert [client.get(address).status_code for address in addresses] == [404, 404, 404]


def test_a_guest_may_not_send_without_end(open_course, client):
    client.post("/en/courses/spring/visit/")

    statuses = [client.post("/en/courses/spring/review/next/").status_code for _ in range(61)]

    assert (429 in statuses[:60], statuses[60]) == (False, 429)


def test_the_log_in_names_the_other_ways_and_the_open_courses(open_course, client):
    CourseFactory(slug="closed", curriculum=open_course.curriculum)

    page = client.get("/en/accounts/login/").content.decode()

    assert [address in page for address in ("/en/join/", "/en/accounts/activate/", "/en/courses/spring/welcome/")] == [
        True
    ] * 3
    assert "/en/courses/closed/" not in page
    assert "Sign in with" not in page


def test_two_hundred_students_behind_one_address_all_get_in(code):
    """Sign-up, activation and sign-in of a whole lecture hall within a minute, and one of them forgets the password."""
    for place in range(200):
        student = Client()
        form = ADA | {"username": f"student-{place}", "display_name": f"Student {place}"}
        assert student.post(f"/en/join/{code.code}/", form).status_code == 302, place
    for place in range(200):
        again = Client().post("/en/accounts/login/", {"login": f"student-{place}", "password": PASSWORD})
        assert again.status_code == 302, place
    for _ in range(6):
        Client().post("/en/accounts/login/", {"login": "student-7", "password": "wrong"})
    locked = Client().post("/en/accounts/login/", {"login": "student-7", "password": PASSWORD})
    neighbour = Client().post("/en/accounts/login/", {"login": "student-8", "password": PASSWORD})
    assert (locked.status_code, "Too many failed" in locked.content.decode(), neighbour.status_code) == (200, True, 302)


def test_who_guesses_from_elsewhere_does_not_lock_the_owner_out(db):
    UserFactory(username="ada")
    for _ in range(8):
        Client(REMOTE_ADDR="203.0.113.9").post("/en/accounts/login/", {"login": "ada", "password": "wrong"})

    owner = Client(REMOTE_ADDR="198.51.100.7").post("/en/accounts/login/", {"login": "ada", "password": PASSWORD})

    assert owner.status_code == 302


def test_after_very_many_failures_from_everywhere_the_account_waits(db):
    UserFactory(username="ada")
    for place in range(60):
        Client(REMOTE_ADDR=f"203.0.113.{place}").post("/en/accounts/login/", {"login": "ada", "password": "wrong"})

    owner = Client(REMOTE_ADDR="198.51.100.7").post("/en/accounts/login/", {"login": "ada", "password": PASSWORD})

    assert "Too many failed" in owner.content.decode()


def test_log_in_and_sign_up_work_while_the_broker_is_away(broker_away, code, ada, client):
    assert client.post("/en/accounts/login/", {"login": "ada", "password": PASSWORD}).status_code == 302
    assert Client().post(f"/en/join/{code.code}/", ADA | {"username": "ada-2"}).status_code == 302


@pytest.mark.parametrize(("language", "words"), [("en", "What is kept"), ("zh-hans", "保存什么")])
def test_the_privacy_notice_is_open_to_everybody(language, words, client, settings, db):
    settings.OPERATOR_NAME, settings.PRIVACY_CONTACT = "Example University", "privacy@example.org"
    page = client.get(f"/{language}/privacy/").content.decode()

    assert [text in page for text in (words, "Example University", "privacy@example.org")] == [True] * 3


def test_the_foot_of_every_page_shows_the_numbers_that_the_law_wants(client, settings, db):
    without = client.get("/en/accounts/login/").content.decode()
    settings.ICP_NUMBER, settings.POLICE_NUMBER = "京ICP备00000000号-1", "京公网安备 00000000000000号"
    page = client.get("/en/accounts/login/").content.decode()

    assert "beian" not in without
    assert [text in page for text in (settings.ICP_NUMBER, settings.POLICE_NUMBER)] == [True, True]
