"""The desk of quick checks by hand: its keys, its drafts, and two people who mark at the same time."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from exercises.enums import Role
from exercises.models import Course, Item, Mark, MarkDraft, Submission, User
from exercises.services.attempt_start import attempt_start
from exercises.services.submission_create import submission_create
from tests.e2e.conftest import OpenReader
from tests.e2e.test_accessibility import assert_sound, looks
from tests.factories import EnrollmentFactory, UserFactory

DESK = "/en/courses/spring/quick-checks/qc-1/"
TEXTS = ["一个向量身兼三职。", "一个向量要身兼三职", "A query asks, a key answers.", "softmax 让权重的和为 1。"]


@pytest.fixture
def answers(course: Course) -> list[Submission]:
    item = Item.objects.get(curriculum=course.curriculum, slug="qc-1")
    sent = []
    for number, text in enumerate(TEXTS, start=1):
        user = UserFactory(username=f"learner-{number}", display_name=f"Learner {number:04}")
        attempt = attempt_start(enrollment=EnrollmentFactory(user=user, course=course), item=item)
        sent.append(submission_create(attempt=attempt, raw_response={"text": text}).submission)
    return sent


@pytest.fixture
def ben(course: Course) -> User:
    user = UserFactory(username="ben", display_name="Ben")
    EnrollmentFactory(user=user, course=course, role=Role.INSTRUCTOR)
    return user


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.id"))


def test_cards_are_marked_without_the_mouse(answers: list[Submission], ines: User, reader: OpenReader) -> None:
    page = reader(ines).open(DESK)
    cards = [card.get_attribute("id") for card in page.locator(".desk-card").all()]
    assert len(cards) == 3

    page.keyboard.press("j")
    page.keyboard.press("j")
    assert focused(page) == cards[1]
    page.keyboard.press("k")
    assert focused(page) == cards[0]
    page.keyboard.press("1")
    page.keyboard.press("3")
    page.keyboard.press("2")
    page.keyboard.press("2")
    expect(page.locator(f"#{cards[0]} .points-sum")).to_have_text("2 / 3")
    page.keyboard.press("Enter")

    expect(page.locator(".desk-undo")).to_be_visible()
    expect(page.locator(f"#{cards[1]}")).to_be_focused()
    assert set(Mark.objects.values_list("score", flat=True)) == {2}
    page.keyboard.press("u")
    expect(page.locator(f"#{cards[0]}")).to_be_visible()
    assert Submission.objects.filter(standing_mark__isnull=False).count() == 0


def test_keys_are_letters_in_a_box_and_can_be_switched_off(
    answers: list[Submission], ines: User, reader: OpenReader
) -> None:
    page = reader(ines).open(DESK)
    box = page.locator("textarea[name=comment]").first
    box.focus()
    page.keyboard.type("jk1u")
    expect(box).to_have_value("jk1u")
    assert page.locator("[name=met]:checked").count() == 0

    page.locator("#desk-keys summary").click()
    page.get_by_label("Use these keys on this page").uncheck()
    page.reload()
    page.keyboard.press("j")
    assert focused(page) == ""


def test_half_a_mark_outlives_the_page_and_tells_a_colleague(
    answers: list[Submission], ines: User, ben: User, reader: OpenReader
) -> None:
    page = reader(ines).open(f"{DESK}?alike=apart")
    card = page.locator(".desk-card").first
    card.locator("textarea[name=comment]").fill("Nearly")
    card.locator("[name=met]").first.check()
    expect(card.locator(".desk-saved")).to_contain_text("Draft saved")

    page.reload()

    expect(page.locator(".desk-card").first.locator("textarea[name=comment]")).to_have_value("Nearly")
    assert MarkDraft.objects.get().criteria != []
    expect(reader(ben).open(f"{DESK}?alike=apart").locator(".desk-colleague")).to_contain_text("Ines is writing")


def test_of_two_instructors_the_later_one_is_told_and_keeps_the_words(
    answers: list[Submission], ines: User, ben: User, reader: OpenReader
) -> None:
    mine, theirs = reader(ines).open(DESK), reader(ben).open(DESK)
    card = f"#card-{answers[2].public_id}"
    mine.locator(f"{card} [name=met]").first.check()
    theirs.locator(f"{card} textarea").fill("Which query?")

    mine.locator(f"{card} button[value=mark]").click()
    expect(mine.locator(".desk-undo")).to_be_visible()
    theirs.locator(f"{card} button[value=mark]").click()

    expect(theirs.locator(".desk-refusal")).to_contain_text("Ines has just marked this answer")
    expect(theirs.locator(".desk-refusal")).to_contain_text("Which query?")
    assert Mark.objects.get().marker == ines


def test_desk_works_without_scripts(answers: list[Submission], ines: User, reader: OpenReader) -> None:
    page = reader(ines, scripts=False).open(DESK)
    card = page.locator(".desk-card", has_text="2 similar answers")
    card.locator("[name=met]").first.check()
    card.get_by_role("button", name="Save the mark").click()

    expect(page.locator(".desk-undo")).to_contain_text("2 answers marked")
    page.get_by_role("button", name="Take it back").click()
    expect(page.locator(".desk-card", has_text="2 similar answers")).to_be_visible()


@looks
def test_desk_in_every_look(
    language: str, theme: str, width: int, answers: list[Submission], ines: User, reader: OpenReader
) -> None:
    page = reader(ines, width=width, theme=theme).open(f"/{language}/courses/spring/quick-checks/")
    assert_sound(page)
    page.goto(page.url + "qc-1/")
    for fold in page.locator("details summary").all():
        fold.click()
    assert_sound(page)
    page.locator(".desk-card [name=met]").first.check()
    page.locator("button[value=mark]").first.click()
    expect(page.locator(".desk-undo")).to_be_visible()
    assert_sound(page)
