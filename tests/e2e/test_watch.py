"""An author writes, and the page follows by itself."""

from __future__ import annotations

from dataclasses import replace

from playwright.sync_api import expect

from exercises.models import User
from exercises.services.content_load import content_load
from grader.bank import CurriculumSource
from grader.marking.text import Text
from tests.e2e.conftest import OpenReader


def test_a_watched_lesson_loads_itself_again_once_it_has_changed(
    ines: User, real_content: tuple[CurriculumSource, ...], reader: OpenReader
) -> None:
    page = reader(ines).open("/en/courses/spring/lessons/naive/?watch")

    content_load(curriculums=[replace(each, lessons=tuple(map(titled_anew, each.lessons))) for each in real_content])

    expect(page.get_by_role("heading", level=1)).to_have_text("Written anew", timeout=60_000)


def titled_anew(source):
    return replace(source, lesson=replace(source.lesson, title=Text("重新写的", "Written anew")))
