from __future__ import annotations

from exercises.models import Attempt
from exercises.services.attempt_start import SEEDS, attempt_start, attempts_open
from exercises.services.content_load import content_load
from exercises.services.draft_save import draft_save
from exercises.services.submission_create import submission_create
from tests.exercises.responses import right_numbers
from tests.exercises.services.test_content_load import renamed, with_items


def test_the_current_attempt_is_given_again(ada, attempt):
    first = attempt(ada, "by-hand")
    assert attempt(ada, "by-hand") == first
    assert (first.number, Attempt.objects.count()) == (1, 1)


def test_another_one_like_this_has_other_numbers(ada, attempt):
    first = attempt(ada, "by-hand")
    second = attempt(ada, "by-hand", fresh=True)
    assert second.number == 2
    assert second.seed != first.seed
    assert attempt(ada, "by-hand") == second


def test_two_students_get_numbers_of_their_own(ada, ben, attempt):
    assert attempt(ada, "by-hand").seed != attempt(ben, "by-hand").seed


def test_the_variant_is_stored_with_the_seed_it_was_drawn_from(ada, attempt):
    mine = attempt(ada, "by-hand")
    assert mine.variant["seed"] == mine.seed
    assert 0 <= mine.seed < 2 * SEEDS
    assert sorted(mine.variant["values"]) == ["W_Q", "x"]


def test_an_untouched_attempt_follows_a_new_version_and_an_answered_one_does_not(sources, ada, ben, attempt):
    untouched = attempt(ada, "by-hand")
    answered = attempt(ben, "by-hand")
    submission_create(attempt=answered, raw_response=right_numbers(answered))
    content_load(curriculums=with_items(sources, lambda items: [renamed(each) for each in items]))
    assert attempt(ada, "by-hand").item_version.number == 2
    assert attempt(ada, "by-hand").number == untouched.number + 1
    assert attempt(ben, "by-hand") == answered
    assert attempt(ben, "by-hand", fresh=True).item_version.number == 2


def test_an_attempt_with_a_draft_is_not_taken_from_under_its_writer(sources, ada, attempt):
    begun = attempt(ada, "by-hand")
    draft_save(attempt=begun, fields=[["q-0-0", "1"]], base="")

    content_load(curriculums=with_items(sources, lambda items: [renamed(each) for each in items]))

    assert attempt(ada, "by-hand") == begun


def test_opening_a_lesson_starts_what_is_missing_once(ada, enrollment_of, item):
    lesson = item("pick").lesson
    attempt_start(enrollment=enrollment_of(ada), item=item("pick"))
    attempts_open(enrollment=enrollment_of(ada), lesson=lesson)
    attempts_open(enrollment=enrollment_of(ada), lesson=lesson)
    assert sorted(Attempt.objects.values_list("item__slug", "number")) == [("by-hand", 1), ("pick", 1), ("program", 1)]


def test_an_open_lesson_costs_three_queries(ada, enrollment_of, item, django_assert_num_queries):
    enrollment, lesson = enrollment_of(ada), item("pick").lesson
    attempts_open(enrollment=enrollment, lesson=lesson)
    with django_assert_num_queries(3):
        attempts_open(enrollment=enrollment, lesson=lesson)


def test_a_seed_gives_everybody_the_same_numbers(ada, ben, attempt, enrollment_of, item):
    first = attempt(ada, "by-hand")
    neighbour = attempt_start(enrollment=enrollment_of(ben), item=item("by-hand"), seed=first.seed)
    assert (neighbour.seed, neighbour.variant) == (first.seed, first.variant)
    assert neighbour.enrollment_id != first.enrollment_id


def test_numbers_of_a_seed_that_one_has_are_not_drawn_again(ada, attempt, enrollment_of, item):
    first = attempt(ada, "by-hand")
    attempt(ada, "by-hand", fresh=True)
    assert attempt_start(enrollment=enrollment_of(ada), item=item("by-hand"), seed=first.seed) == first
    assert Attempt.objects.count() == 2
