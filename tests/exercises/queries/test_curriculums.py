"""The list of all that there is to teach."""

from __future__ import annotations

from dataclasses import replace

from exercises.queries.curriculums import curriculum_rows
from exercises.services.content_load import content_load
from tests.exercises.kinds import kinds_source


def test_every_curriculum_is_listed_with_its_lessons_and_my_courses(ada, otto, sources):
    content_load(curriculums=[*sources, kinds_source()])
    kinds, tiny = curriculum_rows(ada)
    assert (tiny.slug, [title.en for title in tiny.lessons], tiny.items) == (
        "tiny",
        ["The first lesson", "The second lesson"],
        4,
    )
    assert [slug for slug, _ in tiny.mine] == ["spring"]
    assert (kinds.slug, kinds.items, kinds.mine) == ("kinds", 4, ())
    assert [slug for slug, _ in curriculum_rows(otto)[1].mine] == ["autumn"]


def test_two_curriculums_may_use_one_slug_for_lesson_and_item(ada, sources):
    (tiny,) = sources
    twin = replace(tiny, slug="twin")
    changes = content_load(curriculums=[tiny, twin])
    assert "item by-hand" in changes.added
    assert [row.items for row in curriculum_rows(ada)] == [4, 4]
    assert not content_load(curriculums=[tiny, twin])


def test_a_retired_curriculum_is_not_listed(ada, sources):
    content_load(curriculums=[kinds_source()])
    assert [row.slug for row in curriculum_rows(ada)] == ["kinds"]


def test_the_list_takes_three_queries(ada, sources, django_assert_num_queries):
    for curriculums in (sources, [*sources, kinds_source()]):
        content_load(curriculums=curriculums)
        with django_assert_num_queries(3):
            curriculum_rows(ada)
