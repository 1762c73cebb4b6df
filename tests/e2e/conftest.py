"""A real browser on the running site, with the real content: what no test of a single page can see."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from django.conf import settings as site
from django.test import Client
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from exercises.enums import Role
from exercises.models import Course, Curriculum, User
from exercises.services.content_load import content_load
from grader.bank import CurriculumSource, read_content
from tests.factories import CourseFactory, EnrollmentFactory, UserFactory

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# Far longer than anything takes, on a machine that does ten other things as well.
PATIENCE_MS = 30_000
expect.set_options(timeout=PATIENCE_MS)
# An answer that was refused is no fault of the page, though the browser's console lists it.
REFUSED = (
    *("status of 409", "status of 422", "status of 429", "status of 404"),
    # A page may look for its worker just when a test has taken the network away.
    "error occurred when fetching the script",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.e2e)


@dataclass(slots=True)
class Reader:
    """Somebody at a browser: a page, and whatever the browser complained of."""

    page: Page
    address: str
    complaints: list[str] = field(default_factory=list)

    def open(self, path: str) -> Page:
        self.page.goto(f"{self.address}{path}")
        return self.page


OpenReader = Callable[..., Reader]


@pytest.fixture(scope="session", autouse=True)
def allow_the_browsers_event_loop() -> Iterator[None]:
    """Playwright keeps an event loop in this thread; Django would refuse its database beside one."""
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    yield
    if before is None:
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright: Playwright, chromium: Path) -> Iterator[Browser]:
    started = playwright.chromium.launch(executable_path=str(chromium), headless=True, args=FLAGS)
    yield started
    started.close()


@pytest.fixture(scope="session")
def real_content() -> tuple[CurriculumSource, ...]:
    return read_content(*site.CONTENT_DIRS)


@pytest.fixture
def course(transactional_db: None, real_content: tuple[CurriculumSource, ...]) -> Course:
    content_load(curriculums=real_content)
    return CourseFactory(slug="spring", curriculum=Curriculum.objects.get(slug="qkv"))


@pytest.fixture
def ada(course: Course) -> User:
    user = UserFactory(username="ada", display_name="Ada")
    EnrollmentFactory(user=user, course=course)
    return user


@pytest.fixture
def ines(course: Course) -> User:
    user = UserFactory(username="ines", display_name="Ines")
    EnrollmentFactory(user=user, course=course, role=Role.INSTRUCTOR)
    return user


@pytest.fixture
def broker_away(settings: Settings) -> None:
    """Nobody listens where the broker should be, so code waits until the test settles it."""
    settings.REDIS_URL = settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"


@pytest.fixture
def reader(browser: Browser, live_server: LiveServer) -> Iterator[OpenReader]:
    """reader(user, width=..., scripts=...): a fresh browser window; no complaint may be left at the end."""
    windows: list[Reader] = []

    def opened(user: User | None = None, *, width: int = 1280, scripts: bool = True, theme: str = "light") -> Reader:
        context = browser.new_context(
            viewport={"width": width, "height": 800}, java_script_enabled=scripts, color_scheme=theme, locale="zh-CN"
        )
        if user is not None:
            client = Client()
            client.force_login(user)
            session = client.cookies[site.SESSION_COOKIE_NAME].value
            context.add_cookies([{"name": site.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])
        window = Reader(context.new_page(), live_server.url)
        window.page.set_default_timeout(PATIENCE_MS)
        window.page.on("pageerror", lambda error: window.complaints.append(str(error)))
        window.page.on("console", lambda message: _note(window, message.type, message.text))
        windows.append(window)
        return window

    yield opened
    complaints = [complaint for window in windows for complaint in window.complaints]
    for window in windows:
        # A page that is closed saves its drafts; nobody may be writing while the database is emptied.
        window.page.context.set_offline(True)
        window.page.context.close()
    assert complaints == []


def _note(window: Reader, kind: str, text: str) -> None:
    if kind in {"error", "warning"} and not any(known in text for known in REFUSED):
        window.complaints.append(text)
