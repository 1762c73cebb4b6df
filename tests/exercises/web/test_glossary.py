from __future__ import annotations

import re
from dataclasses import replace

import pytest

from exercises.models import Curriculum, User
from exercises.services.content_load import content_load
from exercises.services.submission_create import submission_create
from grader.bank import CurriculumSource, Prose
from tests.exercises.conftest import AttemptBy
from tests.exercises.responses import half_right_numbers, transposed_numbers
from tests.exercises.web.conftest import SignedIn, submit_address

ADDRESS = "/en/courses/spring/glossary/"


def entry(chinese: str, english: str, **more: object) -> dict[str, object]:
    meaning = {"zh-hans": f"{chinese}的意思", "en": f"What {english} means"}
    return {
        "zh-hans": chinese,
        "en": english,
        "symbol": "",
        "meaning": meaning,
        "shape": "",
        "kind": "activation",
        **more,
    }


GLOSSARY = {
    "query_matrix": entry(
        "查询矩阵",
        "query matrix",
        symbol="{row: W_Q | column: W_q}",
        shape="{row: [d, d_k] | column: [d_k, d]}",
        kind="parameter",
        group="projection",
    ),
    "query": entry("查询", "query", symbol="q_i", shape="[d_k]", group="projection"),
    "score": entry("得分", "score", symbol="s_{ij}", shape="[]"),
}


@pytest.fixture
def glossary(curriculum: Curriculum) -> None:
    Curriculum.objects.filter(pk=curriculum.pk).update(glossary=GLOSSARY)


def entries(html: str) -> list[str]:
    return re.findall(r'class="entry" id="(\w+)"', html)


def test_every_term_stands_there_in_both_languages_with_shape_and_kind(
    ada: User, as_user: SignedIn, glossary: None
) -> None:
    html = as_user(ada).get(ADDRESS).content.decode()
    text = " ".join(re.sub(r"<[^>]+>", " ", html).split())

    assert entries(html) == ["query_matrix", "query", "score"]
    assert "查询矩阵 query matrix What query matrix means" in text
    assert ("in rows" in text, "in columns" in text, "one number" in text) == (True, True, True)
    assert ("learned in training" in text, html.partition("glossary-group")[2].count("role-mark role-q")) == (True, 2)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["query_matrix", "query", "score"]),
        ("query", ["query_matrix", "query"]),
        ("QUERY mat", ["query_matrix"]),
        ("查询矩阵", ["query_matrix"]),
        ("分的意", ["score"]),
        ("W_q", ["query_matrix"]),
        ("nothing", []),
        ("(", ["query_matrix", "query", "score"]),
    ],
)
def test_a_search_finds_words_as_they_begin_and_chinese_anywhere(
    query: str, found: list[str], ada: User, as_user: SignedIn, glossary: None
) -> None:
    html = as_user(ada).get(ADDRESS, {"q": query}).content.decode()

    assert entries(html) == found


def test_strangers_and_others_do_not_get_in(otto: User, as_user: SignedIn, client: object, glossary: None) -> None:
    assert as_user(otto).get(ADDRESS).status_code == 404
    assert client.get(ADDRESS).status_code == 302


def test_a_lesson_follows_the_reader_and_links_the_glossary(
    ada: User, as_user: SignedIn, sources: tuple[CurriculumSource, ...]
) -> None:
    (tiny,) = sources
    first, *others = tiny.lessons
    prose = Prose("A query: $q_i = {row: x_i W_Q | column: W_q x_i}$, with $W_Q$.")
    segments = {language: (prose, *parts[1:]) for language, parts in first.lesson.segments.items()}
    told = replace(first, lesson=replace(first.lesson, segments=segments))
    content_load(curriculums=[replace(tiny, lessons=(told, *others), glossary=GLOSSARY)])
    client = as_user(ada)
    lesson = "/en/courses/spring/lessons/first/"

    rows = client.get(lesson).content.decode()
    response = client.post("/en/settings/", {"convention": "column", "next": lesson})
    columns = client.get(response["Location"]).content.decode()
    client.post("/en/settings/", {"convention": "lesson", "next": lesson})
    again = client.get(lesson).content.decode()

    assert names(rows) == ["x_", "W_Q", "W_Q"]
    assert names(columns) == ["W_q", "x_", "W_q"]
    assert names(again) == names(rows)
    pressed = re.compile(r'value="(\w+)"\s+aria-pressed="true"')
    assert [pressed.findall(page)[:-1] for page in (rows, columns, again)] == [["lesson"], ["column"], ["lesson"]]
    assert re.findall(r'href="/en/courses/spring/glossary/#(\w+)" class="(\w+)"', rows) == [
        ("query", "term"),
        ("query_matrix", "symbol"),
    ]
    assert re.findall(r'data-entry="(\w+)"\s+data-symbols="([^"]*)"', rows) == [
        ("query_matrix", "W_Q W_q"),
        ("query", "q_"),
        ("score", "s_"),
    ]


def test_a_page_of_an_exercise_has_all_cards_and_on_paper_those_of_what_stands_there(
    ada: User, as_user: SignedIn, attempt: AttemptBy, glossary: None
) -> None:
    by_hand = attempt(ada, "by-hand")
    for response in (half_right_numbers(by_hand), transposed_numbers(by_hand)):
        sent = submission_create(attempt=by_hand, raw_response=response).submission
    client = as_user(ada)
    client.post(submit_address(by_hand).replace("/submit/", "/solution/"))

    alone = client.get("/en/courses/spring/items/by-hand/").content.decode()
    solved = client.get(f"/en/submissions/{sent.public_id}/").content.decode()
    hints = client.post(submit_address(by_hand).replace("/submit/", "/hint/"), headers={"HX-Request": "true"})

    for html in (alone, solved):
        assert re.findall(r'data-entry="(\w+)"', html) == ["query_matrix", "query", "score"]
        assert re.findall(r'class="symbol-card symbol-here"[^>]*data-entry="(\w+)"', html) == ["query_matrix", "query"]
        assert html.index('class="symbols-here"') < html.index('class="symbol-card')
    assert hints.content.decode().count("symbol-card") == 0


@pytest.mark.parametrize(
    ("who", "address", "cards"),
    [
        ("ada", "/en/courses/spring/skills/", 3),
        ("ada", "/en/search/?q=query", 3),
        ("ada", "/en/search/?q=zebra", 0),
        ("ines", "/en/courses/spring/analysis/by-hand/", 3),
        ("ines", "/en/courses/spring/analysis/", 3),
        ("ines", "/en/courses/spring/people/", 0),
        ("ines", "/en/courses/spring/items/by-hand/class/", 3),
    ],
)
def test_pages_around_the_lessons_have_the_cards_where_they_show_formulas(
    who: str, address: str, cards: int, ada: User, ines: User, as_user: SignedIn, glossary: None
) -> None:
    html = as_user({"ada": ada, "ines": ines}[who]).get(address).content.decode()

    assert len(re.findall(r'data-entry="(\w+)"', html)) == cards


def test_a_term_that_a_search_finds_has_its_card(ada: User, as_user: SignedIn, glossary: None) -> None:
    found = as_user(ada).get("/en/search/?q=score").content.decode()

    assert re.findall(r'class="term"\s+href="/en/courses/spring/glossary/#(\w+)"', found) == ["score"]


def names(html: str) -> list[str]:
    prose = html.partition('class="prose"')[2].partition("</div>")[0]
    return [name for name in re.findall(r"sym-([\w-]+)", prose) if name != "q_"]
