"""Content files are read whole or refused with path, key, line and reason."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from grader.bank import ContentError, ItemPlace, Prose, digest, parse_item, parse_lesson, read_content
from grader.marking.items import ItemKind
from grader.marking.text import LANGUAGES

CONTENT = Path(__file__).parents[3] / "content"
LESSON = Path("qkv/lessons/qkv")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the course's own content, to be spoiled."""
    return Path(shutil.copytree(CONTENT, tmp_path / "content"))


def replace(path: Path, old: str, new: str) -> None:
    source = path.read_text(encoding="utf-8")
    assert old in source
    path.write_text(source.replace(old, new, 1), encoding="utf-8")


def line_of(path: Path, text: str) -> int:
    return path.read_text(encoding="utf-8").splitlines().index(text) + 1


def refusal(folder: Path) -> ContentError:
    with pytest.raises(ContentError) as refused:
        read_content(folder)
    return refused.value


def test_the_course_is_read_and_each_item_is_whole_in_its_json():
    for curriculum in read_content(CONTENT):
        for lesson in curriculum.lessons:
            assert parse_lesson(json.loads(json.dumps(lesson.to_json()))) == lesson.lesson
            for item in lesson.items:
                assert parse_item(json.loads(json.dumps(item.definition))).slug == item.slug


def test_the_two_lessons_place_every_kind_of_item_in_the_reading():
    lessons = [lesson for curriculum in read_content(CONTENT) for lesson in curriculum.lessons]

    assert {item.kind for lesson in lessons for item in lesson.items} == set(ItemKind)
    for lesson in lessons:
        for language in LANGUAGES:
            segments = lesson.lesson.segments[language]
            assert isinstance(segments[0], Prose)
            placed = [segment.slug for segment in segments if isinstance(segment, ItemPlace)]
            assert placed == [item.slug for item in lesson.items]


def test_reading_twice_gives_the_same_digests(folder):
    def digests(root: Path) -> list[str]:
        lessons = [lesson for curriculum in read_content(root) for lesson in curriculum.lessons]
        return [digest(item.definition) for lesson in lessons for item in lesson.items]

    before = digests(folder)
    assert digests(CONTENT) == before
    replace(folder / LESSON / "items.toml", "decimals = 3", "decimals = 4")
    assert sum(one != other for one, other in zip(before, digests(folder), strict=True)) == 1


BROKEN_ITEMS = [
    ('kind = "numeric"', 'kind = "riddle"', "item[1].kind", "no kind of item"),
    ("max_score = 3", "max_score = 0", "item[1].max_score", "above zero"),
    ("max_score = 3", 'max_score = "3"', "item[1].max_score", "number is needed"),
    (
        'kind = "numeric"\nconvention = "row"',
        'kind = "numeric"\nconvention = "diagonal"',
        "item[1].convention",
        "neither row nor column",
    ),
    ("sizes = { d = 2, d_k = 2 }", "sizes = { d = 2, d_k = 0 }", "item[1].sizes.d_k", "size from 1"),
    ("sizes = { d = 2, d_k = 2 }", "sizes = { d = 2 }", "item[1].given.W_Q", "has no size"),
    ('W_K = { like = "W_Q" }', 'W_K = { like = "W_Z" }', "item[1].given.W_K.like", "not given before"),
    ('q = "project_rows(x, W_Q)"', 'q = "project_rows(x, W_Z)"', "item[1].steps.q", "stands for nothing yet"),
    ('q = "project_rows(x, W_Q)"', 'q = "eval(x, W_Q)"', "item[1].steps.q", "no operation"),
    ('q = "project_rows(x, W_Q)"', 'q = "project_rows(W_Q, x)"', "item[1].steps", "takes"),
    ("q = { decimals = 2 }", "z = { decimals = 2 }", "item[1].ask.z", "no such step"),
    ("q = { decimals = 2 }", "q = { decimals = 99 }", "item[1].ask.q.decimals", "decimals can be asked"),
    ("q = { decimals = 2 }", "q = { digits = 2 }", "item[1].ask.q.digits", "unknown key"),
    ("draw = [-1, -0.5, 0, 0.5, 1, 2]", "draw = [1]", "item[1].given", "tells the mistakes apart"),
]


@pytest.mark.parametrize(("old", "new", "key", "reason"), BROKEN_ITEMS)
def test_a_bad_item_is_refused_with_path_key_line_and_reason(folder, old, new, key, reason):
    path = folder / LESSON / "items.toml"
    replace(path, old, new)

    error = refusal(folder)

    assert (error.path, error.key) == (path, key)
    assert reason in error.reason
    assert f"{path}:{error.line}: {key}: " in str(error)
    around = path.read_text(encoding="utf-8").splitlines()[error.line - 1]
    assert key.rsplit(".", 1)[-1] in around or new in around


