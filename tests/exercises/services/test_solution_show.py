"""Being shown the solution: after two differing answers, for good, and what is sent afterwards is no try."""

from __future__ import annotations

import pytest

from exercises.models import Attempt
from exercises.queries.lesson_page import item_on_page
from exercises.queries.standings import ItemState
from exercises.services.attempt_start import attempt_start
from exercises.services.solution_show import SolutionNotYet, solution_show
from exercises.services.submission_create import submission_create
from tests.exercises.responses import half_right_numbers, right_numbers, transposed_numbers


def tried_twice(attempt: Attempt) -> Attempt:
    for response in (half_right_numbers(attempt), transposed_numbers(attempt)):
        submission_create(attempt=attempt, raw_response=response)
    return attempt


def test_the_solution_opens_after_two_differing_answers(ada, attempt):
    mine = attempt(ada, "by-hand")
    with pytest.raises(SolutionNotYet):
        solution_show(attempt=mine)
    for _ in range(2):  # the same answer twice is one
        submission_create(attempt=mine, raw_response=half_right_numbers(mine))
    assert not item_on_page(mine).may_be_shown
    with pytest.raises(SolutionNotYet):
        solution_show(attempt=mine)
    submission_create(attempt=mine, raw_response=transposed_numbers(mine))
    assert item_on_page(mine).may_be_shown
    assert item_on_page(mine).solution == ()

    solution_show(attempt=mine)
    page = item_on_page(Attempt.objects.get(pk=mine.pk))
    assert page.solution
    assert (page.is_shown, page.may_be_shown, page.standing.state) == (True, False, ItemState.SHOWN)


def test_what_is_sent_after_the_solution_is_no_try(ada, attempt):
    mine = tried_twice(attempt(ada, "by-hand"))
    solution_show(attempt=mine)
    submitted = submission_create(attempt=mine, raw_response=right_numbers(mine)).submission
    assert not submitted.counted
    standing = item_on_page(mine).standing
    assert (standing.state, standing.tries) == (ItemState.SHOWN, 2)
    assert standing.score < submitted.standing_mark.max_score


def test_other_numbers_are_solved_as_ever(ada, attempt):
    solution_show(attempt=tried_twice(attempt(ada, "by-hand")))
    other = attempt(ada, "by-hand", fresh=True)
    assert submission_create(attempt=other, raw_response=right_numbers(other)).submission.counted
    assert item_on_page(other).standing.state == ItemState.DONE


def test_the_numbers_that_were_shown_cannot_be_drawn_again_to_be_counted(ada, attempt, enrollment_of, item):
    mine = tried_twice(attempt(ada, "by-hand"))
    solution_show(attempt=mine)
    again = attempt_start(enrollment=enrollment_of(ada), item=item("by-hand"), seed=mine.seed)
    assert again == mine


def test_asking_twice_changes_nothing(ada, attempt):
    mine = tried_twice(attempt(ada, "by-hand"))
    solution_show(attempt=mine)
    first = Attempt.objects.get(pk=mine.pk).shown_at
    solution_show(attempt=mine)
    assert Attempt.objects.get(pk=mine.pk).shown_at == first


def test_an_item_that_is_solved_is_not_made_less_so(ada, attempt):
    mine = attempt(ada, "by-hand")
    submission_create(attempt=mine, raw_response=right_numbers(mine))
    solution_show(attempt=mine)
    assert Attempt.objects.get(pk=mine.pk).shown_at is None
    assert item_on_page(mine).standing.state == ItemState.DONE


def test_a_text_has_no_solution_to_show(ada, attempt):
    mine = attempt(ada, "in-words")
    for words in ("甲", "乙"):
        submission_create(attempt=mine, raw_response={"text": words})
    assert not item_on_page(mine).may_be_shown
    with pytest.raises(SolutionNotYet):
        solution_show(attempt=mine)
