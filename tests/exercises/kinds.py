"""A course of one lesson with an item of each kind that is answered by shapes, pairs, an order or a prediction."""

from __future__ import annotations

from pathlib import Path

from exercises.models import Attempt, Enrollment, Item, User
from exercises.services.attempt_start import attempt_start
from exercises.services.content_load import content_load
from grader.bank import CurriculumSource, ItemPlace, ItemSource, Lesson, LessonSource, Prose
from grader.derivation.graph import Ask
from grader.marking.items import PredictItem
from grader.marking.text import LANGUAGES, Text
from grader.marking.variants import givens_of
from tests.factories import CourseFactory, EnrollmentFactory, UserFactory
from tests.grader import samples
from tests.grader.kind_samples import MATCH, ORDER, PREDICT, SHAPE

LESSON = "/en/courses/kinds/lessons/only/"
RIGHT_SHAPES = {"shape-W_q": "64 × 768", "shape-b_q": "(64,)", "shape-Q": "[64, S]", "shape-logits": "S×S"}
RIGHT_PAIRS = {"pair-W_Q": "parameter", "pair-Q": "activation", "pair-K": "activation", "pair-d_k": "constant"}
RIGHT_PLACES = {"place-q": "1", "place-k": "2", "place-logits": "3", "place-scale": "4", "place-softmax": "5"}


def kinds_source(**policies: dict) -> CurriculumSource:
    """The curriculum; a policy may be given by an item's slug."""
    items = []
    for toml in (SHAPE, MATCH, ORDER, PREDICT):
        item = samples.item(toml)
        definition = samples.definition(toml)
        if item.slug in policies:
            definition["policy"] = policies[item.slug]
        items.append(ItemSource(item.slug, item.kind, item.title, str(item.max_score), definition))
    segments = (Prose("…"), *(ItemPlace(item.slug) for item in items))
    lesson = Lesson("only", Text("题型", "Kinds"), dict.fromkeys(LANGUAGES, segments), {})
    return CurriculumSource(
        Path(), "kinds", Text("题型", "Kinds"), Text("各种题", "Items"), (LessonSource(lesson, tuple(items)),)
    )


def enroll_ada(**policies: dict) -> Enrollment:
    """Ada, in a course of that curriculum."""
    content_load(curriculums=[kinds_source(**policies)])
    course = CourseFactory(slug="kinds", curriculum=Item.objects.get(slug="shape").curriculum)
    return EnrollmentFactory(user=UserFactory(username="ada", display_name="Ada"), course=course)


def attempt_at(user: User, slug: str) -> Attempt:
    """The user's attempt at one of the items."""
    enrollment = Enrollment.objects.select_related("course__curriculum", "user").get(user=user)
    item = Item.objects.select_related("current_version", "lesson").get(slug=slug)
    return attempt_start(enrollment=enrollment, item=item)


def right_prediction(attempt: Attempt) -> dict:
    """The raw response with a right guess and right numbers."""
    item = samples.item(PREDICT)
    assert isinstance(item, PredictItem)
    derivation = item.numeric.derivation
    ask: Ask = derivation.asks[0]
    rows = ask.pick(derivation.evaluate(givens_of(attempt.variant))[ask.name])
    return {"guess": "unequal", "fields": {ask.name: [[f"{value:.{ask.decimals}f}" for value in row] for row in rows]}}
