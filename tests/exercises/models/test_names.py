from __future__ import annotations

import pytest

from exercises.models import Item, ItemVersion, Lesson, LessonVersion
from tests.factories import ApiTokenFactory, MarkFactory, SubmissionFactory


def test_rows_name_themselves(ada, course, curriculum, enrollment_of, attempt, item):
    mine = attempt(ada, "program")
    submission = SubmissionFactory(attempt=mine)
    rows = [curriculum, course, ada, enrollment_of(ada), item("program"), item("program").version, mine, submission]
    assert [str(row) for row in rows] == [
        "tiny",
        "spring",
        "Ada",
        "Ada @ spring",
        "program",
        "program v1",
        "program #1 (Ada @ spring)",
        str(submission.public_id),
    ]
    assert str(Lesson.objects.get(slug="first").version) == "first v1"
    assert str(MarkFactory(submission=submission)) == "0/3 incorrect"
    assert str(ApiTokenFactory(user=ada, name="gradebook")) == "gradebook (token-…)"


def test_somebody_without_a_display_name_is_called_by_the_user_name(ada):
    ada.display_name = ""
    assert str(ada) == "ada"


def test_what_was_never_loaded_has_no_version(db):
    with pytest.raises(ItemVersion.DoesNotExist):
        _ = Item(slug="x").version
    with pytest.raises(LessonVersion.DoesNotExist):
        _ = Lesson(slug="x").version


def test_what_is_no_job_has_no_ticket(ada, attempt):
    submission = SubmissionFactory(attempt=attempt(ada, "program"))
    assert submission.job_ticket == submission.ticket
    submission.ticket = None
    with pytest.raises(ValueError, match="no job"):
        _ = submission.job_ticket
