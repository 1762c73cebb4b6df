"""The pages of one item for those who teach: regrades, the projector, the author's look."""

from __future__ import annotations

import pytest
from django.db import transaction
from playwright.sync_api import expect

from exercises.enums import RegradeAction
from exercises.models import Course, Item, Regrade, User
from exercises.services.attempt_start import attempt_start
from exercises.services.outcome_record import outcome_record
from exercises.services.regrade_decide import regrade_begin
from exercises.services.regrade_step import regrade_step
from exercises.services.submission_create import submission_create
from tests.e2e.conftest import OpenReader
from tests.e2e.test_accessibility import assert_sound, looks
from tests.exercises.outcomes import marked
from tests.factories import EnrollmentFactory, UserFactory

CHOICE = "nv-longest"
PROGRAM = """def project(x, W, b=None):
    out = x @ W
    if b is not None:
        out = out + b
    return out if out is not None else x * 2 + 1 - 3  # learner {number}
"""


@pytest.fixture
def answered(course: Course, broker_away: None) -> Item:
    """A choice that three have answered, and two programs that are built alike."""
    choice, code = (Item.objects.get(curriculum=course.curriculum, slug=slug) for slug in (CHOICE, "cd-project"))
    keys = [option["key"] for option in choice.version.definition["option"]]
    for number in range(3):
        user = UserFactory(username=f"learner-{number}", display_name=f"Learner {number:04}")
        enrollment = EnrollmentFactory(user=user, course=course)
        attempt = attempt_start(enrollment=enrollment, item=choice)
        submission_create(attempt=attempt, raw_response={"chosen": [keys[number]]})
        program = attempt_start(enrollment=enrollment, item=code)
        sent = submission_create(attempt=program, raw_response={"code": PROGRAM.format(number=number)}).submission
        outcome = marked(sent)
        outcome["mark"] |= dict.fromkeys(("score", "max_score"), str(code.max_score))
        outcome_record(outcome=outcome)
    return choice


@pytest.fixture
def regrade(answered: Item, course: Course, ines: User) -> Regrade:
    """One that waits for a decision."""
    with transaction.atomic():
        begun = regrade_begin(
            instructor=ines, course=course, item=answered, action=RegradeAction.AWARD, reason="The key was wrong."
        )
    while regrade_step(regrade_id=begun.pk):
        pass
    return begun


@looks
def test_pages_of_an_item_in_every_look(
    language: str, theme: str, width: int, regrade: Regrade, ines: User, reader: OpenReader
) -> None:
    window = reader(ines, width=width, theme=theme)
    items = f"/{language}/courses/spring/items"
    for path in (
        f"{items}/",
        f"{items}/{CHOICE}/regrades/",
        f"/{language}/courses/spring/regrades/{regrade.public_id}/",
        f"{items}/{CHOICE}/class/",
        f"{items}/pj-q/author/?check=1",
        f"{items}/cd-project/author/",
        f"{items}/cd-project/similar/",
    ):
        assert_sound(window.open(path))


def test_projector_follows_the_class_without_being_touched(
    answered: Item, ada: User, ines: User, reader: OpenReader
) -> None:
    page = reader(ines).open(f"/en/courses/spring/items/{CHOICE}/class/")
    page.get_by_role("button", name="Begin: count answers").click()
    expect(page.locator(".projector-count")).to_contain_text("0 of 4 have answered")

    attempt = attempt_start(enrollment=ada.enrollments.select_related("course").get(), item=answered)
    submission_create(attempt=attempt, raw_response={"chosen": [answered.version.definition["option"][0]["key"]]})

    expect(page.locator(".projector-count")).to_contain_text("1 of 4 have answered")
    page.get_by_role("button", name="Show what was answered").click()
    expect(page.locator(".bars li")).to_have_count(4)
    assert page.locator(".bars .state").count() == 0
    page.get_by_role("button", name="Reveal what is right").click()
    expect(page.locator(".bars .state").first).to_be_visible()
    assert "Ada" not in page.locator("main").inner_text()


def test_regrade_shows_how_far_it_is_by_itself(regrade: Regrade, ines: User, reader: OpenReader) -> None:
    page = reader(ines).open(f"/en/courses/spring/regrades/{regrade.public_id}/")
    page.get_by_role("button", name="Change").click()
    expect(page.locator("#regrade-now")).to_contain_text("Being applied")

    while regrade_step(regrade_id=regrade.pk):
        pass

    expect(page.locator("#regrade-now [role=status]")).to_contain_text("Applied")
    expect(page.get_by_role("button", name="Pause")).to_have_count(0)
