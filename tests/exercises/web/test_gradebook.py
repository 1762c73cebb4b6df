"""The gradebook: the class's book, what is decided about a grade, settings, sheets, and the student's own page."""

from __future__ import annotations

import re
import time
from datetime import timedelta
from decimal import Decimal
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from exercises.enums import Act, Role
from exercises.models import (
    Assignment,
    AuditEntry,
    Course,
    Enrollment,
    Extension,
    GradeLayout,
    Label,
    Override,
    Snapshot,
)
from exercises.queries.grade_page import own_grades
from exercises.services.assignment_set import NOTHING_TO_SET
from exercises.services.csv_table import read_table
from exercises.services.item_void import item_void
from exercises.services.snapshot_refresh import CHEAP_MS, Figures, snapshot_refresh
from exercises.services.submission_create import submission_create
from tests.exercises.grading import DAY, DUE, assigned
from tests.exercises.responses import half_right_numbers, right_numbers
from tests.factories import EnrollmentFactory, UserFactory

BOOK = "/en/courses/spring/gradebook/"


def words(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def page(browser, address: str) -> str:
    answer = browser.get(address)
    assert answer.status_code == 200, address
    return words(answer.content.decode())


@pytest.fixture
def adas(ada, attempt):
    mine = attempt(ada, "by-hand")
    submission_create(attempt=mine, raw_response=half_right_numbers(mine))
    return Enrollment.objects.get(user=ada)


def place(student: Enrollment, slug: str = "first") -> str:
    return f"{BOOK}{student.pk}/{slug}/"


def test_the_book_shows_points_words_and_total_of_students_alone(adas, ben, ines, otto, as_user):
    said = page(as_user(ines), BOOK)
    assert "Ada ada 11.11 % 1 Ada In part — Ada Nothing sent" in said
    assert "Ben ben 0 % — Ben Nothing sent — Ben Nothing sent" in said
    assert "Mean of those who have a grade 1 —" in said
    assert "Ines ines" not in said


def test_the_book_is_filtered_by_label_and_sorted(adas, ben, ines, course, as_user):
    Enrollment.objects.get(user=ben).labels.add(Label.objects.create(course=course, name="Group 2"))
    browser = as_user(ines)
    assert "ada" not in page(browser, f"{BOOK}?label=Group+2").split("Mean")[0].split("Student Total")[1]
    names = [
        re.findall(r"(Ada ada|Ben ben)", page(browser, f"{BOOK}?sort={sort}")) for sort in ("-total", "total", "first")
    ]
    assert names == [["Ada ada", "Ben ben"], ["Ben ben", "Ada ada"], ["Ada ada", "Ben ben"]]


@pytest.mark.parametrize("count", [1, 3])
def test_the_book_takes_the_same_queries_for_any_class(
    clock, course, ines, attempt, as_user, django_assert_num_queries, count
):
    assigned(course, due_at=DUE, late_steps=[10])
    for _ in range(count):
        user = EnrollmentFactory(course=course, role=Role.STUDENT).user
        mine = attempt(user, "by-hand")
        submission_create(attempt=mine, raw_response=right_numbers(mine))
    browser = as_user(ines)
    browser.get(BOOK)
    with django_assert_num_queries(26):
        browser.get(BOOK)


def test_in_a_large_class_order_and_means_may_be_older_but_no_grade_is(adas, ben, ines, course, as_user, attempt):
    browser = as_user(ines)
    assert "Order and means" not in page(browser, BOOK)
    Snapshot.objects.update(cost_ms=CHEAP_MS + 1, made_at=timezone.now() - timedelta(minutes=5))
    his = attempt(ben, "by-hand")
    submission_create(attempt=his, raw_response=right_numbers(his))
    said = page(browser, f"{BOOK}?sort=-total")
    assert "Order and means are as of" in said
    assert re.findall(r"(Ada ada|Ben ben)", said) == ["Ada ada", "Ben ben"]
    assert "Ben ben 22.22 % 2 Ben In part" in said
    assert "Mean of those who have a grade 1 —" in said
    snapshot_refresh(course=course, name=Figures.GRADES)
    said = page(browser, f"{BOOK}?sort=-total")
    assert re.findall(r"(Ada ada|Ben ben)", said) == ["Ben ben", "Ada ada"]
    assert "Mean of those who have a grade 1.5 —" in said


def test_a_grade_is_overridden_with_a_reason_and_given_back_and_both_stay(adas, ines, as_user):
    browser, here = as_user(ines), place(adas)
    refused = browser.post(here, {"act": "override", "score": "6.5", "reason": "Oral exam"})
    assert (refused.status_code, "between 0 and 6" in words(refused.content.decode())) == (422, True)
    assert browser.post(here, {"act": "override", "score": "5.5", "reason": ""}).status_code == 422
    assert browser.post(here, {"act": "override", "score": "5.5", "reason": "Oral exam"}).status_code == 302
    said = page(browser, here)
    assert "5.5 / 6 By hand Computed: 1." in said
    browser.post(here, {"act": "withdraw", "reason": "A mistake"})
    assert "1 / 6 In part" in page(browser, here)
    assert list(Override.objects.order_by("pk").values_list("score", "reason", "given_by__username")) == [
        (Decimal("5.5"), "Oral exam", "ines"),
        (None, "A mistake", "ines"),
    ]
    assert list(AuditEntry.objects.order_by("pk").values_list("act", flat=True)) == [Act.OVERRIDE_GRADE] * 2


def test_an_exempt_assignment_enters_no_total_until_it_counts_again(adas, ines, as_user):
    browser, here = as_user(ines), place(adas)
    browser.post(here, {"act": "exempt", "reason": "Ill"})
    (line,) = own_grades(adas).students
    assert (line.score, line.max_score, line.total) == (0, 3, 0)
    assert "— / 6 Exempt" in page(browser, here)
    browser.post(here, {"act": "count_again", "reason": "Well again"})
    (line,) = own_grades(adas).students
    assert (line.score, line.max_score) == (1, 9)


def test_settings_are_kept_in_the_time_of_the_course_and_refused_with_a_reason(clock, course, ines, as_user):
    browser, here = as_user(ines), f"{BOOK}assignments/first/"
    given = {
        "due_at": "2027-03-10T23:59",
        "late_steps": "10, 20",
        "late_unit": "day",
        "late_floor": "30",
        "weight": "2.5",
        "tries": "3",
        "penalties": "0 25",
        "counts": "last",
        "feedback": "due",
        "solution": "by_hand",
    }
    assert browser.post(here, given).status_code == 302
    row = Assignment.objects.get()
    assert (row.slug, row.due_at, row.late_steps, row.late_floor) == ("first", DUE, [10, 20], 30)
    assert (row.weight, row.tries, row.penalties, row.counts) == (Decimal("2.5"), 3, [0, 25], "last")
    assert (row.feedback, row.solution) == ("due", "by_hand")
    html = browser.get(here).content.decode()
    assert 'value="2027-03-10T23:59"' in html
    assert 'value="10, 20"' in html
    before = AuditEntry.objects.count()
    browser.post(here, given)
    assert AuditEntry.objects.count() == before
    for wrong, said in [
        ({"due_at": ""}, "need a due date"),
        ({"opens_at": "2027-03-11T00:00"}, "must open before"),
        ({"closes_at": "2027-03-10T00:00"}, "cannot close before"),
        ({"late_steps": "ten"}, "Whole percentages"),
        ({"late_steps": "101"}, "from 0 to 100"),
        ({"penalties": "20, 10"}, "cost less"),
        ({"feedback": "closed"}, "needs a time of closing"),
    ]:
        refused = browser.post(here, {**given, **wrong})
        assert (refused.status_code, said in words(refused.content.decode())) == (422, True), said


def test_more_time_for_a_label_is_given_and_taken_back(clock, course, ines, ada, as_user):
    label = Label.objects.create(course=course, name="Resit")
    Enrollment.objects.get(user=ada).labels.add(label)
    assigned(course, due_at=DUE)
    browser = as_user(ines)
    browser.post(
        f"{BOOK}assignments/first/extensions/",
        {"label": label.pk, "due_at": "2027-03-12T12:00", "reason": "Resit"},
    )
    extension = Extension.objects.get()
    assert "Resit" in page(browser, f"{BOOK}assignments/first/")
    browser.post(f"{BOOK}extensions/{extension.pk}/remove/")
    assert not Extension.objects.exists()
    assert list(AuditEntry.objects.order_by("pk").values_list("act", flat=True)) == [
        Act.GRANT_EXTENSION,
        Act.DROP_EXTENSION,
    ]


def test_items_are_taken_out_of_their_lesson_and_given_back(course, ines, adas, as_user):
    browser = as_user(ines)
    told = {"title_zh": "期中", "title_en": "Midterm", "items": ["by-hand"]}
    assert browser.post(f"{BOOK}new-assignment/", told)["Location"] == f"{BOOK}assignments/midterm/"
    (line,) = own_grades(adas).students
    assert [(each.slug, each.score, each.max_score) for each in line.assignments] == [
        ("first", None, 4),
        ("second", None, 3),
        ("midterm", 1, 2),
    ]
    assert browser.post(f"{BOOK}new-assignment/", told).status_code == 422
    browser.post(f"{BOOK}assignments/midterm/act/", {"act": "dissolve"})
    (line,) = own_grades(adas).students
    assert [each.slug for each in line.assignments] == ["first", "second"]


def test_dissolving_tells_what_was_decided_and_waits_for_a_word_before_it_goes(clock, course, ines, adas, as_user):
    browser = as_user(ines)
    told = {"title_zh": "期中", "title_en": "Midterm", "items": ["by-hand"]}
    browser.post(f"{BOOK}new-assignment/", told)
    row = course.assignments.get(slug="midterm")
    row.due_at = DUE
    row.save()
    label = Label.objects.create(course=course, name="Resit")
    Extension.objects.create(assignment=row, label=label, due_at=DUE + DAY, reason="Ill")
    Extension.objects.create(assignment=row, enrollment=adas, due_at=DUE + DAY, reason="Away")
    here = f"{BOOK}assignments/midterm/"
    assert "more time (2), points by hand (0), exemptions (0)" in words(page(browser, here))

    refused = browser.post(f"{here}act/", {"act": "dissolve"}, follow=True).content.decode()
    assert ("Confirm first that they go as well." in refused, Extension.objects.count()) == (True, 2)

    browser.post(f"{here}act/", {"act": "dissolve", "agreed": "yes"})
    assert (course.assignments.exists(), Extension.objects.count()) == (False, 0)
    kept = AuditEntry.objects.get(act=Act.DROP_ASSIGNMENT).detail["extensions"]
    assert [(each[0], each[2]) for each in kept] == [("Resit", "Ill"), ("ada", "Away")]


def test_marks_are_released_by_hand_and_the_release_is_taken_back(course, ines, adas, as_user):
    assigned(course, feedback="by_hand")
    browser, here = as_user(ines), f"{BOOK}assignments/first/act/"
    (line,) = own_grades(adas).students
    assert (line.assignments[0].state, line.assignments[0].score) == ("withheld", None)
    browser.post(here, {"act": "release"})
    assert own_grades(adas).students[0].assignments[0].score == 1
    browser.post(here, {"act": "withhold"})
    assert own_grades(adas).students[0].assignments[0].score is None


@pytest.mark.parametrize(
    ("layout", "heading"),
    [
        ("plain", ["Student number", "Name", "Labels", "First (first)", "Second (second)", "Total (%)"]),
        ("registry", ["学号", "姓名", "班级", "总评成绩"]),
        (
            "moodle",
            ["Username", "ID number", "Full name", "First (first)", "Second (second)", "Course total (Percentage)"],
        ),
        ("canvas", ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "First (first)", "Second (second)"]),
    ],
)
def test_sheets_have_the_headings_that_others_read(adas, ines, as_user, layout, heading):
    answer = as_user(ines).get(f"{BOOK}sheet/?layout={layout}")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    rows = [row for _, row in read_table(answer.content)]
    titles = {"First (first)": rows[0][3], "Second (second)": rows[0][4]} if layout != "registry" else {}
    assert len(rows[0]) == len(heading)
    assert [name for name in heading if name not in titles] == [
        name for name, wanted in zip(rows[0], heading, strict=True) if wanted not in titles
    ]
    assert "ada" in rows[-1] or "ada" in rows[1]
    assert AuditEntry.objects.get().act == Act.EXPORT_GRADES


