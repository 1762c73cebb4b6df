from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from exercises.models import Course, Curriculum, User
from exercises.queries.matching import places, query_parts
from exercises.queries.search import BEFORE, Found, quotation, search
from tests.factories import CourseFactory, EnrollmentFactory, UserFactory


def found(user: User, query: str, language: str = "en") -> list[tuple[Found, str, str]]:
    return [(hit.found, hit.slug, hit.anchor) for hit in search(user, query, language)]


def marked(text: str, query: str) -> str:
    pieces = quotation(text, query_parts(query))
    return "".join(f"<{piece.text}>" if piece.is_match else piece.text for piece in pieces)


@pytest.mark.parametrize(
    ("query", "parts"),
    [
        ("", set()),
        ("  ?!", set()),
        ("Softmax", {"softmax"}),
        ("注意力", {"注意", "意力"}),
        ("键 W_Q", {"键", "w_q"}),
    ],
)
def test_a_query_is_words_and_pairs_of_characters(query: str, parts: set[str]) -> None:
    assert query_parts(query) == parts


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("朴素注意力机制", "注意力", "朴素<注意力>机制"),
        ("A query asks, queries ask.", "quer", "A <quer>y asks, <quer>ies ask."),
        ("Unquery", "query", "Unquery"),
        ("SOFTMAX of a row", "softmax row", "<SOFTMAX> of a <row>"),
    ],
)
def test_a_quotation_marks_all_that_matches(text: str, query: str, expected: str) -> None:
    assert marked(text, query) == expected


def test_a_quotation_begins_shortly_before_the_match() -> None:
    text = marked("a" * 300 + " here " + "b" * 300, "here")

    assert (text.startswith("…" + "a" * (BEFORE - 1) + " <here>"), text.endswith("…")) == (True, True)


def test_places_that_overlap_are_one() -> None:
    assert places("注意力", ["注意", "意力"]) == ((0, 3),)


def test_an_item_is_found_by_its_title_in_either_language(ada: User) -> None:
    expected = (Found.ITEM, "first", "item-by-hand")

    assert (found(ada, "one query")[0], found(ada, "一个查询")[0]) == (expected, expected)


def test_a_passage_is_found_in_the_language_of_the_page(ada: User) -> None:
    english, chinese = found(ada, "work out one"), found(ada, "work out one", "zh-hans")

    assert [kind for kind, _, _ in english] == [Found.LESSON]
    assert chinese == []


def test_nobody_finds_what_belongs_to_no_course_of_theirs(curriculum: Curriculum) -> None:
    assert found(UserFactory(), "one query") == []


@pytest.mark.parametrize("count", [1, 3])
def test_a_search_costs_three_queries_and_finds_each_place_once(
    count: int, ada: User, curriculum: Curriculum, course: Course, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(count - 1):
        EnrollmentFactory(user=ada, course=CourseFactory(curriculum=curriculum))

    with django_assert_num_queries(3):
        assert len(found(ada, "one query")) == 2


def test_no_words_are_no_search(ada: User, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(0):
        assert search(ada, " … ", "en") == ()


def test_a_quotation_begins_with_a_whole_word() -> None:
    pieces = quotation(f"{'x' * BEFORE}convention）：{'词' * (BEFORE - 8)}投影", query_parts("投影"))

    assert pieces[0].text == "…"
    assert pieces[1].text.startswith("）：")
