from __future__ import annotations

import re
from html import unescape

from django.test import Client

from exercises.models import Course, Submission, User
from exercises.queries.progress import progress_table
from exercises.services.submission_create import submission_create
from tests.exercises.conftest import AttemptBy, ItemBySlug
from tests.exercises.mended import mended, right_is_the_other_one
from tests.exercises.responses import transposed_numbers
from tests.exercises.web.conftest import SignedIn

BY_HAND = "/en/courses/spring/items/by-hand/author/"
PICK = "/en/courses/spring/items/pick/author/"


def words(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def get(browser: Client, address: str) -> str:
    return browser.get(address).content.decode()


def test_item_is_shown_in_both_languages_with_ids_of_their_own(ines: User, as_user: SignedIn) -> None:
    html = get(as_user(ines), PICK)

    assert ("哪个是参数？" in html, "Which one is a parameter?" in html) == (True, True)
    ids = re.findall(r'\sid="([^"]+)"', html)
    assert sorted(set(ids)) == sorted(ids)


def test_twenty_seeds_tell_what_each_mistake_gives_and_where_it_collides(ines: User, as_user: SignedIn) -> None:
    html = get(as_user(ines), f"{BY_HAND}?seed=40")
    said = words(html)

    seeds = re.findall(r"(\d+) (given|not given)", said)
    assert [int(seed) for seed, _ in seeds][:20] == list(range(40, 60))
    assert {state for _, state in seeds} == {"given", "not given"}
    assert "w_transposed" in said
    assert re.search(r'class="figure-cell collision"', html)
    assert "collides with" in said


def test_item_without_numbers_has_nothing_to_draw(ines: User, as_user: SignedIn) -> None:
    assert "A seed draws no numbers here" in words(get(as_user(ines), PICK))


def test_check_is_run_when_it_is_asked_for(ines: User, as_user: SignedIn) -> None:
    browser = as_user(ines)
    assert "Check this exercise" in words(get(browser, BY_HAND))

    said = words(get(browser, f"{BY_HAND}?check=1"))

    assert ("Check this exercise" in said, "named mistakes, in" in said) == (False, True)


def test_versions_are_compared_line_by_line(ines: User, item: ItemBySlug, as_user: SignedIn) -> None:
    browser = as_user(ines)
    assert "nothing before it" in words(get(browser, PICK))
    mended(item("pick"), right_is_the_other_one)

    html = get(browser, PICK)

    assert "What version 2 changed in version 1" in words(html)
    assert re.search(r"<del[^>]*>−\s*\"right\": true,", unescape(html))
    assert re.search(r"<ins[^>]*>\+\s*\"right\": false", unescape(html))
    assert "nothing before it" in words(get(browser, f"{PICK}?newer=1"))


def test_authors_own_tries_are_in_no_figure(course: Course, ines: User, attempt: AttemptBy, as_user: SignedIn) -> None:
    assert "/en/courses/spring/items/by-hand/" in get(as_user(ines), BY_HAND)
    assert as_user(ines).get("/en/courses/spring/items/by-hand/").status_code == 200
    mine = attempt(ines, "by-hand")
    submission_create(attempt=mine, raw_response=transposed_numbers(mine))

    table = progress_table(course)

    assert (Submission.objects.count(), table.rows, [column.attempted for column in table.columns]) == (1, (), [0] * 4)
