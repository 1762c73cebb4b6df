from __future__ import annotations

from dataclasses import replace

from exercises.models import Curriculum, Item, ItemVersion, Lesson, LessonVersion
from exercises.services.content_load import ContentChanges, content_load
from grader.bank import read_content
from grader.marking.text import Text
from tests.exercises.conftest import CONTENT
from tests.exercises.responses import right_numbers

ITEMS = ["item by-hand", "item pick", "item program", "item in-words"]


def with_items(sources, change):
    """The sources with the items of each lesson passed through `change`."""
    (tiny,) = sources
    lessons = tuple(replace(lesson, items=tuple(change(lesson.items))) for lesson in tiny.lessons)
    return (replace(tiny, lessons=lessons),)


def renamed(item):
    definition = {**item.definition, "title": {"zh-hans": "新", "en": "new"}}
    return replace(item, title=Text("新", "new"), definition=definition)


def test_first_load_stores_everything(db, sources):
    changes = content_load(curriculums=sources)
    assert changes.added == ["curriculum tiny", "lesson first", "lesson second", *ITEMS]
    assert (changes.changed, changes.retired) == ([], [])
    assert [lesson.version.number for lesson in Lesson.objects.all()] == [1, 1]
    numeric = Item.objects.get(slug="by-hand")
    assert (numeric.kind, numeric.max_score, numeric.title["en"]) == ("numeric", 2, "One query")
    assert numeric.version.definition == sources[0].lessons[0].items[0].definition


def test_second_load_changes_nothing(curriculum):
    before = (ItemVersion.objects.count(), LessonVersion.objects.count())
    changes = content_load(curriculums=read_content(CONTENT))
    assert changes == ContentChanges()
    assert not changes
    assert (ItemVersion.objects.count(), LessonVersion.objects.count()) == before


def test_a_changed_item_gets_a_version_and_an_old_attempt_keeps_its_own(sources, ada, attempt, item):
    old = attempt(ada, "by-hand")
    changes = content_load(curriculums=with_items(sources, lambda items: [renamed(each) for each in items]))
    assert changes.changed == ITEMS
    assert item("by-hand").title["en"] == "new"
    assert item("by-hand").version.number == 2
    old.refresh_from_db()
    assert old.item_version.number == 1
    assert right_numbers(old)["fields"]["q"]


def test_content_that_comes_back_is_the_version_it_was(sources, curriculum, item):
    content_load(curriculums=with_items(sources, lambda items: [renamed(each) for each in items]))
    content_load(curriculums=sources)
    assert item("by-hand").version.number == 1
    assert ItemVersion.objects.filter(item__slug="by-hand").count() == 2


def test_what_leaves_the_files_is_retired_and_returns_active(sources, ada, attempt, item):
    old = attempt(ada, "pick")
    changes = content_load(curriculums=with_items(sources, lambda items: [i for i in items if i.slug != "pick"]))
    assert changes.retired == ["item pick"]
    assert not item("pick").is_active
    old.refresh_from_db()
    assert old.item == item("pick")
    assert content_load(curriculums=sources).changed == ["item pick", "item program"]
    assert item("pick").is_active


def test_a_curriculum_that_leaves_the_files_is_retired(curriculum):
    assert content_load(curriculums=()).retired == ["curriculum tiny"]
    assert not Curriculum.objects.get().is_active
