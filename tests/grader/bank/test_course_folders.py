"""Courses in folders of their own, and names and files that cannot be taken."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grader.bank import ContentError, read_content

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


def refusal(*folders: Path) -> ContentError:
    with pytest.raises(ContentError) as refused:
        read_content(*folders)
    return refused.value


@pytest.mark.parametrize("slug", ["../lessons/qkv", "qkv", "a b"])
def test_a_course_names_each_of_its_lessons_once_by_its_folder(folder, slug):
    replace(folder / "qkv" / "course.toml", "lessons = [", f'lessons = ["{slug}", ')
    assert (refusal(folder).key, refusal(folder).line > 0) == ("lessons", True)


def test_an_item_whose_slug_cannot_stand_in_an_address_is_refused(folder):
    replace(folder / LESSON / "items.toml", 'slug = "pj-qkv"', 'slug = "pj qkv"')
    assert (refusal(folder).key, refusal(folder).line > 0) == ("item[1].slug", True)


def test_a_folder_in_the_place_of_a_file_is_refused(folder):
    path = folder / LESSON / "lesson.en.md"
    path.unlink()
    path.mkdir()
    assert (refusal(folder).path, "cannot be read" in refusal(folder).reason) == (path, True)


def test_an_unknown_skill_is_refused_with_the_list_of_skills(folder):
    replace(folder / LESSON / "items.toml", 'skill = "row-projection"', 'skill = "rows"')
    error = refusal(folder)
    assert error.key.endswith(".skill")
    assert "'rows'; it has dot-product-scores, naive-attention, " in error.reason


@pytest.fixture
def own_course(tmp_path: Path) -> Path:
    """A repository that is one course and nothing else: lesson `qkv` of the course's own, under another name."""
    course = tmp_path / "a-checkout"
    shutil.copytree(CONTENT / LESSON, course / "lessons" / "qkv")
    (course / "course.toml").write_text(
        'format = 1\nslug = "evening"\nlessons = ["qkv"]\n'
        'title = { zh-hans = "夜校", en = "Evening class" }\nsummary = { zh-hans = "一课", en = "One lesson" }\n',
        encoding="utf-8",
    )
    return course


def test_a_course_of_its_own_folder_takes_the_words_of_the_folders_before_it(folder, own_course):
    first, second = read_content(folder, own_course)
    assert (first.slug, second.slug, second.folder) == ("qkv", "evening", own_course)
    assert [item.slug for item in second.lessons[0].items] == [
        item.slug for lesson in first.lessons if lesson.slug == "qkv" for item in lesson.items
    ]


def test_its_own_words_go_before_the_others(folder, own_course):
    words = (folder / "misconceptions.toml").read_text(encoding="utf-8")
    (own_course / "misconceptions.toml").write_text(words.replace("The wrong matrix", "Another matrix"), "utf-8")
    first, second = read_content(folder, own_course)
    titles = [
        item.definition["misconceptions"]["wrong_matrix"]["title"]["en"]
        for course in (first, second)
        for lesson in course.lessons
        for item in lesson.items
        if item.slug == "pj-qkv"
    ]
    assert titles == ["The wrong matrix", "Another matrix"]


def test_alone_it_needs_words_of_its_own(own_course):
    assert (refusal(own_course).path, refusal(own_course).reason) == (
        own_course / "misconceptions.toml",
        "this file is missing",
    )


def test_two_courses_of_one_slug_are_refused(folder, own_course):
    replace(own_course / "course.toml", '"evening"', '"qkv"')
    with pytest.raises(ContentError, match="holds a course of this slug already"):
        read_content(folder, own_course)
