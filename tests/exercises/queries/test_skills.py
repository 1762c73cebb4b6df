from __future__ import annotations

from collections.abc import Callable

import pytest
from pytest_django import DjangoAssertNumQueries

from exercises.enums import ItemKind
from exercises.models import Enrollment, Item, User
from exercises.queries.review import SITTING_MINUTES, review_queue
from exercises.queries.skills import SkillStanding, SkillState, skill_standings
from exercises.services.content_load import content_load
from grader.bank import CurriculumSource
from tests.exercises.conftest import AttemptBy
from tests.exercises.practised import SKILL, answer, practise

EnrollmentOf = Callable[[User], Enrollment]


@pytest.fixture
def skill_of(enrollment_of: EnrollmentOf) -> Callable[[User], SkillStanding]:
    def found(user: User) -> SkillStanding:
        enrollment = enrollment_of(user)
        (skill,) = skill_standings([enrollment])[enrollment.pk]
        return skill

    return found


SkillOf = Callable[[User], SkillStanding]


def test_an_item_without_a_skill_counts_towards_none(
    ada: User, attempt: AttemptBy, enrollment_of: EnrollmentOf
) -> None:
    answer(attempt(ada, "by-hand"))
    enrollment = enrollment_of(ada)

    assert skill_standings([enrollment]) == {enrollment.pk: ()}


def test_a_skill_of_which_nothing_was_sent_is_new(ada: User, skill_of: SkillOf) -> None:
    practise("by-hand", "pick")

    skill = skill_of(ada)

    assert (skill.state, skill.title.en, skill.evidence, skill.due_on) == (SkillState.NEW, "Projecting", (), None)
    assert [item.slug for item in skill.items] == ["by-hand", "pick"]


def test_three_first_answers_on_different_numbers_and_two_days_master_a_skill(
    ada: User, attempt: AttemptBy, skill_of: SkillOf
) -> None:
    practise("by-hand")
    states = []

    for days_ago in (1, 1, 0):
        answer(attempt(ada, "by-hand", fresh=True), days_ago=days_ago)
        states.append((skill_of(ada).successes, skill_of(ada).state))

    assert states == [(1, SkillState.BEGUN), (2, SkillState.BEGUN), (3, SkillState.MASTERED)]


def test_three_successes_of_one_day_are_not_enough(ada: User, attempt: AttemptBy, skill_of: SkillOf) -> None:
    practise("by-hand")
    for _ in range(3):
        answer(attempt(ada, "by-hand", fresh=True))

    assert (skill_of(ada).successes, skill_of(ada).has_later_day, skill_of(ada).is_mastered) == (3, False, False)


def test_only_the_first_answer_of_an_attempt_is_evidence(ada: User, attempt: AttemptBy, skill_of: SkillOf) -> None:
    practise("by-hand")
    answer(attempt(ada, "by-hand"), is_right=False)
    answer(attempt(ada, "by-hand"))

    assert [(each.is_right, each.is_counted) for each in skill_of(ada).evidence] == [(False, False)]


def test_a_right_answer_after_a_hint_is_shown_and_not_counted(ada: User, attempt: AttemptBy, skill_of: SkillOf) -> None:
    practise("by-hand")
    answer(attempt(ada, "by-hand"), hinted=True)

    assert [(each.had_hint, each.is_counted) for each in skill_of(ada).evidence] == [(True, False)]


def test_the_same_question_counts_once_a_day(ada: User, attempt: AttemptBy, skill_of: SkillOf) -> None:
    practise("pick")
    for days_ago in (2, 2, 0):
        answer(attempt(ada, "pick", fresh=True), days_ago=days_ago, response={"chosen": ["a"]})

    assert [each.is_counted for each in skill_of(ada).evidence] == [True, False, True]


