"""Markup is kept for whoever sees the same, and says nothing of anybody else."""

from __future__ import annotations

import re
from decimal import Decimal

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import override

from exercises.models import Attempt, User
from exercises.queries.lesson_page import item_on_page
from exercises.queries.preferences import Preferences
from exercises.services.draft_save import draft_save
from exercises.services.hint_take import hint_take
from exercises.services.mark_by_instructor import mark_by_instructor
from exercises.services.submission_create import submission_create
from exercises.web.item_markup import item_markup
from exercises.web.item_view import item_view
from tests.exercises.conftest import AttemptBy
from tests.exercises.responses import right_numbers, transposed_numbers
from tests.exercises.web.conftest import SignedIn

NO_CHOICE = Preferences()


def shown(attempt: Attempt, *, token: str = "a-token", reader: Preferences = NO_CHOICE) -> str:
    with override("en"):
        return item_markup("spring", item_on_page(attempt), token=token, reader=reader)


def rendered(attempt: Attempt) -> str:
    with override("en"):
        context = {"item": item_view("spring", item_on_page(attempt)), "csrf_token": "a-token"}
        return render_to_string("exercises/partials/item.html", context)


def test_what_is_kept_is_what_would_be_rendered_after_whatever_happens(ada: User, attempt: AttemptBy) -> None:
    mine = attempt(ada, "by-hand")
    pairs = [(shown(mine), rendered(mine))]
    draft_save(attempt=mine, base="", fields=[["q-0-0", "7"]])
    pairs.append((shown(mine), rendered(mine)))
    hint_take(attempt=mine)
    pairs.append((shown(mine), rendered(mine)))
    for response in (transposed_numbers(mine), right_numbers(mine)):
        submission_create(attempt=mine, raw_response=response)
        pairs.append((shown(mine), rendered(mine)))

    assert [kept == fresh for kept, fresh in pairs] == [True] * 5
    assert len({kept for kept, _ in pairs}) == 5


def test_a_mark_that_changes_changes_the_markup(ada: User, ines: User, attempt: AttemptBy) -> None:
    mine = attempt(ada, "in-words")
    sent = submission_create(attempt=mine, raw_response={"text": "It asks."}).submission
    before = shown(mine)
    mark_by_instructor(instructor=ines, submission=sent, score=Decimal(1), comment="Go on.")
    first = shown(mine)
    mark_by_instructor(instructor=ines, submission=sent, score=Decimal(1), comment="Go on, please.")

    assert ["Go on" in each for each in (before, first)] == [False, True]
    assert "Go on, please." in shown(mine)


def test_two_learners_share_markup_but_neither_address_nor_token(ada: User, ben: User, attempt: AttemptBy) -> None:
    hers, his = attempt(ada, "program"), attempt(ben, "program")
    one, other = shown(hers, token="token-one"), shown(his, token="token-two")

    assert one.replace(str(hers.public_id), str(his.public_id)).replace("token-one", "token-two") == other
    assert (str(his.public_id) in one, "token-two" in one) == (False, False)


def test_the_plain_box_of_one_reader_is_not_given_to_another(ada: User, attempt: AttemptBy) -> None:
    mine = attempt(ada, "program")

    assert [
        "data-plain\n" in shown(mine, reader=Preferences(editor=editor)) for editor in ("code", "plain", "code")
    ] == [
        False,
        True,
        False,
    ]


def test_every_form_of_a_lesson_carries_the_token_of_the_visit(ada: User, as_user: SignedIn) -> None:
    html = as_user(ada).get("/en/courses/spring/lessons/first/").content.decode()

    tokens = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', html)
    assert (len(tokens), {len(token) for token in tokens}) == (html.count('method="post"'), {64})


def test_the_convention_that_a_reader_chose_is_no_other_readers(ada: User, attempt: AttemptBy) -> None:
    mine = attempt(ada, "program")
    told = {
        convention: "You read in columns" in shown(mine, reader=Preferences(convention=convention))
        for convention in ("", "row", "column")
    }

    assert told == {"": False, "row": False, "column": True}


def test_a_course_that_moves_to_another_zone_is_told_by_its_new_clock(ada: User, attempt: AttemptBy) -> None:
    mine = attempt(ada, "by-hand")
    draft_save(attempt=mine, base="", fields=[["q-0-0", "7"]])

    told = []
    for zone in ("Asia/Shanghai", "Asia/Kathmandu"):
        with timezone.override(zone):
            told.append(set(re.findall(r"UTC\+[\d:]+", shown(mine))))

    assert told == [{"UTC+8"}, {"UTC+5:45"}]


def test_what_an_answer_brings_is_the_item_as_the_lesson_shows_it_next(
    ada: User, attempt: AttemptBy, as_user: SignedIn
) -> None:
    mine = attempt(ada, "by-hand")
    browser = as_user(ada)
    address = f"/en/courses/spring/items/by-hand/{mine.public_id}/submit/"
    for response in (transposed_numbers(mine), right_numbers(mine)):
        cells = response["fields"]["q"][0]
        boxes = {f"q-0-{column}": cell for column, cell in enumerate(cells)}
        part = browser.post(address, boxes, headers={"hx-request": "true"}).content.decode()
        lesson = browser.get("/en/courses/spring/lessons/first/").content.decode()

        assert section(part) in anybodys(lesson)
        assert len(set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', part))) == 1


def section(html: str) -> str:
    """The item alone."""
    found = re.search(r'<section\s+class="item.*?</section>', anybodys(html), re.DOTALL)
    assert found is not None
    return found[0]


def anybodys(html: str) -> str:
    """The same without the token of the visit."""
    return re.sub(r'(name="csrfmiddlewaretoken" value=")\w+', r"\1", html)