def test_a_sheet_of_ones_own_columns(adas, ines, course, as_user):
    browser = as_user(ines)
    browser.post(
        f"{BOOK}layouts/", {"name": "教务处", "columns": "学号 = number\n成绩 = work:first\n百分 = share:first"}
    )
    layout = GradeLayout.objects.get()
    content = browser.get(f"{BOOK}sheet/?layout={layout.pk}").content
    assert [row for _, row in read_table(content)] == [["学号", "成绩", "百分"], ["ada", "1", "17"]]
    refused = browser.post(f"{BOOK}layouts/", {"name": "x", "columns": "学号 = number\nx = nothing"})
    assert (refused.status_code, "Line 2" in words(refused.content.decode())) == (422, True)
    browser.post(f"{BOOK}layouts/{layout.pk}/remove/")
    assert not GradeLayout.objects.exists()


def test_a_sheet_is_taken_in_after_a_look_and_a_second_time_changes_nothing(adas, ben, ines, as_user):
    browser = as_user(ines)
    sheet = browser.get(f"{BOOK}sheet/").content
    seen = browser.post(f"{BOOK}sheets/", {"sheet": SimpleUploadedFile("grades.csv", sheet)}).content.decode()
    assert "0 grades would change. 1 is the same." in words(seen)
    content = "学号,first\nada,5\nben,2.5\nben,3\nnobody,1\nBEN,x\nada,9\n".encode("gb18030")
    seen = browser.post(f"{BOOK}sheets/", {"sheet": SimpleUploadedFile("grades.csv", content)}).content.decode()
    said = words(seen)
    assert "2 grades would change." in said
    assert "Row 4: The number “ben” came before." in said
    assert "Row 5: Nobody in this course has the number “nobody”." in said
    assert not Override.objects.exists()
    plan = re.search(r'name="plan" value="([^"]+)"', seen)[1]
    browser.post(f"{BOOK}sheets/apply/", {"plan": plan})
    assert sorted(Override.objects.values_list("enrollment__user__username", "score", "reason")) == [
        ("ada", Decimal(5), "Taken in from grades.csv"),
        ("ben", Decimal("2.5"), "Taken in from grades.csv"),
    ]
    browser.post(f"{BOOK}sheets/apply/", {"plan": plan})
    assert Override.objects.count() == 2
    browser.post(f"{BOOK}sheets/apply/", {"plan": "forged"})
    assert Override.objects.count() == 2


