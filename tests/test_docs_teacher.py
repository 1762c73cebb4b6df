"""What teachers are told works: every command, lesson, item and misconception of docs/teacher is carried out in order."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django import Settings

from exercises.markup.lesson import lesson_anchors
from exercises.markup.readable import unreadable
from grader.bank import read_content
from grader.gate import check_content

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted((ROOT / "docs" / "teacher").glob("write-*.md"))
LANGUAGES = ("zh-hans", "en")
PART = re.compile(r"^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"`([\w./-]+\.(?:toml|md))`")
COMMAND = ".venv/bin/python manage.py "


@pytest.fixture
def place(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in: `content` with the words of all misconceptions and skills, and a course called `mine`."""
    content = tmp_path / "content"
    content.mkdir()
    for name in ("misconceptions.toml", "skills.toml"):
        shutil.copy(ROOT / "content" / name, content)
    monkeypatch.chdir(tmp_path)
    settings.CONTENT_DIRS = [content]
    call_command("content_new", "course", "mine", "--in", str(content / "mine"))
    return tmp_path


def parts(page: str) -> Iterator[tuple[str, str, str]]:
    """Kind, text and the file that was named last before it; one of the course `mine` is named within `content`."""
    for part in PART.finditer(page):
        named = ["", *FILE.findall(page[: part.start()])][-1]
        yield part["kind"], part["text"], f"content/{named}" if named.startswith("mine/") else named


def run(script: str, settings: Settings, place: Path) -> None:
    for line in script.strip().splitlines():
        if line.startswith("export QKV_CONTENT_DIR="):
            settings.CONTENT_DIRS = [place / name for name in line.partition("=")[2].split(":")]
            continue
        assert line.startswith(COMMAND), line
        name, *arguments = shlex.split(line.removeprefix(COMMAND))
        if name == "content_watch":
            arguments += ["--minutes", "0.001"]
        call_command(name, *arguments)


def follow(page: str, settings: Settings, place: Path) -> None:
    for kind, text, named in parts(page):
        match kind:
            case "sh":
                run(text, settings, place)
            case "toml":
                path = place / named
                path.write_text(f"{path.read_text('utf-8')}\n{text}", "utf-8")
            case "markdown" if text.startswith("# "):
                (place / named).write_text(text, "utf-8")
            case "markdown":
                for language in LANGUAGES:
                    lesson = place / "content/mine/lessons/mine-lesson" / f"lesson.{language}.md"
                    lesson.write_text(f"{lesson.read_text('utf-8')}\n{text}", "utf-8")


@pytest.mark.django_db
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_whoever_follows_a_page_has_content_that_is_in_order(page: Path, place: Path, settings: Settings) -> None:
    follow(page.read_text(encoding="utf-8"), settings, place)

    report = check_content(settings.CONTENT_DIRS, unreadable, lesson_anchors)
    assert list(map(str, report.all_refusals())) == []
    assert len(report.items) > 1


@pytest.mark.parametrize("page", sorted({page.name.partition(".")[0] for page in PAGES}))
def test_both_languages_carry_out_the_same(page: str) -> None:
    done = [
        sorted(
            (kind, text) for kind, text, _ in parts((ROOT / f"docs/teacher/{page}.{language}.md").read_text("utf-8"))
        )
        for language in LANGUAGES
    ]
    assert done[0] == done[1]


@pytest.mark.django_db
def test_the_course_of_the_page_stands_beside_the_one_that_was_there(place: Path, settings: Settings) -> None:
    follow((ROOT / "docs/teacher/write-a-lesson.en.md").read_text("utf-8"), settings, place)

    mine, evening = read_content(*settings.CONTENT_DIRS)
    assert (mine.slug, evening.slug) == ("mine", "evening")
    assert [lesson.slug for lesson in evening.lessons] == ["evening-lesson", "softmax"]
    assert evening.lessons[1].title.en == "From scores to weights"
