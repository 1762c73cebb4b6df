"""What deleting an account erases, and what it leaves without a name."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from django.apps import apps
from django.core import serializers
from django.db import connection

from exercises.enums import Act, Role
from exercises.models import AuditEntry, Draft, Enrollment, Label, Mark, SelfMark, StudentNote, Submission, User
from exercises.services.account_delete import StillNeededError, account_delete
from exercises.services.audit_record import note
from exercises.services.consent_give import consent_give
from exercises.services.grade_decide import exemption_set, extension_grant, grade_override
from exercises.services.grade_import import grade_import, grade_import_plan
from exercises.services.mark_by_instructor import mark_by_instructor
from exercises.services.note_write import note_write
from exercises.services.roster_import import roster_import, roster_import_plan
from exercises.services.submission_create import submission_create
from tests.exercises.grading import DAY, DUE, assigned
from tests.exercises.responses import right_numbers
from tests.factories import EnrollmentFactory, UserFactory

SECRET = "a-sentence-that-only-ada-wrote"


def everything_stored() -> str:
    """The whole database as text, but the trail of what instructors did."""
    rows = [row for model in apps.get_models() for row in model._default_manager.all()]
    return serializers.serialize("json", rows)


def test_no_word_of_the_person_is_left_anywhere(ada, attempt):
    ada.email, ada.first_name = "ada@example.org", "Augusta"
    ada.save()
    consent_give(user=ada)
    mine, words = attempt(ada, "by-hand"), attempt(ada, "in-words")
    submission_create(attempt=mine, raw_response=right_numbers(mine))
    answer = submission_create(attempt=words, raw_response={"text": SECRET}).submission
    SelfMark.objects.create(submission=answer, criteria=[])
    StudentNote.objects.create(enrollment=answer.attempt.enrollment, text=SECRET)
    answer.attempt.enrollment.labels.add(Label.objects.create(course=answer.attempt.enrollment.course, name="Class 1"))
    Draft.objects.create(attempt=words, fields=[["text", SECRET]])
    Mark.objects.update(comment=SECRET)
    account_delete(user=ada)
    left = everything_stored()
    assert Enrollment.labels.through.objects.count() == 0
    assert [word for word in ("ada@example.org", "Augusta", '"ada"', '"Ada"', SECRET) if word in left] == []


def raw_texts() -> str:
    """Every column of every table there is, as the database keeps it: whoever adds one adds it here as well."""
    with connection.cursor() as cursor:
        names = connection.introspection.table_names(cursor)
        rows = []
        for name in names:
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(name)}")
            rows += cursor.fetchall()
    return "\n".join(str(value) for row in rows for value in row)


PERSON = ("ada-2027001", "林小艾", "lin@example.org")
NEEDLES = {each for word in (*PERSON, SECRET) for each in (word, json.dumps(word)[1:-1])}


def deal_with(student: Enrollment, teacher: Enrollment) -> None:
    """All that an instructor decides and writes about a student, with the name in every place that takes words."""
    number, name, _mail = PERSON
    roster = f"学号,姓名,班级\n{number},{name},一班\n".encode()
    roster_import(instructor=teacher, members=roster_import_plan(instructor=teacher, content=roster).members)
    changes = grade_import_plan(instructor=teacher, content=f"学号,first\n{number},1\n".encode()).changes
    grade_import(instructor=teacher, changes=changes, reason=f"{name}的补录")
    decided = {"instructor": teacher, "slug": "first", "reason": f"给{name}"}
    extension_grant(**decided, to=student, due_at=DUE + DAY)
    grade_override(**decided, student=student, score=Decimal(2))
    exemption_set(**decided, student=student, is_exempt=True)
    note_write(author=teacher.user, student=student, text=f"{name} was ill.")


def test_no_table_names_a_student_whom_instructors_dealt_with(ada, ines, course, attempt, client, enrollment_of):
    ada.username, ada.display_name, ada.email = PERSON
    ada.save()
    sent = submission_create(attempt=attempt(ada, "in-words"), raw_response={"text": SECRET}).submission
    assigned(course, due_at=DUE)
    deal_with(enrollment_of(ada), enrollment_of(ines))
    mark_by_instructor(instructor=ines, submission=sent, score=Decimal(1), comment=f"Well seen, {PERSON[1]}.")
    client.force_login(ines)
    client.post(f"/en/courses/spring/students/{enrollment_of(ada).pk}/view-as/")
    client.post("/en/view-as/leave/")
    for page in ("overview", "progress", "gradebook", "misconceptions", "analysis"):
        assert client.get(f"/en/courses/spring/{page}/").status_code == 200
    client.force_login(ada)
    assert {needle for needle in NEEDLES if needle in raw_texts()} >= {PERSON[0], SECRET}

    account_delete(user=ada)

    left = raw_texts()
    assert {needle for needle in NEEDLES if needle in left} == set()
    assert AuditEntry.objects.filter(act=Act.OVERRIDE_GRADE).exists()


def test_names_within_other_words_stay_in_the_log(ada, ines, course):
    detail = {"student": "ada", "reason": "Ada moved to Canada with Adamina", "changes": [["ADA", 1, None]]}
    entry = note(actor=ines, course=course, act=Act.WRITE_NOTE, subject=course, detail=detail)
    account_delete(user=ada)
    entry.refresh_from_db()
    assert entry.detail == {"student": "—", "reason": "— moved to Canada with Adamina", "changes": [["—", 1, None]]}


def test_verdicts_and_points_stay_without_a_name(ada, attempt):
    mine = attempt(ada, "by-hand")
    submission_create(attempt=mine, raw_response=right_numbers(mine))
    account_delete(user=ada)
    left = User.objects.get(pk=ada.pk)
    assert (left.is_active, left.has_usable_password(), left.username[:8]) == (False, False, "deleted-")
    assert Enrollment.objects.get(user=left).role == Role.FORMER
    assert Mark.objects.get().score == 2
    assert Submission.objects.get().raw_response == {}


def test_whoever_did_nothing_is_gone_altogether(ada):
    account_delete(user=ada)
    assert not User.objects.filter(pk=ada.pk).exists()


def test_the_only_instructor_of_a_course_hands_it_over_first(ines, course):
    with pytest.raises(StillNeededError):
        account_delete(user=ines)
    EnrollmentFactory(course=course, user=UserFactory(), role=Role.INSTRUCTOR)
    account_delete(user=ines)
    assert not User.objects.filter(username="ines").exists()


def test_marks_that_an_instructor_gave_stay(ines, ada, course, attempt):
    mine = attempt(ada, "by-hand")
    submission_create(attempt=mine, raw_response=right_numbers(mine))
    Mark.objects.update(marker=ines)
    EnrollmentFactory(course=course, user=UserFactory(), role=Role.INSTRUCTOR)
    account_delete(user=ines)
    assert json.loads(serializers.serialize("json", Mark.objects.all()))[0]["fields"]["marker"] is None
