"""Bring the stored curriculums in line with the content files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Model, QuerySet

from exercises.models import Curriculum, Item, ItemVersion, Lesson, LessonVersion
from grader.bank import CurriculumSource, ItemSource, LessonSource, digest


@dataclass(slots=True)
class ContentChanges:
    """What a load changed: "lesson projection", "item pj-qkv"."""

    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    retired: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        """Whether anything changed at all."""
        return bool(self.added or self.changed or self.retired)


@transaction.atomic
def content_load(*, curriculums: Iterable[CurriculumSource]) -> ContentChanges:
    """Safe to repeat: what is stored already is left alone, what has left the files is retired and never deleted."""
    changes = ContentChanges()
    kept = [_load_curriculum(source, changes) for source in curriculums]
    _retire("curriculum", Curriculum.objects.all(), kept, changes)
    return changes


def _load_curriculum(source: CurriculumSource, changes: ContentChanges) -> Curriculum:
    facts = {
        "title": source.title.to_json(),
        "summary": source.summary.to_json(),
        "glossary": dict(source.glossary),
        "is_active": True,
    }
    curriculum, is_new = Curriculum.objects.get_or_create(slug=source.slug, defaults=facts)
    is_changed = _set(curriculum, facts)
    _note(changes, f"curriculum {source.slug}", is_new=is_new, is_changed=is_changed)
    lessons = [_load_lesson(curriculum, place, each, changes) for place, each in enumerate(source.lessons, start=1)]
    _retire("lesson", Lesson.objects.filter(curriculum=curriculum), lessons, changes)
    items = [
        _load_item(lesson, place, each, changes)
        for lesson, lesson_source in zip(lessons, source.lessons, strict=True)
        for place, each in enumerate(lesson_source.items, start=1)
    ]
    _retire("item", Item.objects.filter(curriculum=curriculum), items, changes)
    return curriculum


def _load_lesson(curriculum: Curriculum, place: int, source: LessonSource, changes: ContentChanges) -> Lesson:
    title = source.title.to_json()
    lesson, is_new = Lesson.objects.get_or_create(
        curriculum=curriculum, slug=source.slug, defaults={"title": title, "position": place}
    )
    content = source.to_json()
    version = lesson.versions.filter(digest=digest(content)).first() or LessonVersion.objects.create(
        lesson=lesson, number=lesson.versions.count() + 1, digest=digest(content), source=content
    )
    is_changed = _set(lesson, {"title": title, "position": place, "is_active": True, "current_version_id": version.pk})
    _note(changes, f"lesson {source.slug}", is_new=is_new, is_changed=is_changed)
    return lesson


def _load_item(lesson: Lesson, place: int, source: ItemSource, changes: ContentChanges) -> Item:
    facts = {
        "lesson_id": lesson.pk,
        "position": place,
        "kind": str(source.kind),
        "title": source.title.to_json(),
        "max_score": Decimal(source.max_score),
        "policy": source.definition.get("policy", {}),
        "skill": _skill(source.definition),
    }
    item, is_new = Item.objects.get_or_create(curriculum=lesson.curriculum, slug=source.slug, defaults=facts)
    mark = digest(source.definition)
    version = item.versions.filter(digest=mark).first() or ItemVersion.objects.create(
        item=item, number=item.versions.count() + 1, digest=mark, definition=source.definition
    )
    is_changed = _set(item, {**facts, "is_active": True, "current_version_id": version.pk})
    _note(changes, f"item {source.slug}", is_new=is_new, is_changed=is_changed)
    return item


def _skill(definition: Mapping[str, Any]) -> dict[str, Any]:
    slug = definition.get("skill")
    return {"slug": slug, **definition["skills"][slug]} if slug else {}


def _set(row: Model, values: Mapping[str, Any]) -> bool:
    different = [name for name, value in values.items() if getattr(row, name) != value]
    for name in different:
        setattr(row, name, values[name])
    if different:
        row.save(update_fields=different)
    return bool(different)


def _note(changes: ContentChanges, name: str, *, is_new: bool, is_changed: bool) -> None:
    if is_new:
        changes.added.append(name)
    elif is_changed:
        changes.changed.append(name)


def _retire(kind: str, rows: QuerySet[Any], kept: Iterable[Model], changes: ContentChanges) -> None:
    gone = rows.filter(is_active=True).exclude(pk__in=[row.pk for row in kept])
    changes.retired.extend(f"{kind} {slug}" for slug in gone.values_list("slug", flat=True))
    gone.update(is_active=False)