def test_a_file_that_is_no_sheet_is_refused_with_a_reason(adas, ines, as_user):
    browser = as_user(ines)
    for content, said in [
        (b"a,b\n1,2\n", "no column of student numbers"),
        (b"number\nada\n", "No column names"),
        (b"\0", "encoding"),
    ]:
        refused = browser.post(f"{BOOK}sheets/", {"sheet": SimpleUploadedFile("x.csv", content)})
        assert (refused.status_code, said in words(refused.content.decode())) == (422, True)


def test_a_heading_without_end_takes_no_time(adas, ines, as_user):
    sheet = f"Student number,a{' ' * 120_000}b\nada,1\n".encode()
    begun = time.process_time()
    answer = as_user(ines).post(f"{BOOK}sheets/", {"sheet": SimpleUploadedFile("x.csv", sheet)})
    assert (answer.status_code, time.process_time() - begun < 5) == (422, True)


def test_the_own_page_shows_dates_and_what_lateness_costs(clock, course, adas, ada, as_user):
    row = assigned(course, due_at=DUE, late_steps=[10, 20], closes_at=DUE + DAY)
    Extension.objects.create(assignment=row, enrollment=adas, due_at=DUE + DAY, reason="r")
    said = page(as_user(ada), "/en/courses/spring/grades/")
    assert "11.11 % of all" in said
    assert "1 / 6" in said
    assert "23:59 (Asia/Shanghai, UTC+8)" in said
    assert "You have been given more time." in said
    assert "day by day: 10 %, 20 %" in said


