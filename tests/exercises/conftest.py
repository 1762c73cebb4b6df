"""The fixed cast: Ada and Ben take a course that Ines teaches, Otto takes another course of the same curriculum."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django import Settings
from redis import Redis

from exercises.enums import Role
from exercises.models import Attempt, Course, Curriculum, Enrollment, Item, User
from exercises.services.attempt_start import attempt_start
from exercises.services.content_load import content_load
from grader.bank import CurriculumSource, read_content
from tests.exercises.grading import DAY, DUE, Clock
from tests.factories import CourseFactory, EnrollmentFactory, UserFactory

CONTENT = Path(__file__).parent / "content"

ItemBySlug = Callable[[str], Item]
AttemptBy = Callable[..., Attempt]


@pytest.fixture(scope="session")
def sources() -> tuple[CurriculumSource, ...]:
    """A tiny curriculum: by-hand, pick and program in lesson first, in-words in lesson second."""
    return read_content(CONTENT)


@pytest.fixture
def curriculum(db: None, sources: tuple[CurriculumSource, ...]) -> Curriculum:
    content_load(curriculums=sources)
    return Curriculum.objects.get(slug="tiny")


@pytest.fixture
def course(curriculum: Curriculum) -> Course:
    return CourseFactory(slug="spring", curriculum=curriculum)


@pytest.fixture
def other_course(curriculum: Curriculum) -> Course:
    return CourseFactory(slug="autumn", curriculum=curriculum)


@pytest.fixture
def ada(course: Course) -> User:
    user = UserFactory(username="ada", display_name="Ada")
    EnrollmentFactory(user=user, course=course)
    return user


@pytest.fixture
def ben(course: Course) -> User:
    user = UserFactory(username="ben", display_name="Ben")
    EnrollmentFactory(user=user, course=course)
    return user


@pytest.fixture
def ines(course: Course) -> User:
    user = UserFactory(username="ines", display_name="Ines")
    EnrollmentFactory(user=user, course=course, role=Role.INSTRUCTOR)
    return user


@pytest.fixture
def otto(other_course: Course) -> User:
    user = UserFactory(username="otto", display_name="Otto")
    EnrollmentFactory(user=user, course=other_course)
    return user


@pytest.fixture
def enrollment_of() -> Callable[[User], Enrollment]:
    """The one enrollment of a member of the cast."""
    return lambda user: Enrollment.objects.select_related("course__curriculum", "user").get(user=user)


@pytest.fixture
def item(curriculum: Curriculum) -> ItemBySlug:
    """An item by its slug."""
    return lambda slug: Item.objects.select_related("current_version", "lesson").get(slug=slug)


@pytest.fixture
def attempt(item: ItemBySlug, enrollment_of: Callable[[User], Enrollment]) -> AttemptBy:
    """attempt(user, slug): the user's current attempt at an item."""

    def started(user: User, slug: str, *, fresh: bool = False) -> Attempt:
        return attempt_start(enrollment=enrollment_of(user), item=item(slug), fresh=fresh)

    return started


@pytest.fixture
def valkey(broker: str) -> Iterator[Redis]:
    """A client of the broker, to look at what passes through it."""
    with Redis.from_url(broker, decode_responses=True) as client:
        yield client


@pytest.fixture
def broker_away(settings: Settings) -> None:
    """Nobody listens where the broker should be."""
    settings.REDIS_URL = settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"


@pytest.fixture
def broker_silent(settings: Settings) -> Iterator[None]:
    """Something takes the connection where the broker should be, and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"redis://127.0.0.1:{server.getsockname()[1]}/0"
        settings.REDIS_URL = settings.CELERY_BROKER_URL = address
        yield


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The site's clock, five days before what is due in tests; it stands until it is moved."""
    clock = Clock(DUE - 5 * DAY)
    monkeypatch.setattr(timezone, "now", lambda: clock.now)
    return clock
