"""The map of five hundred students × sixty items in a browser, as one view. Bounds are more than ten times what it takes alone."""

from __future__ import annotations

from time import monotonic

import pytest
from playwright.sync_api import Page, expect

from exercises.models import Course, Enrollment, User
from tests.e2e.conftest import OpenReader
from tests.e2e.test_accessibility import assert_sound, looks
from tests.exercises.figures import wide_class
from tests.factories import EnrollmentFactory

STUDENTS, ITEMS = 500, 60
OPENS_WITHIN_SECONDS, SCROLLS_WITHIN_SECONDS = 60, 20


@pytest.fixture
def wide(ines: User) -> Course:
    """A class of that size that Ines teaches; every third student is in group A."""
    course = wide_class("wide", students=STUDENTS, items=ITEMS)
    EnrollmentFactory(course=course, user=ines, role="instructor")
    group = course.labels.create(name="Group A")
    group.enrollments.set(Enrollment.objects.filter(course=course, role="student").order_by("pk")[::3])
    return course


def corner(page: Page, part: str) -> tuple[float, float]:
    box = page.locator(part).first.bounding_box()
    assert box is not None
    return box["x"], box["y"]


def scrolled_by(page: Page, way: str, pixels: int) -> None:
    """Browsers scroll smoothly: wait until it is done, for at most as long as is allowed."""
    until, before = monotonic() + SCROLLS_WITHIN_SECONDS, -1
    while monotonic() < until:
        now = page.locator(".heat-scroll").evaluate(f"box => box.{way}")
        if now >= pixels and now == before:
            return
        before = now
        page.wait_for_timeout(100)
    pytest.fail(f"{way} is {before}, not {pixels}")


def assert_the_heads_stay(page: Page) -> None:
    """Scrolled by the keyboard, both ways: the heads of rows and columns stay, in step with their cells."""
    student, item = corner(page, ".heat thead th"), corner(page, ".heat thead th:nth-child(3)")
    page.locator(".heat-scroll").focus()
    page.keyboard.press("End")
    scrolled_by(page, "scrollTop", 20_000)
    page.keyboard.press("ArrowRight")
    scrolled_by(page, "scrollLeft", 10)
    last = ".heat tbody tr:last-child"
    expect(page.locator(f"{last} th")).to_be_in_viewport()
    assert corner(page, ".heat thead th") == student
    assert corner(page, ".heat thead th:nth-child(3)")[1] == item[1]
    assert corner(page, f"{last} th")[0] == student[0]
    assert corner(page, f"{last} td:nth-child(7)")[0] == corner(page, ".heat thead th:nth-child(7)")[0]


def assert_focus_is_never_under_the_heads(page: Page) -> None:
    page.locator(".heat tbody tr:nth-child(40) a").focus()
    for _ in range(30):
        page.keyboard.press("Shift+Tab")
    top = page.evaluate("document.activeElement.getBoundingClientRect().top")
    assert top >= page.evaluate("document.querySelector('.heat thead').getBoundingClientRect().bottom")
    for _ in range(30):
        page.keyboard.press("Tab")
    bottom = page.evaluate("document.activeElement.getBoundingClientRect().bottom")
    assert bottom <= page.evaluate("document.querySelector('.heat tfoot').getBoundingClientRect().top")


def assert_it_is_ordered_and_filtered(page: Page) -> None:
    """The form is one of the keyboard's stops, and what was chosen stays chosen."""
    page.get_by_label("Order").select_option("points")
    page.get_by_label("Label").select_option("Group A")
    page.get_by_label("Small: signs alone").check()
    page.get_by_role("button", name="Show").press("Enter")
    page.wait_for_url("**order=points**")
    points = [float(each.split("/")[0]) for each in page.locator(".heat tbody td:nth-child(2)").all_text_contents()]
    assert (len(points), points) == (167, sorted(points, reverse=True))
    expect(page.get_by_label("Small: signs alone")).to_be_checked()


def assert_words_stay_under_signs(page: Page) -> None:
    """A glance over all, a word under the pointer, and every word for those who listen."""
    width = "document.querySelector('.heat tbody td:nth-child(4)').offsetWidth"
    assert page.evaluate(width) < 30
    expect(page.get_by_role("cell", name="Not started").first).to_be_attached()
    cell = page.locator(".heat tbody tr:nth-child(3) td:nth-child(5)")
    cell.hover()
    expect(cell.locator("span")).to_be_visible()
    page.get_by_label("Small: signs alone").uncheck()
    assert page.evaluate(width) > 100


def test_five_hundred_students_and_sixty_items_are_one_map(wide: Course, ines: User, reader: OpenReader) -> None:
    window = reader(ines)
    window.page.set_default_timeout(OPENS_WITHIN_SECONDS * 1000)
    begun = monotonic()
    page = window.open("/en/courses/wide/progress/")
    assert monotonic() - begun < OPENS_WITHIN_SECONDS
    expect(page.locator(".heat tbody tr")).to_have_count(STUDENTS)
    expect(page.locator('.heat tbody td[class^="heat-"]')).to_have_count(STUDENTS * ITEMS)
    expect(page.locator(".pages")).to_have_count(0)
    assert_focus_is_never_under_the_heads(page)
    assert_the_heads_stay(page)
    assert_it_is_ordered_and_filtered(page)
    assert_words_stay_under_signs(page)


@looks
def test_both_kinds_of_map_are_sound(
    language: str, theme: str, width: int, ines: User, course: Course, reader: OpenReader
) -> None:
    small = wide_class("small", students=12, items=20)
    EnrollmentFactory(course=small, user=ines, role="instructor")
    window = reader(ines, width=width, theme=theme)
    for query in ("", "?cells=signs"):
        assert_sound(window.open(f"/{language}/courses/small/progress/{query}"))