def test_a_copy_takes_settings_staff_and_dates_along_and_leaves_the_old_course_read_only(
    clock, course, adas, ada, ines, as_user, attempt
):
    assigned(course, due_at=DUE, late_steps=[10], feedback="by_hand", released_at=DUE)
    browser = as_user(ines)
    told = {"slug": "next-spring", "title_zh": "春季二班", "title_en": "Next spring", "days": "364"}
    assert browser.post("/en/courses/spring/copy/", told).status_code == 302
    new = Course.objects.get(slug="next-spring")
    row = Assignment.objects.get(course=new)
    assert (row.due_at, row.late_steps, row.feedback, row.released_at) == (DUE + 364 * DAY, [10], "by_hand", None)
    assert list(Enrollment.objects.filter(course=new).values_list("user__username", "role")) == [("ines", "instructor")]
    assert not new.enrollments.filter(attempts__isnull=False).exists()
    assert page(browser, BOOK).count("can only be read") or "This course is over" in page(browser, BOOK)
    for address, form in [
        (f"{BOOK}assignments/first/", {}),
        (place(adas), {"act": "exempt", "reason": "r"}),
        ("/en/courses/spring/copy/", told),
        ("/en/courses/spring/people/codes/", {"days": 7, "most_uses": 5}),
        ("/en/courses/spring/settings/", {}),
    ]:
        assert browser.post(address, form).status_code == 403, address
    mine = adas.attempts.get()
    learner = as_user(ada)
    for act in ("submit", "hint", "solution", "draft"):
        assert learner.post(f"/en/courses/spring/items/by-hand/{mine.public_id}/{act}/", {}).status_code == 403, act
    assert learner.get("/en/courses/spring/lessons/first/").status_code == 200
    assert learner.get("/en/courses/spring/items/by-hand/").status_code == 200
    browser.post("/en/courses/spring/reopen/")
    assert browser.post(place(adas), {"act": "exempt", "reason": "r"}).status_code == 302


