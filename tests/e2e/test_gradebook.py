"""The gradebook in a browser: decisions with their reasons, a score sheet out and in again, columns of one's own."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from exercises.enums import Role
from exercises.models import Enrollment, GradeLayout, Override, User
from exercises.services.assignment_set import AssignmentSettings, assignment_set
from tests.e2e.conftest import OpenReader
from tests.e2e.test_accessibility import assert_sound, looks
from tests.exercises.grading import DUE

BOOK = "/en/courses/spring/gradebook/"


@pytest.fixture
def adas(ada: User, ines: User) -> Enrollment:
    """Ada's place in a course whose lesson is due."""
    teacher = Enrollment.objects.select_related("course__curriculum", "user").get(user=ines)
    assignment_set(instructor=teacher, slug="qkv", settings=AssignmentSettings(due_at=DUE))
    return Enrollment.objects.get(user=ada, role=Role.STUDENT)


@looks
def test_grades_and_their_settings_are_sound(
    language: str, theme: str, width: int, adas: Enrollment, ada: User, ines: User, reader: OpenReader
) -> None:
    window = reader(ines, width=width, theme=theme)
    for path in ("", "assignments/", "assignments/qkv/", "new-assignment/", "sheets/", f"{adas.pk}/qkv/"):
        assert_sound(window.open(f"/{language}/courses/spring/gradebook/{path}"))
    for path in ("copy/", "people/file/", "log/"):
        assert_sound(window.open(f"/{language}/courses/spring/{path}"))
    assert_sound(reader(ada, width=width, theme=theme).open(f"/{language}/courses/spring/grades/"))


def decide(page: Page, act: str, reason: str, **fields: str) -> None:
    form = page.locator("form").filter(has=page.locator(f'[name="act"][value="{act}"]'))
    for name, value in fields.items():
        form.locator(f'[name="{name}"]').fill(value)
    form.locator('[name="reason"]').fill(reason)
    form.locator('button[name="act"], button').first.click()
    expect(page.get_by_text("Saved: Ada.")).to_be_visible()


def test_points_by_hand_keep_their_history_and_an_exemption_takes_them_out_of_the_total(
    adas: Enrollment, ines: User, reader: OpenReader
) -> None:
    page = reader(ines).open(f"{BOOK}{adas.pk}/qkv/")
    decide(page, "override", "Spoken exam", score="1.5")
    decide(page, "override", "Miscounted", score="2")
    for reason in ("Spoken exam", "Miscounted"):
        expect(page.get_by_text(reason)).to_be_visible()
    one = page.url
    page.goto(one.replace(f"{adas.pk}/qkv/", ""))
    total = page.locator("tbody tr", has_text="Ada").locator("td").first
    expect(total).not_to_have_text("0 %")
    page.goto(one)
    decide(page, "exempt", "Ill")
    expect(page.get_by_text("Ill", exact=True)).to_be_visible()

    page.goto(one.replace(f"{adas.pk}/qkv/", ""))
    expect(page.locator("tbody").first).to_contain_text("Exempt")
    expect(total).to_have_text("0 %")
    assert list(Override.objects.order_by("pk").values_list("score", flat=True)) == [1.5, 2]


def test_sheet_is_downloaded_changed_looked_at_and_taken_in(
    adas: Enrollment, ines: User, reader: OpenReader, tmp_path: Path
) -> None:
    page = reader(ines).open(f"{BOOK}sheets/")
    with page.expect_download() as download:
        page.locator('a[href*="layout=plain"]').first.click()
    sheet = Path(download.value.path()).read_text(encoding="utf-8-sig")
    heading, row = csv.reader(sheet.splitlines())
    row[next(place for place, cell in enumerate(heading) if cell.endswith("(qkv)"))] = "1.5"
    changed = tmp_path / "changed.csv"
    with changed.open("w", encoding="gb18030", newline="") as file:
        csv.writer(file).writerows([heading, row])

    page.locator('input[type="file"]').set_input_files(changed)
    page.get_by_role("button", name="Show what would change").click()
    expect(page.locator("tbody").first).to_contain_text("1.5")
    assert not Override.objects.exists()
    page.get_by_role("button", name="Change these grades").click()

    expect(page.get_by_text("1 grade was changed.")).to_be_visible()
    assert Override.objects.get().score == 1.5


def test_columns_of_ones_own_are_kept_and_removed(adas: Enrollment, ines: User, reader: OpenReader) -> None:
    page = reader(ines).open(f"{BOOK}sheets/")
    page.locator('[name="name"]').fill("Registry")
    page.locator('[name="columns"]').fill("学号 = number\n总评 = total-whole")
    page.get_by_role("button", name="Keep these columns").click()
    removal = page.get_by_role("button", name="Remove Registry")
    expect(removal).to_be_visible()
    assert GradeLayout.objects.get().columns == [["学号", "number"], ["总评", "total-whole"]]

    removal.click()
    expect(removal).to_have_count(0)
    assert not GradeLayout.objects.exists()
