"""All that there is to teach: the curriculums that the content files hold now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, Q

from exercises.models import Curriculum, Enrollment, Lesson, User
from grader.marking.text import Text


@dataclass(frozen=True, slots=True)
class CurriculumRow:
    """One curriculum, and the courses on it that the reader is in."""

    slug: str
    title: Text
    summary: Text
    lessons: tuple[Text, ...]
    items: int
    mine: tuple[tuple[str, Text], ...]


def curriculum_rows(user: User) -> tuple[CurriculumRow, ...]:
    """Three queries, however many there are."""
    counted = Curriculum.objects.filter(is_active=True).annotate(items_now=Count("items", Q(items__is_active=True)))
    lessons = _lessons()
    mine = _mine(user)
    return tuple(
        CurriculumRow(
            slug=each.slug,
            title=Text.from_json(each.title),
            summary=Text.from_json(each.summary),
            lessons=tuple(lessons.get(each.pk, ())),
            items=each.items_now,
            mine=tuple(mine.get(each.pk, ())),
        )
        for each in counted.order_by("slug")
    )


def _lessons() -> Mapping[int, list[Text]]:
    titles: dict[int, list[Text]] = {}
    rows = Lesson.objects.filter(is_active=True).order_by("position")
    for curriculum, title in rows.values_list("curriculum_id", "title"):
        titles.setdefault(curriculum, []).append(Text.from_json(title))
    return titles


def _mine(user: User) -> Mapping[int, list[tuple[str, Text]]]:
    courses: dict[int, list[tuple[str, Text]]] = {}
    rows = Enrollment.objects.filter(user=user).order_by("course__slug")
    for curriculum, slug, title in rows.values_list("course__curriculum_id", "course__slug", "course__title"):
        courses.setdefault(curriculum, []).append((slug, Text.from_json(title)))
    return courses
