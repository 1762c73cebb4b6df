from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from exercises.enums import Act, Role
from exercises.models import Attempt, AuditEntry, Enrollment
from exercises.services.submission_create import submission_create
from exercises.web.view_as import KEY
from tests.exercises.grading import assigned
from tests.exercises.responses import transposed_numbers
from tests.factories import EnrollmentFactory, UserFactory

LESSON = "/en/courses/spring/lessons/first/"
BANNER = "You see this course as Ada sees it."


@pytest.fixture
def member(course):
    return lambda user: Enrollment.objects.get(user=user, course=course).pk


@pytest.fixture
def looking(ada, ines, member, as_user):
    browser = as_user(ines)
    answer = browser.post(f"/en/courses/spring/students/{member(ada)}/view-as/")
    assert (answer.status_code, answer["Location"]) == (302, "/en/courses/spring/")
    return browser


def test_the_lesson_is_the_students_and_leaves_no_trace(ada, ines, attempt, looking):
    mine = attempt(ada, "by-hand")
    submission_create(attempt=mine, raw_response=transposed_numbers(mine))
    before = Attempt.objects.count()
    html = looking.get(LESSON).content.decode()
    assert BANNER in html
    assert str(mine.public_id) in html
    # Ada has opened one item of three: the page would begin the others.
    assert Attempt.objects.count() == before
    assert not ines.enrollments.get().attempts.exists()


def test_nothing_can_be_sent(ada, attempt, looking):
    mine = attempt(ada, "by-hand")
    answer = looking.post(f"/en/courses/spring/items/by-hand/{mine.public_id}/submit/", {"q-0-0": "1"})
    assert answer.status_code == 403
    assert "nothing can be sent or changed" in answer.content.decode()
    assert not mine.submissions.exists()
    assert looking.post("/en/settings/", {"theme": "dark"}).status_code == 403


def test_pages_of_the_account_and_the_desk_stay_the_instructors_own(looking):
    assert "Sign out (Ines)" in " ".join(looking.get("/en/courses/spring/progress/").content.decode().split())
    assert b"Ada" not in looking.get("/en/my-data/").content


def test_what_opens_later_is_as_shut_as_it_is_for_the_student(course, looking):
    assigned(course, opens_at=timezone.now() + timedelta(days=1))
    answer = looking.get("/en/courses/spring/items/by-hand/")
    assert answer.status_code == 409
    assert BANNER in answer.content.decode()


def test_a_submission_is_shown_as_its_author_sees_it_and_no_other_is(ada, ben, attempt, looking):
    own, other = (
        submission_create(attempt=mine, raw_response=transposed_numbers(mine)).submission
        for mine in (attempt(ada, "by-hand"), attempt(ben, "by-hand"))
    )
    as_ada = looking.get(f"/en/submissions/{own.public_id}/").content.decode()
    assert "Sign out (Ada)" in " ".join(as_ada.split())
    as_ines = looking.get(f"/en/submissions/{other.public_id}/").content.decode()
    assert "Sign out (Ines)" in " ".join(as_ines.split())


def test_beginning_is_noted_and_leaving_ends_it(ada, ines, member, looking):
    entry = AuditEntry.objects.get()
    assert (entry.act, entry.actor, entry.subject) == (Act.VIEW_AS, ines, f"enrollment:{member(ada)}")
    answer = looking.post("/en/view-as/leave/")
    assert answer["Location"] == f"/en/courses/spring/students/{member(ada)}/"
    assert BANNER not in looking.get(LESSON).content.decode()
    assert looking.post("/en/view-as/leave/")["Location"] == "/en/"


@pytest.mark.parametrize("why", ["time", "teaches", "left", "gone"])
def test_it_ends_when_its_reason_does(ada, ines, looking, why):
    if why == "time":
        session = looking.session
        session[KEY] = {**session[KEY], "since": (timezone.now() - timedelta(minutes=31)).timestamp()}
        session.save()
    elif why == "teaches":
        ines.enrollments.update(role=Role.STUDENT)
    elif why == "left":
        ada.enrollments.update(role=Role.FORMER)
    else:
        ada.delete()
    assert BANNER not in looking.get("/en/courses/spring/").content.decode()
    assert KEY not in looking.session


def test_only_who_teaches_the_course_may_look_and_only_at_students(course, ada, ben, ines, otto, member, as_user):
    helper = UserFactory(username="helper")
    EnrollmentFactory(user=helper, course=course, role=Role.ASSISTANT)
    for user in (ada, ben, otto, helper):
        assert as_user(user).post(f"/en/courses/spring/students/{member(ada)}/view-as/").status_code == 404
    assert as_user(ines).post(f"/en/courses/spring/students/{member(helper)}/view-as/").status_code == 404
    assert not AuditEntry.objects.exists()


def test_the_button_is_there_for_who_may_press_it(course, ada, ines, member, as_user):
    helper = UserFactory(username="helper")
    EnrollmentFactory(user=helper, course=course, role=Role.ASSISTANT)
    address = f"/en/courses/spring/students/{member(ada)}/"
    assert b"See the course as this student" in as_user(ines).get(address).content
    assert b"See the course as this student" not in as_user(helper).get(address).content