def test_a_miss_takes_mastery_back_until_the_next_success(ada: User, attempt: AttemptBy, skill_of: SkillOf) -> None:
    practise("by-hand")
    for days_ago in (3, 2, 1):
        answer(attempt(ada, "by-hand", fresh=True), days_ago=days_ago)

    answer(attempt(ada, "by-hand", fresh=True), is_right=False)
    missed = skill_of(ada).is_mastered
    answer(attempt(ada, "by-hand", fresh=True))

    assert (missed, skill_of(ada).is_mastered) == (False, True)


def test_a_mastered_skill_comes_due(ada: User, attempt: AttemptBy, skill_of: SkillOf) -> None:
    practise("by-hand")
    for days_ago in (400, 399, 398):
        answer(attempt(ada, "by-hand", fresh=True), days_ago=days_ago)

    assert (skill_of(ada).is_mastered, skill_of(ada).state) == (True, SkillState.DUE)


def test_what_waits_for_the_instructor_is_no_evidence_yet(ada: User, attempt: AttemptBy, skill_of: SkillOf) -> None:
    practise("in-words")
    answer(attempt(ada, "in-words"), response={"text": "它在找。"})

    assert skill_of(ada).state is SkillState.NEW


def test_a_classmates_answers_are_not_mine(ada: User, ben: User, attempt: AttemptBy, skill_of: SkillOf) -> None:
    practise("by-hand")
    answer(attempt(ada, "by-hand"))

    assert (len(skill_of(ada).evidence), len(skill_of(ben).evidence)) == (1, 0)


@pytest.mark.parametrize("count", [1, 3])
def test_skills_cost_three_queries(
    count: int,
    ada: User,
    attempt: AttemptBy,
    enrollment_of: EnrollmentOf,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    practise("by-hand")
    for _ in range(count):
        answer(attempt(ada, "by-hand", fresh=True))
    enrollment = enrollment_of(ada)

    with django_assert_num_queries(3):
        skill_standings([enrollment])


def test_the_queue_takes_the_item_answered_longest_ago(ada: User, attempt: AttemptBy, skill_of: SkillOf) -> None:
    practise("by-hand", "pick")
    answer(attempt(ada, "pick"), days_ago=400, response={"chosen": ["a"]})
    answer(attempt(ada, "by-hand"), days_ago=399)

    queue = review_queue([skill_of(ada)])

    assert [(review.item.slug, review.minutes) for review in queue.sitting] == [("pick", 1)]
    assert (queue.due, queue.minutes) == (1, 1)


def test_an_item_with_a_policy_or_one_for_a_person_to_read_is_never_drawn(
    ada: User, attempt: AttemptBy, skill_of: SkillOf
) -> None:
    practise("by-hand")
    answer(attempt(ada, "by-hand"), days_ago=400)
    Item.objects.filter(slug="by-hand").update(policy={"tries": 3})
    with_policy = review_queue([skill_of(ada)])
    Item.objects.filter(slug="by-hand").update(policy={}, kind=ItemKind.FREE_TEXT)

    assert (with_policy.due, review_queue([skill_of(ada)]).due) == (0, 0)


def test_a_sitting_ends_after_five_minutes_and_has_at_least_one_item(
    ada: User, attempt: AttemptBy, skill_of: SkillOf
) -> None:
    practise("by-hand")
    answer(attempt(ada, "by-hand"), days_ago=400)
    due = skill_of(ada)

    many = review_queue([due] * 4)

    assert (len(many.sitting), many.minutes, many.due) == (2, 4, 4)
    assert many.minutes <= SITTING_MINUTES
    assert review_queue([]).sitting == ()


def test_content_gives_items_the_skill_that_they_name(ada: User, sources: tuple[CurriculumSource, ...]) -> None:
    named = sources[0].lessons[0].items[0].definition
    named |= {"skill": "projecting", "skills": {"projecting": {key: SKILL[key] for key in ("title", "summary")}}}
    try:
        content_load(curriculums=sources)
    finally:
        named |= {"skills": {}}
        del named["skill"]

    assert Item.objects.get(slug="by-hand").skill == SKILL
