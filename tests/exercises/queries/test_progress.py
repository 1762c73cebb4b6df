from __future__ import annotations

from decimal import Decimal

import pytest

from exercises.enums import GradingProgress, Role, Verdict
from exercises.queries.progress import grades, progress_table
from exercises.queries.standings import ItemState
from exercises.services.mark_by_instructor import mark_by_instructor
from exercises.services.outcome_record import outcome_record
from exercises.services.submission_create import submission_create
from tests.exercises.outcomes import broken, marked
from tests.exercises.responses import half_right_numbers, right_numbers, transposed_numbers
from tests.factories import EnrollmentFactory, SubmissionFactory, UserFactory


def cell(table, name, slug):
    place = [column.slug for column in table.columns].index(slug)
    return next(row for row in table.rows if row.name == name).cells[place]


def column(table, slug):
    return next(column for column in table.columns if column.slug == slug)


def test_the_table_has_a_row_for_each_student_and_a_column_for_each_item(ada, ben, ines, otto, course):
    table = progress_table(course)
    assert [row.name for row in table.rows] == ["Ada", "Ben"]
    assert [each.slug for each in table.columns] == ["by-hand", "pick", "program", "in-words"]
    assert table.max_score == 9
    assert {each.state for row in table.rows for each in row.cells} == {ItemState.OPEN}
    assert [(each.students, each.attempted, each.mean_score) for each in table.columns] == [(2, 0, None)] * 4


def test_only_what_counts_is_counted(ada, ben, ines, course, attempt, broker):
    """Ada fails, then passes; Ben meets our fault only; Cleo never comes; Ines tries it herself."""
    EnrollmentFactory(course=course, user=UserFactory(username="cleo", display_name="Cleo"))
    outcome_record(outcome=marked(SubmissionFactory(attempt=attempt(ada, "program")), score=0))
    outcome_record(outcome=marked(SubmissionFactory(attempt=attempt(ada, "program")), score=3))
    outcome_record(outcome=broken(SubmissionFactory(attempt=attempt(ben, "program"))))
    outcome_record(outcome=marked(SubmissionFactory(attempt=attempt(ines, "program")), score=1))
    table = progress_table(course)
    program = column(table, "program")
    assert (program.students, program.attempted, program.done, program.trouble) == (3, 1, 1, 1)
    assert (program.marked, program.mean_score) == (1, 3)
    assert cell(table, "Ada", "program").tries == 2
    assert [cell(table, name, "program").state for name in ("Ada", "Ben", "Cleo")] == [
        ItemState.DONE,
        ItemState.TROUBLE,
        ItemState.OPEN,
    ]
    assert [cell(table, name, "program").score for name in ("Ada", "Ben", "Cleo")] == [3, None, None]


def test_an_uncounted_mark_is_no_try_and_no_score(ada, course, attempt, broker):
    outcome_record(outcome={**marked(SubmissionFactory(attempt=attempt(ada, "program"))), "counted": False})
    found = cell(progress_table(course), "Ada", "program")
    assert (found.state, found.tries, found.score, found.verdict) == (ItemState.OPEN, 0, None, None)


def test_the_best_score_stands_over_all_attempts(ada, course, attempt):
    first = attempt(ada, "by-hand")
    submission_create(attempt=first, raw_response=half_right_numbers(first))
    second = attempt(ada, "by-hand", fresh=True)
    submission_create(attempt=second, raw_response=transposed_numbers(second))
    found = cell(progress_table(course), "Ada", "by-hand")
    assert (found.score, found.verdict, found.tries) == (1, Verdict.PARTIALLY_CORRECT, 2)
    submission_create(attempt=second, raw_response=right_numbers(second))
    assert cell(progress_table(course), "Ada", "by-hand").verdict == Verdict.CORRECT


def test_the_instructors_mark_stands_even_below_the_automatic_one(ada, ines, course, attempt):
    mine = attempt(ada, "by-hand")
    submission = submission_create(attempt=mine, raw_response=right_numbers(mine)).submission
    mark_by_instructor(instructor=ines, submission=submission, score=Decimal("0.5"))
    found = cell(progress_table(course), "Ada", "by-hand")
    assert (found.score, found.state) == (Decimal("0.5"), ItemState.TRIED)


def test_a_text_waits_and_is_done_when_it_is_read(ada, ines, course, attempt):
    submission = submission_create(attempt=attempt(ada, "in-words"), raw_response={"text": "它在找。"}).submission
    table = progress_table(course)
    assert (cell(table, "Ada", "in-words").state, column(table, "in-words").waiting) == (ItemState.WAITING, 1)
    assert table.rows[0].waiting == 1
    mark_by_instructor(instructor=ines, submission=submission, score=Decimal(0))
    assert cell(progress_table(course), "Ada", "in-words").state == ItemState.DONE
    submission_create(attempt=attempt(ada, "in-words"), raw_response={"text": "新的。"})
    assert cell(progress_table(course), "Ada", "in-words").state == ItemState.WAITING


def test_another_class_of_the_same_curriculum_is_not_in_the_table(ada, otto, course, other_course, attempt):
    submission_create(attempt=attempt(otto, "pick"), raw_response={"chosen": ["a"]})
    assert column(progress_table(course), "pick").attempted == 0
    assert column(progress_table(other_course), "pick").attempted == 1


def test_grades_tell_no_work_from_zero(ada, course, attempt):
    submission_create(attempt=attempt(ada, "pick"), raw_response={"chosen": ["b"]})
    (mine,) = grades(course)
    assert (mine.username, mine.score, mine.max_score) == ("ada", 0, 9)
    assert [(each.item_slug, each.score, each.max_score) for each in mine.items] == [
        ("by-hand", None, 2),
        ("pick", 0, 1),
        ("program", None, 3),
        ("in-words", None, 3),
    ]


@pytest.mark.parametrize("count", [1, 3])
def test_the_table_costs_three_queries(course, attempt, django_assert_num_queries, count):
    for _ in range(count):
        student = EnrollmentFactory(course=course, role=Role.STUDENT).user
        SubmissionFactory(attempt=attempt(student, "program"), grading_progress=GradingProgress.PENDING)
    with django_assert_num_queries(3):
        assert len(progress_table(course).rows) == count
