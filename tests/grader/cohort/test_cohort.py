from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from grader.bank import parse_item, read_content
from grader.cohort.answers import CARELESS, RIGHT, answers
from grader.cohort.learner import PREVALENCE, learners, sit
from grader.cohort.prediction import confusions, predict
from grader.cohort.programs import programs
from grader.cohort.repertoire import repertoire
from grader.marking.items import FreeTextItem, ItemKind
from grader.marking.judge import mark_response
from grader.marking.variants import draw_variant

CONTENT = Path("content")


@pytest.fixture(scope="module")
def items():
    [curriculum] = read_content(CONTENT)
    return [parse_item(item.definition) for lesson in curriculum.lessons for item in lesson.items]


@pytest.fixture(scope="module")
def known(items):
    sources = programs([CONTENT])
    return [each for item in items if (each := repertoire(item, sources.get(item.slug, {}), variants=2))]


def test_learners_can_answer_nearly_every_item_of_the_course(items, known):
    unknown = {item.slug for item in items} - {each.item.slug for each in known}
    # Of a judged program many results are right: only who runs it knows what it returns.
    assert unknown == {item.slug for item in items if getattr(item, "judge", "")}


def test_the_right_answer_earns_everything_and_a_careless_one_does_not(known):
    for each in known:
        for variant in each.variants:
            assert variant.answers[RIGHT].score == each.item.max_score, each.item.slug
            if CARELESS in variant.answers:
                assert variant.answers[CARELESS].score < each.item.max_score, each.item.slug


def test_marks_of_the_cohort_are_the_marks_that_learners_get(items):
    for item in items:
        if item.kind in {ItemKind.CODE, ItemKind.FREE_TEXT}:
            continue
        [variant] = repertoire(item, {}, variants=1).variants
        for answer in answers(item, variant.variant):
            if answer.idea in variant.answers:
                assert variant.answers[answer.idea].mark == mark_response(item, variant.variant, answer.response)


def test_most_misconceptions_are_called_by_their_own_names(known):
    held = sum(len(each.ideas) for each in known if not isinstance(each.item, FreeTextItem))
    unnamed = sum(len(list(confusions(each))) for each in known)
    assert held > 200
    assert unnamed / held < 0.15


def test_what_cannot_be_told_apart_says_what_it_gets_instead(items):
    item = next(item for item in items if item.slug == "nv-score")
    [found] = confusions(repertoire(item, {}))
    # One query with one key: there is nothing to transpose.
    assert (found.held, found.named, found.is_right) == (item.misconceptions["logits_transposed"].title, (), True)


def test_a_variant_in_english_and_one_in_chinese_are_answered_in_their_language(items):
    item = next(item for item in items if item.kind == ItemKind.FREE_TEXT)
    texts = {answers(item, draw_variant(item, seed))[0].response["text"] for seed in (2, 3)}
    criteria = [criterion.text for criterion in item.rubric.criteria]
    written = {" ".join(text.zh_hans for text in criteria), " ".join(text.en for text in criteria)}
    assert texts == {text.replace("$", "") for text in written}


def test_the_same_seed_predicts_the_same_and_another_learner_number_does_not(known):
    assert predict(known[:5], count=20) == predict(known[:5], count=20)
    assert predict(known[:5], count=20) != predict(known[:5], count=20, seed=2)


def test_a_prediction_is_a_share_and_a_correlation(known):
    found = predict(known, count=120)
    assert [each.slug for each in found] == [each.item.slug for each in known]
    assert all(0 <= each.facility <= 1 for each in found)
    assert all(each.discrimination is None or -100 <= each.discrimination <= 100 for each in found)
    # Able learners hold less and answer better, so the items agree with each other.
    assert np.median([each.discrimination for each in found if each.discrimination is not None]) > 5


def test_who_is_able_holds_fewer_misconceptions():
    slugs = [f"slug-{number}" for number in range(50)]
    people = list(learners(2_000, slugs, random.Random(1), first=7))
    assert [people[0].number, people[-1].number] == [7, 2_006]
    held = np.array([len(each.holds) for each in people]) / len(slugs)
    able = np.array([each.ability for each in people])
    assert held.mean() == pytest.approx(PREVALENCE, rel=0.3)
    assert held[able > 1].mean() < held[able < -1].mean() / 2


def test_a_sitting_ends_with_the_first_right_answer_and_hints_come_one_by_one(known):
    stream = random.Random(3)
    for learner in learners(150, [slug for each in known for slug in each.ideas], stream):
        tries = sit(learner, known[0], stream)
        ideas = [each.idea for each in tries]
        assert RIGHT not in ideas[:-1]
        taken = [rung for each in tries for rung in each.hints]
        assert taken == list(range(1, len(taken) + 1))
        assert not tries[0].hints
