"""A course of one lesson with two labs: one to change, and one that is only looked at."""

from __future__ import annotations

from pathlib import Path

from exercises.models import Enrollment, Item
from exercises.services.content_load import content_load
from grader.bank import CurriculumSource, ItemPlace, ItemSource, Lesson, LessonSource, Prose
from grader.marking.text import LANGUAGES, Text
from tests.factories import CourseFactory, EnrollmentFactory, UserFactory
from tests.grader import samples
from tests.grader.kind_samples import LAB, LAB_TO_LOOK_AT

LESSON = "/en/courses/labs/lessons/only/"
BOTH_WAYS = {"zh-hans": "一{row: 行 | column: 列}一个词元。", "en": "One token a {row: row | column: column}."}
START = {
    f"{name}-{row}-{column}": str(int(row == column)) for name in ("W_Q", "W_K") for row in (0, 1) for column in (0, 1)
}
RIGHT = {**START, "W_Q-0-0": "0", "W_Q-0-1": "6", "W_Q-1-1": "-6"}


def enroll_ada() -> Enrollment:
    """Ada, in that course."""
    items = []
    for toml in (LAB, LAB_TO_LOOK_AT):
        item = samples.item(toml)
        definition = {**samples.definition(toml), "prompt": BOTH_WAYS}
        items.append(ItemSource(item.slug, item.kind, item.title, str(item.max_score), definition))
    segments = (Prose("…"), *(ItemPlace(item.slug) for item in items))
    lesson = Lesson("only", Text("实验", "Labs"), dict.fromkeys(LANGUAGES, segments), {})
    words = Text("实验", "Labs")
    content_load(curriculums=[CurriculumSource(Path(), "labs", words, words, (LessonSource(lesson, tuple(items)),))])
    course = CourseFactory(slug="labs", curriculum=Item.objects.get(slug="lab").curriculum)
    return EnrollmentFactory(user=UserFactory(username="ada", display_name="Ada"), course=course)
