"""Zero findings of axe on every page of those who teach: the walker of the addresses finds them, so that none is forgotten."""

from __future__ import annotations

import re

import pytest

from exercises.enums import QuestionKind, RegradeAction
from exercises.models import ClassRound, Course, Enrollment, Item, Label, Question, StudentNote, Submission, User
from exercises.queries.repertoires import repertoires
from exercises.services.assignment_set import AssignmentSettings, assignment_set
from exercises.services.attempt_start import attempt_start
from exercises.services.cohort_create import cohort_create
from exercises.services.item_void import item_void
from exercises.services.mark_by_instructor import mark_by_instructor
from exercises.services.regrade_decide import regrade_begin
from exercises.services.submission_create import submission_create
from tests.e2e.conftest import OpenReader
from tests.e2e.test_accessibility import assert_sound
from tests.exercises.grading import DUE
from tests.exercises.web.test_every_address import ADDRESSES, Address, Door
from tests.factories import EnrollmentFactory

two_looks = pytest.mark.parametrize(("language", "theme", "width"), [("zh-hans", "light", 1280), ("en", "dark", 320)])
KNOWN = {"pj-q", "sm-axis", "nv-score", "qc-1", "cd-project"}
# An item of another kind than the one that the others are asked for with.
ITEM_OF = {"quick_check": "qc-1", "similar": "cd-project"}
# Pages that only whoever a page belongs to, or a course that is over, has; a file that no answer here asks for.
NOT_HERE = {"misconception_draft", "quick_check_draft"}


@pytest.fixture
def desk(ines: User, broker_away: None) -> dict[str, str]:
    """A course in which every page of the desk has something on it, and what stands in the addresses."""
    curriculum = Course.objects.get(slug="spring").curriculum
    known = [each for each in repertoires(curriculum, []) if each.item.slug in KNOWN]
    course = cohort_create(curriculum=curriculum, slug="simulated", count=12, repertoires=known, seed=3)
    teacher = EnrollmentFactory(course=course, user=ines, role="instructor")
    item = Item.objects.get(curriculum=curriculum, slug="pj-q")
    assignment_set(instructor=teacher, slug="qkv", settings=AssignmentSettings(due_at=DUE))
    item_void(
        instructor=ines, course=course, item=Item.objects.get(curriculum=curriculum, slug="sm-axis"), reason="Dull."
    )
    members = list(Enrollment.objects.filter(course=course, role="student").order_by("pk"))
    text = Item.objects.get(curriculum=curriculum, slug="qc-1")
    for member in members[:3]:
        attempt = attempt_start(enrollment=member, item=text)
        said = submission_create(
            attempt=attempt, raw_response={"text": f"A query asks, and {member} answers."}
        ).submission
    mark_by_instructor(instructor=ines, submission=said, score=said.attempt.item.max_score, comment="Well said.")
    sent = Submission.objects.filter(attempt__enrollment__course=course, attempt__item=item).earliest("pk")
    StudentNote.objects.create(enrollment=sent.attempt.enrollment, author=ines, text="Ask about shapes.")
    Label.objects.create(course=course, name="Group A").enrollments.add(sent.attempt.enrollment)
    question = Question.objects.create(attempt=sent.attempt, kind=QuestionKind.QUESTION, text="Which row?")
    ClassRound.objects.create(course=course, item=item)
    regrade = regrade_begin(
        instructor=ines, course=course, item=item, action=RegradeAction.AWARD, reason="It was ambiguous."
    )
    return {
        "course_slug": "simulated",
        "item_slug": "pj-q",
        "assignment_slug": "qkv",
        "member_id": str(sent.attempt.enrollment.pk),
        "submission_id": str(sent.public_id),
        "question_id": str(question.public_id),
        "regrade_id": str(regrade.public_id),
        **dict.fromkeys(("code_id", "extension_id", "layout_id"), "1"),
        "key": "made-up",
    }


def filled(address: Address, values: dict[str, str], language: str) -> str:
    known = values | {"item_slug": ITEM_OF.get(address.name, values["item_slug"])}
    path = re.sub(r"<(?:\w+:)?(\w+)>", lambda place: known[place[1]], address.route)
    return "/" + re.sub(r"^en/", f"{language}/", path)


@two_looks
def test_every_page_of_those_who_teach_is_sound(
    language: str, theme: str, width: int, desk: dict[str, str], ines: User, reader: OpenReader
) -> None:
    window = reader(ines, width=width, theme=theme)
    pages = [each for each in ADDRESSES if each.door in {Door.STAFF, Door.INSTRUCTOR, Door.AUTHOR}]
    seen, missing = set(), set()
    for each in pages:
        path = filled(each, desk, language)
        if path.startswith("/api/"):
            continue
        answer = window.page.request.get(f"{window.address}{path}")
        if answer.status == 404:
            missing.add(each.name)
        if answer.status == 200 and "<html" in answer.text():  # no file, and no part of a page
            assert_sound(window.open(path))
            seen.add(each.name)
    assert missing <= NOT_HERE
    assert len(seen) >= 32, sorted(seen)
