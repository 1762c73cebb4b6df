"""What `content_new` writes is content that passes the check; what it refuses leaves no trace."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from exercises.markup.lesson import lesson_anchors
from exercises.markup.readable import unreadable
from grader.bank import read_content
from grader.gate import check_content
from grader.gate.programs import SEED, judge_program, reference_programs, try_program
from grader.marking.items import ItemKind
from grader.sandbox import Sandbox

CONTENT = Path(__file__).parents[3] / "content"


@pytest.fixture
def folder(tmp_path: Path, settings: Settings) -> Path:
    """Words for misconceptions and skills, and one course that the command has made."""
    directory = tmp_path / "content"
    directory.mkdir()
    for name in ("misconceptions.toml", "skills.toml"):
        shutil.copy(CONTENT / name, directory)
    settings.CONTENT_DIRS = [directory]
    call_command("content_new", "course", "mine", "--in", str(directory / "mine"))
    return directory


def files(folder: Path) -> dict[Path, str]:
    return {path: path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.is_file()}


def refusals(folder: Path, *others: Path) -> list[str]:
    report = check_content([folder, *others], unreadable, lesson_anchors)
    return [*map(str, report.all_refusals())]


def test_a_new_course_is_in_order_as_it_stands(folder):
    (course,) = read_content(folder)
    assert (course.slug, [lesson.slug for lesson in course.lessons]) == ("mine", ["mine-lesson"])
    assert refusals(folder) == []


@pytest.mark.parametrize("kind", list(ItemKind))
def test_a_new_item_of_every_kind_is_in_order_as_it_stands(folder, kind, capsys):
    call_command("content_new", "item", kind, "first-one", "--lesson", "mine-lesson")

    (course,) = read_content(folder)
    assert [(item.slug, item.kind) for item in course.lessons[0].items][-1] == ("first-one", kind)
    assert refusals(folder) == []
    assert f"written: {folder / 'mine/lessons/mine-lesson/items.toml'}" in capsys.readouterr().out


def test_all_kinds_stand_in_one_lesson_together(folder):
    for kind in ItemKind:
        call_command("content_new", "item", kind, f"one-{kind}", "--lesson", "mine-lesson")
    assert refusals(folder) == []


@pytest.mark.jail
def test_a_new_program_item_brings_programs_that_get_their_names(folder, jail: Sandbox):
    call_command("content_new", "item", "code", "cd-new", "--lesson", "mine-lesson")
    (course,) = read_content(folder)
    definition = course.lessons[0].items[-1].definition
    programs = reference_programs(course.folder)
    assert [program.expected for program in programs] == ["correct", "w_transposed"]
    assert [judge_program(each, try_program(definition, each, jail, SEED)) for each in programs] == ["", ""]


def test_a_new_lesson_is_the_last_of_its_course(folder):
    call_command("content_new", "lesson", "second")
    (course,) = read_content(folder)
    assert [lesson.slug for lesson in course.lessons] == ["mine-lesson", "second"]
    assert refusals(folder) == []


def test_a_new_misconception_can_be_named_at_once(folder):
    call_command("content_new", "misconception", "query_for_key")
    assert "[query_for_key]" in (folder / "misconceptions.toml").read_text(encoding="utf-8")
    assert refusals(folder) == []


def test_a_course_elsewhere_shares_the_words_of_the_others(folder, tmp_path):
    own = tmp_path / "somewhere" / "evening"
    call_command("content_new", "course", "evening", "--in", str(own))
    assert [course.slug for course in read_content(folder, own)] == ["mine", "evening"]
    assert refusals(folder, own) == []


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["item", "numeric", "mine-lesson-1", "--lesson", "mine-lesson"], "nothing was written"),
        (["item", "numeric", "a b", "--lesson", "mine-lesson"], "is no slug"),
        (["item", "numeric", "x", "--lesson", "nowhere"], "mine has no lesson 'nowhere'; it has mine-lesson"),
        (["item", "numeric", "x", "--lesson", "mine-lesson", "--course", "other"], "name one of the courses"),
        (["lesson", "mine-lesson"], "there is a folder lessons/mine-lesson already"),
        (["lesson", "../up"], "is no slug"),
        (["misconception", "wrong_matrix"], "there is a misconception of this slug already"),
        (["course", "mine", "--in", "{folder}/mine"], "this folder is not empty"),
        (["course", "mine", "--in", "{folder}/../again"], "holds a course of this slug already"),
    ],
)
def test_what_cannot_be_written_leaves_everything_as_it_was(folder, arguments, reason):
    before, around = files(folder.parent), sorted(folder.parent.rglob("*"))
    with pytest.raises(CommandError) as refused:
        call_command("content_new", *[argument.format(folder=folder) for argument in arguments])
    assert reason in str(refused.value)
    assert files(folder.parent) == before
    assert sorted(folder.parent.rglob("*")) == around


def test_content_that_is_broken_already_is_named_first(folder):
    (folder / "mine" / "course.toml").write_text("format = 2\n", encoding="utf-8")
    with pytest.raises(CommandError, match=r"course\.toml"):
        call_command("content_new", "lesson", "second")
