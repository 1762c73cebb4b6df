"""Watching content: a change is loaded once it has come to rest; a fault is named and changes nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from django.core.management import call_command

from exercises.management.commands.content_watch import ContentWatch
from exercises.models import Item, Lesson
from tests.exercises.conftest import CONTENT

pytestmark = pytest.mark.django_db
ITEMS = "tiny/lessons/first/items.toml"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(CONTENT, tmp_path / "content"))


@pytest.fixture
def watch(folder: Path) -> ContentWatch:
    watch = ContentWatch([folder])
    assert "added: curriculum tiny" in watch.look()
    assert watch.look() == []
    return watch


def change(folder: Path, old: str, new: str, name: str = ITEMS) -> Path:
    path = folder / name
    source = path.read_text(encoding="utf-8")
    assert old in source
    path.write_text(source.replace(old, new, 1), encoding="utf-8")
    return path


def test_a_change_is_loaded_when_it_has_come_to_rest(folder, watch):
    change(folder, "One query", "A single query")
    assert watch.look() == []
    assert watch.look() == ["changed: item by-hand"]
    assert Item.objects.get(slug="by-hand").title["en"] == "A single query"
    assert watch.look() == []


def test_a_fault_is_named_with_path_line_key_and_reason_and_the_last_good_version_stays(folder, watch):
    path = change(folder, 'title = { zh-hans = "一个查询", en = "One query" }', 'title = { zh-hans = "新" }')
    watch.look()
    line = path.read_text(encoding="utf-8").splitlines().index('title = { zh-hans = "新" }') + 1
    assert watch.look() == [
        f"refused: {path}:{line}: item[1].title.en: this key is missing",
        "The pages keep the last good version.",
    ]
    assert Item.objects.get(slug="by-hand").title["en"] == "One query"
    assert watch.look() == []  # said once

    change(folder, 'title = { zh-hans = "新" }', 'title = { zh-hans = "新", en = "New" }')
    watch.look()
    assert watch.look() == ["changed: item by-hand"]


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        (ITEMS, "[[item]\n", "no valid TOML"),
        ("tiny/course.toml", "format = 1\n", "this key is missing"),
        ("tiny/lessons/first/lesson.en.md", "no title\n", "the first line must be a title"),
        ("misconceptions.toml", "[a]\n", "this key is missing"),
    ],
)
def test_whatever_file_is_broken_the_lessons_stay(folder, watch, name, text, reason):
    (folder / name).write_text(text, encoding="utf-8")
    watch.look()
    refused, kept = watch.look()
    assert refused.startswith(f"refused: {folder / name}")
    assert reason in refused
    assert kept == "The pages keep the last good version."
    assert Lesson.objects.filter(is_active=True).count() == 2


def test_a_file_that_comes_and_one_that_goes_are_changes(folder, watch):
    (folder / "tiny/lessons/first/items.toml").rename(folder / "tiny/lessons/first/items.old")
    watch.look()
    assert watch.look()[0].endswith("items.toml: this file is missing")
    (folder / "tiny/lessons/first/items.old").rename(folder / "tiny/lessons/first/items.toml")
    watch.look()
    assert watch.look() == ["content unchanged"]


def test_what_is_no_content_wakes_nobody(folder, watch):
    (folder / "notes.swp").write_text("…", encoding="utf-8")
    assert (watch.look(), watch.look()) == ([], [])


def test_content_that_is_broken_from_the_start_is_named_at_once(folder):
    (folder / ITEMS).write_text("[[item]\n", encoding="utf-8")
    assert ContentWatch([folder]).look()[0].startswith(f"refused: {folder / ITEMS}:1")


def test_the_command_ends_by_itself(folder, capsys):
    call_command("content_watch", str(folder), "--minutes", "0.001")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"watching {folder}; the pages: http")
    assert "added: curriculum tiny" in lines
    assert lines[-1] == "no longer watching"
