"""The instructor's page of people."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from exercises.enums import Role
from exercises.models import Activation, Course, CourseCode, Enrollment, Label, Submission, User
from exercises.queries.course_time import in_course_time
from exercises.services.members_add import ListedPerson, members_add
from exercises.services.submission_create import submission_create
from tests.exercises.responses import right_numbers
from tests.factories import EnrollmentFactory, UserFactory

PEOPLE = "/en/courses/spring/people/"
SETTINGS = "/en/courses/spring/settings/"


@pytest.fixture
def teacher(ines, as_user) -> Client:
    return as_user(ines)


@pytest.mark.parametrize("page", [PEOPLE, SETTINGS])
def test_people_are_the_instructors_alone(page, ada, ines, otto, course, as_user):
    helper = EnrollmentFactory(course=course, role=Role.ASSISTANT).user

    assert [as_user(user).get(page).status_code for user in (ada, ines, otto, helper)] == [404, 200, 404, 404]


@pytest.mark.parametrize("rows", [1, 3])
def test_the_page_takes_as_many_queries_for_one_as_for_many(rows, course, teacher, django_assert_num_queries):
    EnrollmentFactory.create_batch(rows, course=course)

    with django_assert_num_queries(10):
        assert teacher.get(PEOPLE).status_code == 200


def test_a_code_is_made_shown_with_its_link_and_revoked(teacher, course):
    teacher.post(f"{PEOPLE}codes/", {"days": "7", "most_uses": "60"})
    code = CourseCode.objects.get()
    page = teacher.get(PEOPLE).content.decode()
    teacher.post(f"{PEOPLE}codes/{code.pk}/revoke/")

    assert (f"{code.code[:4]}-{code.code[4:]}" in page, f"http://testserver/en/join/{code.code}/" in page) == (
        True,
        True,
    )
    assert (code.most_uses, code.code in teacher.get(PEOPLE).content.decode()) == (60, False)


def test_a_list_gives_a_sheet_of_codes_that_is_shown_once(teacher):
    sheet = teacher.post(f"{PEOPLE}add/", {"people": "2023001\tBen\n2023002"}).content.decode()
    codes = re.findall(r'class="spoken-code">([0-9A-Z-]{14})<', sheet)

    assert ("2023001" in sheet, "Ben" in sheet, len(set(codes))) == (True, True, 2)
    assert [code in teacher.get(PEOPLE).content.decode() for code in codes] == [False, False]
    assert "not activated yet" in teacher.get(PEOPLE).content.decode()


def test_a_list_with_a_line_that_cannot_be_read_adds_nobody_and_keeps_the_text(teacher):
    response = teacher.post(f"{PEOPLE}add/", {"people": "2023001 Ben\n=HYPERLINK(1)"})
    html = response.content.decode()

    assert (response.status_code, "2 (=HYPERLINK(1))" in html, "2023001 Ben" in html) == (422, True, True)
    assert Activation.objects.count() == 0


def test_new_codes_for_those_who_wait_make_the_old_ones_void(teacher, ines, enrollment_of):
    members_add(instructor=enrollment_of(ines), people=[ListedPerson("2023001")])
    before = Activation.objects.get().digest

    sheet = teacher.post(f"{PEOPLE}activations/").content.decode()

    assert ("2023001" in sheet, Activation.objects.get().digest != before) == (True, True)


def test_slips_come_ten_to_a_sheet_in_the_order_of_the_list(teacher):
    numbers = [str(2023000 + number) for number in range(11)]

    html = teacher.post(f"{PEOPLE}add/", {"people": "\n".join(numbers)}).content.decode()

    sheets = html.split('<section class="sheet"')[1:]
    assert [re.findall(r"<strong>(\d+)</strong>", sheet) for sheet in sheets] == [numbers[:10], numbers[10:]]
    assert ("Sheet 2 of 2" in sheets[1], "Print" in html) == (True, True)


def test_role_and_labels_are_changed_and_found_again(teacher, ada, enrollment_of):
    member = enrollment_of(ada)
    saved = teacher.post(f"{PEOPLE}{member.pk}/", {"role": "assistant", "labels": "Class 1，Class 2"})

    assert saved["Location"] == f"{PEOPLE}#members"
    assert enrollment_of(ada).role == Role.ASSISTANT
    assert set(Label.objects.values_list("name", flat=True)) == {"Class 1", "Class 2"}
    found = teacher.get(f"{PEOPLE}?label=Class+1&role=assistant&q=ADA").content.decode()
    assert ('<th scope="row">Ada</th>' in found, '<th scope="row">Ines</th>' in found) == (True, False)


def test_whoever_is_shown_out_is_out(teacher, ada, enrollment_of, as_user):
    teacher.post(f"{PEOPLE}{enrollment_of(ada).pk}/", {"role": "former", "labels": ""})

    adas = as_user(ada)
    assert (adas.get("/en/courses/spring/").status_code, "Course spring" in adas.get("/en/").content.decode()) == (
        404,
        False,
    )


def test_the_last_instructor_cannot_leave(teacher, ines, enrollment_of):
    response = teacher.post(f"{PEOPLE}{enrollment_of(ines).pk}/", {"role": "student", "labels": ""})

    assert (response.status_code, "must stay the instructor" in response.content.decode()) == (422, True)


def test_a_member_of_another_course_is_not_found(teacher, otto, enrollment_of):
    address = f"{PEOPLE}{enrollment_of(otto).pk}/"

    assert [teacher.get(address).status_code, teacher.post(f"{address}reset/").status_code] == [404, 404]


def test_a_reset_shows_a_new_code_and_is_refused_for_accounts_from_elsewhere(teacher, ines, ada, enrollment_of):
    members_add(instructor=enrollment_of(ines), people=[ListedPerson("2023001")])
    ours = Enrollment.objects.get(user__username="2023001")

    sheet = teacher.post(f"{PEOPLE}{ours.pk}/reset/")
    refused = teacher.post(f"{PEOPLE}{enrollment_of(ada).pk}/reset/", follow=True)

    assert "spoken-code" in sheet.content.decode()
    assert "was not made by this course" in refused.content.decode()
    assert User.objects.get(pk=ada.pk).has_usable_password()


def test_an_assistant_sees_the_class_only(course, as_user):
    helper = EnrollmentFactory(course=course, user=UserFactory(), role=Role.ASSISTANT).user

    page = as_user(helper).get("/en/courses/spring/").content.decode()

    assert ("/quick-checks/" in page, "/people/" in page, "/settings/" in page.replace("/en/settings/", "")) == (
        True,
        False,
        False,
    )


def test_settings_of_a_course_are_kept_and_dates_follow(teacher, course):
    teacher.post(SETTINGS, {"time_zone": "Asia/Kathmandu", "is_open": "on"})
    course.refresh_from_db()
    page = teacher.get(SETTINGS).content.decode()
    refused = teacher.post(SETTINGS, {"time_zone": "Mars/Olympus"})

    assert (course.time_zone, course.is_open, refused.status_code) == ("Asia/Kathmandu", True, 200)
    assert "(Asia/Kathmandu, UTC+5:45)" in page


@pytest.mark.parametrize(
    ("zone", "said"),
    [
        ("Europe/London", "July 1, 2026 13:30 (Europe/London, UTC+1)"),
        ("America/St_Johns", "July 1, 2026 10:00 (America/St_Johns, UTC-2:30)"),
        ("UTC", "July 1, 2026 12:30 (UTC)"),
        ("", "July 1, 2026 20:30 (Asia/Shanghai, UTC+8)"),
        ("Mars/Olympus", "July 1, 2026 20:30 (Asia/Shanghai, UTC+8)"),
    ],
)
def test_a_moment_is_said_in_the_courses_time_with_the_zone_named(zone, said, db):
    with override("en"):
        assert in_course_time(datetime(2026, 7, 1, 12, 30, tzinfo=UTC), Course(time_zone=zone)) == said


def test_the_dates_of_a_course_are_shown_by_its_clock_and_the_next_request_has_its_own(course, ada, attempt, as_user):
    mine = attempt(ada, "by-hand")
    sent = submission_create(attempt=mine, raw_response=right_numbers(mine)).submission
    Submission.objects.update(created_at=datetime(2026, 7, 1, 12, 30, tzinfo=UTC))
    address, adas = f"/en/submissions/{sent.public_id}/", as_user(ada)
    said = []
    for zone in ("Asia/Kathmandu", "", "America/St_Johns"):
        Course.objects.filter(pk=course.pk).update(time_zone=zone)
        said += re.findall(r"2026-07-01 [^)]*\)", adas.get(address).content.decode())[:1]

    assert said == ["2026-07-01 18:15 (UTC+5:45)", "2026-07-01 20:30 (UTC+8)", "2026-07-01 10:00 (UTC-2:30)"]
    assert timezone.get_current_timezone_name() == "Asia/Shanghai"
