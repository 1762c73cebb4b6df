"""Attempts follow the reader's convention until something is sent, and keep theirs from then on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from exercises.models import Attempt, Enrollment, User
from exercises.queries.definitions import attempt_content
from exercises.services.attempt_start import attempt_start, attempts_open
from exercises.services.content_load import content_load
from exercises.services.submission_create import submission_create
from grader.bank import CurriculumSource
from grader.marking.items import Convention
from tests.exercises.conftest import ItemBySlug
from tests.exercises.services.test_content_load import with_items

PROMPT = {"zh-hans": "{row: 行 | column: 列}", "en": "In {row: rows | column: columns}."}


@pytest.fixture
def enrollment(sources: tuple[CurriculumSource, ...], ada: User) -> Enrollment:
    def both_ways(items):
        return [
            replace(each, definition={**each.definition, "prompt": PROMPT}) if each.slug != "program" else each
            for each in items
        ]

    content_load(curriculums=with_items(sources, both_ways))
    return Enrollment.objects.select_related("course__curriculum", "user").get(user=ada)


def start(enrollment: Enrollment, item: ItemBySlug, convention: Convention | None) -> Attempt:
    return attempt_start(enrollment=enrollment, item=item("by-hand"), convention=convention)


def test_an_untouched_attempt_turns_round_with_its_reader_and_keeps_its_numbers(
    enrollment: Enrollment, item: ItemBySlug
) -> None:
    at_home = start(enrollment, item, None)
    turned = start(enrollment, item, Convention.COLUMN)

    assert (at_home.variant["convention"], turned.variant["convention"]) == ("row", "column")
    assert (turned.seed, turned.number) == (at_home.seed, at_home.number + 1)
    assert turned.variant["values"]["W_q"] == np.array(at_home.variant["values"]["W_Q"]).T.tolist()
    assert start(enrollment, item, Convention.COLUMN) == turned
    assert attempt_content(turned).prompt.en == "In columns."


def test_an_answered_attempt_stays_as_it_was_and_is_marked_in_its_own_convention(
    enrollment: Enrollment, item: ItemBySlug
) -> None:
    attempt = start(enrollment, item, Convention.COLUMN)
    values = {name: np.array(value) for name, value in attempt.variant["values"].items()}
    cells = [[f"{value:g}"] for value in values["W_q"] @ values["x"]]

    submitted = submission_create(attempt=attempt, raw_response={"fields": {"q": cells}})

    submitted.submission.refresh_from_db()
    assert submitted.submission.standing_mark.verdict == "correct"
    assert start(enrollment, item, Convention.ROW) == attempt
    fresh = attempt_start(enrollment=enrollment, item=item("by-hand"), fresh=True, convention=Convention.ROW)
    assert fresh.variant["convention"] == "row"


def test_opening_a_lesson_turns_what_is_untouched(enrollment: Enrollment, item: ItemBySlug) -> None:
    lesson = item("by-hand").lesson
    for convention in (None, Convention.COLUMN, Convention.COLUMN):
        attempts_open(enrollment=enrollment, lesson=lesson, convention=convention)

    told = Attempt.objects.order_by("item__slug", "number").values_list("item__slug", "number", "variant")
    assert [(slug, number, variant.get("convention")) for slug, number, variant in told] == [
        ("by-hand", 1, "row"),
        ("by-hand", 2, "column"),
        ("pick", 1, "row"),
        ("pick", 2, "column"),
        ("program", 1, None),
    ]
