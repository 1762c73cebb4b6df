from __future__ import annotations

import json
from dataclasses import asdict
from decimal import Decimal

import pytest

from exercises.enums import GradingProgress, MarkedBy, Verdict
from exercises.queries.lesson_page import item_on_page, lesson_page
from exercises.queries.standings import ItemState
from exercises.queries.submission_view import Stage
from exercises.services.attempt_start import attempts_open
from exercises.services.content_load import content_load
from exercises.services.mark_by_instructor import mark_by_instructor
from exercises.services.mark_record import mark_stand
from exercises.services.submission_create import submission_create
from grader.bank import ItemPlace
from tests.exercises.responses import right_numbers, transposed_numbers
from tests.exercises.services.test_content_load import renamed, with_items
from tests.factories import MarkFactory, SubmissionFactory


@pytest.fixture
def page(enrollment_of, item):
    def opened(user, lesson="by-hand"):
        enrollment, lesson = enrollment_of(user), item(lesson).lesson
        return lesson_page(enrollment, lesson, attempts_open(enrollment=enrollment, lesson=lesson))

    return opened


def test_the_items_of_the_text_are_on_the_page(ada, page):
    found = page(ada)
    places = [segment.slug for segment in found.content.segments["en"] if isinstance(segment, ItemPlace)]
    assert places == list(found.items) == ["by-hand", "pick", "program"]
    assert found.content.title.en == "The first lesson"
    numeric = found.items["by-hand"]
    assert [given.name for given in numeric.presentation.givens] == ["x", "W_Q"]
    assert (numeric.standing.state, numeric.latest, numeric.stage) == (ItemState.OPEN, None, None)


def test_the_latest_submission_is_shown_with_its_mark(ada, attempt, page):
    mine = attempt(ada, "by-hand")
    submission_create(attempt=mine, raw_response=right_numbers(mine))
    wrong = transposed_numbers(mine)
    submission_create(attempt=mine, raw_response=wrong)
    shown = page(ada).items["by-hand"]
    assert shown.latest.raw_response == wrong
    assert shown.latest.marking.misconceptions == ("w_transposed",)
    assert (shown.latest.standing.verdict, shown.stage) == (Verdict.INCORRECT, Stage.SETTLED)
    assert (shown.standing.score, shown.standing.tries) == (2, 2)


def test_the_worked_solution_is_there_only_when_solved(ada, attempt, page):
    mine = attempt(ada, "by-hand")
    submission_create(attempt=mine, raw_response=transposed_numbers(mine))
    assert (page(ada).items["by-hand"].is_solved, page(ada).items["by-hand"].solution) == (False, ())
    submission_create(attempt=mine, raw_response=right_numbers(mine))
    assert page(ada).items["by-hand"].is_solved
    assert len(page(ada).items["by-hand"].solution) > 0
    attempt(ada, "by-hand", fresh=True)
    assert (page(ada).items["by-hand"].attempt_number, page(ada).items["by-hand"].solution) == (2, ())


def test_an_old_attempt_is_shown_by_its_own_version(ada, sources, attempt, page):
    mine = attempt(ada, "by-hand")
    submission_create(attempt=mine, raw_response=right_numbers(mine))
    content_load(curriculums=with_items(sources, lambda items: [renamed(each) for each in items]))
    assert page(ada).items["by-hand"].content.title.en == "One query"
    assert page(ada).items["pick"].content.title.en == "new"


def test_the_instructors_mark_and_comment_are_shown(ada, ines, attempt, page):
    mine = attempt(ada, "in-words")
    submission = submission_create(attempt=mine, raw_response={"text": "它在找。"}).submission
    assert page(ada, "in-words").items["in-words"].stage == Stage.WITH_INSTRUCTOR
    mark_by_instructor(instructor=ines, submission=submission, score=Decimal(2), comment="还差一点。")
    shown = page(ada, "in-words").items["in-words"]
    assert (shown.latest.standing.by, shown.latest.standing.score) == (MarkedBy.INSTRUCTOR, 2)
    assert (shown.latest.standing.comment, shown.standing.state) == ("还差一点。", ItemState.DONE)


def test_one_item_alone_shows_the_attempt_that_is_asked_for(ada, attempt):
    first = attempt(ada, "by-hand")
    submission_create(attempt=first, raw_response=right_numbers(first))
    attempt(ada, "by-hand", fresh=True)
    alone = item_on_page(first)
    assert (alone.attempt_id, alone.is_solved, alone.standing.state) == (first.public_id, True, ItemState.DONE)


def test_what_a_page_shows_before_solving_holds_no_expected_value(ada, attempt, page):
    mine = attempt(ada, "by-hand")
    submission_create(attempt=mine, raw_response=transposed_numbers(mine))
    shown = page(ada).items["by-hand"]
    known = [
        shown.latest.raw_response,
        shown.latest.marking.to_json(),
        asdict(shown.presentation),
        shown.solution,
    ]
    expected = [float(cell) for cell in right_numbers(mine)["fields"]["q"][0]]
    assert expected not in list(_vectors(json.loads(json.dumps(known, default=str))))
    assert shown.presentation.options == ()


@pytest.mark.parametrize("answered", [["by-hand"], ["by-hand", "pick"], ["by-hand", "pick", "program"]])
def test_a_lesson_costs_five_queries_and_one_more_for_each_that_waits(
    ada, attempt, page, enrollment_of, django_assert_num_queries, answered
):
    for slug in answered:
        SubmissionFactory(attempt=attempt(ada, slug))
    page(ada)
    enrollment, lesson = enrollment_of(ada), attempt(ada, "by-hand").item.lesson
    opened = attempts_open(enrollment=enrollment, lesson=lesson)
    assert lesson.version
    with django_assert_num_queries(5 + len(answered)):
        lesson_page(enrollment, lesson, opened)


def test_a_lesson_costs_one_query_more_however_many_an_instructor_marked(
    ada, ines, attempt, page, enrollment_of, django_assert_num_queries
):
    for slug in ["by-hand", "pick"]:
        sent = SubmissionFactory(attempt=attempt(ada, slug), grading_progress=GradingProgress.FULLY_GRADED)
        mark_stand(submission=sent, mark=MarkFactory(submission=sent, by=MarkedBy.INSTRUCTOR), titles={})
        page(ada)
        enrollment, lesson = enrollment_of(ada), attempt(ada, slug).item.lesson
        opened = attempts_open(enrollment=enrollment, lesson=lesson)
        assert lesson.version
        with django_assert_num_queries(6):
            lesson_page(enrollment, lesson, opened)


def _vectors(value):
    """Every list of numbers, or of numbers as text, anywhere in a JSON value."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        try:
            yield [float(each) for each in value]
        except (TypeError, ValueError):
            for inner in value:
                yield from _vectors(inner)