@pytest.mark.parametrize("wrong", [{"slug": "spring"}, {"slug": "Big Letters"}, {"days": "9999"}, {"title_en": ""}])
def test_a_copy_that_cannot_be_is_refused(course, ines, as_user, wrong):
    told = {"slug": "next", "title_zh": "新", "title_en": "New", "days": "0", **wrong}
    assert as_user(ines).post("/en/courses/spring/copy/", told).status_code == 422
    assert Course.objects.count() == 1


PAGES = ["", "assignments/", "assignments/first/", "new-assignment/", "sheet/", "sheets/", "{ada}/first/"]


@pytest.mark.parametrize("address", PAGES)
def test_learners_outsiders_and_strangers_find_nothing(adas, ada, otto, client, as_user, address):
    here = f"{BOOK}{address}".replace("{ada}", str(adas.pk))
    assert as_user(ada).get(here).status_code == 404
    assert as_user(otto).get(here).status_code == 404
    assert client.get(here).status_code == 302


def test_an_assistant_reads_the_book_and_changes_nothing(adas, course, as_user):
    helper = UserFactory(username="helper")
    EnrollmentFactory(user=helper, course=course, role=Role.ASSISTANT)
    browser = as_user(helper)
    assert "In part" in page(browser, BOOK)
    assert browser.get(f"{BOOK}assignments/").status_code == 200
    for address in (f"{BOOK}assignments/first/", f"{BOOK}sheets/", place(adas), "/en/courses/spring/copy/"):
        assert browser.get(address).status_code == 404


def test_more_time_is_seen_given_and_taken_back_on_the_students_page(clock, course, ines, adas, as_user):
    row = assigned(course, due_at=DUE)
    label = Label.objects.create(course=course, name="Resit")
    adas.labels.add(label)
    Extension.objects.create(assignment=row, label=label, due_at=DUE + DAY, reason="Resits")
    browser, here = as_user(ines), f"/en/courses/spring/students/{adas.pk}/"
    assert "March 11, 2027 23:59" in page(browser, here)

    told = {"assignment": "first", "due_at": "2027-03-13T23:59", "reason": "Ill"}
    assert browser.post(f"{here}extension/", told)["Location"] == f"{here}#more-time"
    assert "March 13, 2027 23:59" in page(browser, here)
    given = Extension.objects.get(enrollment=adas)
    assert (given.due_at, given.reason, given.granted_by) == (DUE + 3 * DAY, "Ill", ines)

    refused = browser.post(f"{here}extension/", {**told, "due_at": "2027-03-01T00:00"})
    assert (refused.status_code, "More time means a later date" in refused.content.decode()) == (422, True)
    assert browser.post(f"{here}extension/", {**told, "assignment": "second"}).status_code == 422

    browser.post(f"{BOOK}extensions/{given.pk}/remove/")
    assert "March 13" not in page(browser, here)


def test_assistant_sees_more_time_and_gives_none(clock, course, adas, as_user):
    assigned(course, due_at=DUE)
    helper = EnrollmentFactory(course=course, role=Role.ASSISTANT).user
    browser, here = as_user(helper), f"/en/courses/spring/students/{adas.pk}/"
    assert "Give more time" not in page(browser, here)
    told = {"assignment": "first", "due_at": "2027-03-13T23:59", "reason": "Ill"}
    assert (browser.post(f"{here}extension/", told).status_code, Extension.objects.count()) == (404, 0)


def test_exercises_that_do_not_count_have_no_dates_of_their_own_to_set(course, ines, item, as_user):
    item_void(instructor=ines, course=course, item=item("pick"), reason="Ambiguous.")
    browser, address = as_user(ines), "/en/courses/spring/gradebook/assignments/void/"
    page = browser.get(address).content.decode()
    assert "These exercises do not count" in page
    assert item("pick").title["en"] in page
    assert 'name="due_at' not in page
    answer = browser.post(
        address, {"late_unit": "day", "late_floor": "0", "feedback": "at_once", "solution": "at_once"}
    )
    assert (answer.status_code, NOTHING_TO_SET.en in answer.content.decode()) == (422, True)
    assert Assignment.objects.get(slug="void").weight == 0
