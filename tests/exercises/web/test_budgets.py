"""What the lessons of the course cost to load, as they stand."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from django.test import Client

from exercises.models import Lesson, User
from exercises.services.content_load import content_load
from grader.bank import read_content
from tests.exercises.web.conftest import SignedIn
from tests.factories import CourseFactory, EnrollmentFactory, UserFactory

CONTENT = Path(__file__).parents[3] / "content"
LOADED = re.compile(r'<(?:link|script|img)\b[^>]*?(?:href|src)="(/static/[^"#]+)')
SPRITE = re.compile(r'<use href="(/static/[^"#]+)')
LAZY = re.compile(r'data-(?:reader|script|editor)="(/static/[^"]+)"')


@pytest.fixture
def reader(db: None) -> User:
    content_load(curriculums=read_content(CONTENT))
    course = CourseFactory(slug="spring", curriculum=Lesson.objects.all()[0].curriculum)
    return EnrollmentFactory(user=UserFactory(), course=course).user


def page(browser: Client, language: str, slug: str) -> str:
    response = browser.get(f"/{language}/courses/spring/lessons/{slug}/")
    assert response.status_code == 200
    return response.content.decode()


def test_every_lesson_keeps_the_budget_of_its_page(reader: User, as_user: SignedIn) -> None:
    browser = as_user(reader)
    pages = {
        (lesson.slug, language): page(browser, language, lesson.slug)
        for lesson in Lesson.objects.all()
        for language in ("en", "zh-hans")
    }

    sizes = {key: len(gzip.compress(html.encode(), 6)) for key, html in pages.items()}
    assert {key: size for key, size in sizes.items() if size > 40_000} == {}
    # The page itself, and what it loads; the pieces for code and for a matrix come when one is used.
    requests = {key: 1 + len({*LOADED.findall(html), *SPRITE.findall(html)}) for key, html in pages.items()}
    assert {key: count for key, count in requests.items() if count > 8} == {}
    lazy = {re.sub(r"\.\w+\.js", ".js", name) for html in pages.values() for name in LAZY.findall(html)}
    assert lazy == {f"/static/exercises/{name}.js" for name in ("entry", "code", "editor")}
