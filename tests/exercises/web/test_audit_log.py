"""The page of what instructors did."""

from __future__ import annotations

import pytest

from exercises.enums import Act, Role
from exercises.models import AuditEntry
from exercises.queries.audit_log import ENTRIES_PER_PAGE
from exercises.services.audit_record import note
from tests.factories import CourseFactory, EnrollmentFactory

LOG = "/en/courses/spring/log/"


def test_the_log_is_the_instructors_alone(ada, ines, otto, course, as_user):
    assistant = EnrollmentFactory(course=course, role=Role.ASSISTANT).user

    assert [as_user(user).get(LOG).status_code for user in (ada, ines, otto, assistant)] == [404, 200, 404, 404]


def test_the_log_says_who_did_what_to_what(ines, course, as_user):
    note(actor=ines, course=course, act=Act.CHANGE_COURSE, subject=course, detail={"time_zone": ["", "Asia/Shanghai"]})

    page = " ".join(as_user(ines).get(LOG).content.decode().split())

    assert "Changed the settings of the course" in page
    assert f"course:{course.pk}" in page
    assert "time_zone: —, Asia/Shanghai" in page


def test_another_course_and_what_is_html_do_not_come_through(ines, course, as_user):
    note(actor=ines, course=CourseFactory(slug="autumn", curriculum=course.curriculum), act=Act.MARK, subject=course)
    note(actor=ines, course=course, act=Act.CHANGE_COURSE, subject=course, detail={"<i>": "<b>bold</b>"})

    page = as_user(ines).get(LOG).content.decode()

    assert "Marked an answer" not in page
    assert "&lt;b&gt;bold" in page
    assert "<b>bold" not in page


def test_the_log_can_be_narrowed(ines, course, as_user):
    other = EnrollmentFactory(course=course, role=Role.INSTRUCTOR).user
    note(actor=ines, course=course, act=Act.MARK, subject=course)
    note(actor=other, course=course, act=Act.RELEASE, subject=course)

    def acts(**chosen):
        return [entry.act for entry in as_user(ines).get(LOG, chosen).context["page"].entries]

    assert acts(actor=other.pk) == ["Released marks and solutions"]
    assert acts(act="submission.mark") == ["Marked an answer"]
    assert len(acts(actor="x", act="no.such")) == 2


@pytest.mark.parametrize(
    ("page", "count"), [("", ENTRIES_PER_PAGE), ("2", 3), ("3", 0), ("-1", ENTRIES_PER_PAGE), ("²", 50)]
)
def test_a_long_log_comes_in_pages(page, count, ines, course, as_user, django_assert_max_num_queries):
    entry = {"actor": ines, "course": course, "act": Act.MARK, "subject": "submission:1"}
    AuditEntry.objects.bulk_create(AuditEntry(**entry) for _ in range(ENTRIES_PER_PAGE + 3))
    teacher = as_user(ines)

    with django_assert_max_num_queries(9):
        assert len(teacher.get(LOG, {"page": page}).context["page"].entries) == count


def test_an_act_of_a_deleted_account_stays(ines, course, as_user):
    gone = EnrollmentFactory(course=course, role=Role.INSTRUCTOR).user
    note(actor=gone, course=course, act=Act.MARK, subject=course)
    gone.delete()

    assert "deleted account" in as_user(ines).get(LOG).content.decode()