def test_another_order_of_steps_is_other_content():
    assert digest({"q": 1, "k": 2}) != digest({"k": 2, "q": 1})
    assert digest({"q": 1, "k": 2}) == digest({"q": 1, "k": 2})


def test_a_missing_translation_is_refused(folder):
    replace(folder / LESSON / "items.toml", ', en = "One token’s q, k and v by hand" }', " }")

    error = refusal(folder)

    assert (error.key, error.reason) == ("item[1].title.en", "this key is missing")


def test_broken_toml_is_refused_with_its_line(folder):
    path = folder / "misconceptions.toml"
    path.write_text("[a]\nb = \n", encoding="utf-8")

    assert (refusal(folder).path, refusal(folder).line) == (path, 2)


def test_a_misconception_that_an_item_can_show_must_have_words(folder):
    replace(folder / "misconceptions.toml", "[wrong_matrix]", "[another_name]")

    error = refusal(folder)

    assert error.path == folder / LESSON / "items.toml"
    assert "wrong_matrix" in error.reason


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_item_without_a_place_or_a_place_without_an_item_is_refused(folder, language):
    path = folder / LESSON / f"lesson.{language}.md"
    replace(path, "{{ item qc-1 }}", "")

    error = refusal(folder)

    assert (error.path, error.key) == (path, "qc-1")
    assert "{{ item qc-1 }}" in error.reason
    path.write_text(
        f"{path.read_text(encoding='utf-8')}\n\n{{{{ item qc-1 }}}}\n\n{{{{ item qc-9 }}}}\n", encoding="utf-8"
    )
    assert (refusal(folder).key, refusal(folder).line) == ("qc-9", len(path.read_text(encoding="utf-8").splitlines()))
    replace(path, "{{ item qc-9 }}", "{{ item qc-1 }}")
    assert (refusal(folder).key, refusal(folder).reason) == ("qc-1", "this item has a place further up already")


def test_items_in_another_order_in_one_language_are_refused(folder):
    path = folder / LESSON / "lesson.en.md"
    replace(path, "{{ item pj-qkv }}", "{{ item other }}")
    replace(path, "{{ item sc-softmax }}", "{{ item pj-qkv }}")
    replace(path, "{{ item other }}", "{{ item sc-softmax }}")

    error = refusal(folder)

    assert "another order" in error.reason
    assert "{{ item sc-softmax }}" in path.read_text(encoding="utf-8").splitlines()[error.line - 1]


def test_a_missing_figure_is_refused_with_the_line_that_names_it(folder):
    for figure in (folder / LESSON / "figures").glob("three-jobs*"):
        figure.unlink()

    error = refusal(folder)

    assert error.path == folder / LESSON / "lesson.zh-hans.md"
    assert "three-jobs" in error.path.read_text(encoding="utf-8").splitlines()[error.line - 1]


def test_a_lesson_needs_a_title(folder):
    path = folder / LESSON / "lesson.zh-hans.md"
    path.write_text("没有标题\n", encoding="utf-8")

    assert (refusal(folder).path, refusal(folder).line) == (path, 1)


@pytest.mark.parametrize("name", ["misconceptions.toml", "qkv/lessons/qkv/lesson.en.md", "qkv/lessons/qkv/items.toml"])
def test_a_missing_file_and_one_that_is_no_utf8_are_refused(folder, name):
    (folder / name).write_bytes("计算".encode("gbk"))
    assert "not UTF-8" in refusal(folder).reason
    (folder / name).unlink()
    assert (refusal(folder).path, refusal(folder).reason) == (folder / name, "this file is missing")


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("format = 1", "format = 2", "format"),
        ('slug = "qkv"', 'slug = "other"', "slug"),
        ("lessons = [", 'lessons = ["nowhere", ', "lessons"),
    ],
)
def test_a_course_of_another_format_name_or_with_missing_lessons_is_refused(folder, old, new, key):
    path = folder / "qkv" / "course.toml"
    replace(path, old, new)

    assert (refusal(folder).path, refusal(folder).key, refusal(folder).line > 0) == (path, key, True)


def test_one_slug_in_two_lessons_is_refused(folder):
    other = folder / "qkv/lessons/projection"
    replace(other / "items.toml", 'slug = "wa-fixed"', 'slug = "qc-1"')
    for language in LANGUAGES:
        replace(other / f"lesson.{language}.md", "{{ item wa-fixed }}", "{{ item qc-1 }}")

    assert "has an item of this slug" in refusal(folder).reason


def test_a_folder_without_a_course_is_refused(tmp_path):
    (tmp_path / "misconceptions.toml").write_text("", encoding="utf-8")

    assert "course.toml" in refusal(tmp_path).reason
