"""The figures of a class in a browser: zero findings of axe, charts above their tables, and nothing scrolls sideways."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from exercises.models import Course, Enrollment, Submission, User
from exercises.queries.repertoires import repertoires
from exercises.services.cohort_create import cohort_create
from exercises.services.predictions_keep import predictions_bring_up_to_date
from tests.e2e.conftest import OpenReader
from tests.e2e.test_accessibility import assert_sound, looks
from tests.factories import EnrollmentFactory

PAGES = ("overview", "progress", "misconceptions", "unexplained", "analysis", "analysis/pj-q")


@pytest.fixture
def simulated(ines: User) -> Course:
    """Twelve simulated learners in a course that Ines teaches; they know the items with numbers."""
    curriculum = Course.objects.get(slug="spring").curriculum
    known = [each for each in repertoires(curriculum, []) if each.item.slug in {"pj-q", "sm-axis", "nv-score"}]
    course = cohort_create(curriculum=curriculum, slug="simulated", count=12, repertoires=known, seed=3)
    EnrollmentFactory(course=course, user=ines, role="instructor")
    return course


@looks
def test_figures_are_sound(
    language: str, theme: str, width: int, ines: User, simulated: Course, reader: OpenReader
) -> None:
    window = reader(ines, width=width, theme=theme)
    for path in PAGES:
        assert_sound(window.open(f"/{language}/courses/simulated/{path}/"))
    member = Enrollment.objects.filter(course=simulated, role="student").earliest("pk")
    assert_sound(window.open(f"/{language}/courses/simulated/students/{member.pk}/"))
    sent = Submission.objects.filter(attempt__enrollment=member).earliest("pk")
    assert_sound(window.open(f"/{language}/submissions/{sent.public_id}/replay/"))


def test_predictions_are_sound_on_a_phone_in_the_dark(ines: User, simulated: Course, reader: OpenReader) -> None:
    window = reader(ines, width=360, theme="dark")
    assert_sound(window.open("/en/courses/simulated/predictions/"))
    predictions_bring_up_to_date(course_id=simulated.pk)
    assert_sound(window.open("/en/courses/simulated/predictions/"))


def test_a_chart_stands_above_the_table_that_it_draws(ines: User, simulated: Course, reader: OpenReader) -> None:
    page = reader(ines).open("/en/courses/simulated/overview/")
    page.locator(".chart").scroll_into_view_if_needed()
    expect(page.get_by_role("img", name="Answers and students on each of the last 28 days")).to_be_visible()
    page.get_by_text("The same as a table").click()
    expect(page.locator(".chart tbody tr")).to_have_count(28)


def test_seeing_as_a_student_says_so_and_can_be_left(ines: User, simulated: Course, reader: OpenReader) -> None:
    member = Enrollment.objects.filter(course=simulated, role="student").earliest("pk")
    page = reader(ines).open(f"/en/courses/simulated/students/{member.pk}/")
    page.get_by_role("button", name="See the course as this student").click()
    expect(page.get_by_text("You see this course as Learner 0001 sees it.")).to_be_visible()
    assert_sound(page)
    page.get_by_role("button", name="Stop looking").click()
    expect(page.get_by_role("heading", name="Learner 0001")).to_be_visible()
