"""The content check: reads a content folder as the loader does, and then tries out what reading alone cannot see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path

from grader.bank import ContentError, ItemSource, parse_item, read_content
from grader.bank.errors import DefinitionError
from grader.bank.toml_file import TomlFile, read_toml
from grader.gate.cases import check_cases
from grader.gate.numbers import check_separation, separation
from grader.gate.report import ContentReport, Fault, ItemReport, Key, Refusal, SlipClass
from grader.gate.rounding import check_rounding
from grader.gate.words import Unreadable, check_formulas, check_numbers_given_away, check_option_given_away
from grader.marking.items import ChoiceItem, CodeItem, Item, NumericItem
from grader.marking.text import LANGUAGES


def check_content(directory: Path, unreadable: Unreadable) -> ContentReport:
    """Check every item, lesson and misconception of a folder."""
    try:
        curriculums = read_content(directory)
    except ContentError as error:
        return ContentReport((), (Refusal.of(error),))
    lessons = [
        (directory / curriculum.slug / "lessons" / lesson.slug, lesson)
        for curriculum in curriculums
        for lesson in curriculum.lessons
    ]
    sources = [(folder, source) for folder, lesson in lessons for source in lesson.items]
    misconceptions = read_toml(directory / "misconceptions.toml")
    named = {slug for _, source in sources for slug in source.definition["misconceptions"]}
    refusals = [*_refusals(misconceptions, (), check_formulas(misconceptions.values, unreadable))]
    for folder, _ in lessons:
        refusals += _check_lesson(folder, unreadable)
    return ContentReport(
        items=tuple(_check_item(folder, source, unreadable) for folder, source in sources),
        refusals=tuple(refusals),
        notes=tuple(_unnamed(misconceptions.values, named)),
    )


def _check_item(folder: Path, source: ItemSource, unreadable: Unreadable) -> ItemReport:
    item = parse_item(source.definition)
    tried = _Tried.of(item)
    faults = [*check_formulas(source.definition, unreadable), *tried.faults]
    file = read_toml(folder / "items.toml")
    place = next(number for number, entry in enumerate(file.values["item"]) if entry["slug"] == source.slug)
    return ItemReport(
        place="/".join((*folder.parts[-3::2], source.slug)),
        kind=source.kind,
        slips=tried.slips,
        classes=tried.classes,
        share=tried.share,
        refusals=tuple(_refusals(file, ("item", place), faults)),
        notes=tried.notes,
    )


@dataclass(frozen=True, slots=True)
class _Tried:
    """What trying an item on many seeds has shown."""

    faults: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()
    slips: int = 0
    classes: tuple[SlipClass, ...] = ()
    share: float | None = None

    @classmethod
    def of(cls, item: Item) -> _Tried:
        """Each kind is tried in its own way; what holds numbers somewhere within is tried by them."""
        if isinstance(item, CodeItem):
            plan = check_cases(item)
            return cls(plan.findings.faults, plan.findings.notes, plan.slips, plan.classes, plan.share)
        if isinstance(item, ChoiceItem):
            return cls(tuple(check_option_given_away(item)))
        numeric = next((part for part in (item, *_parts(item)) if isinstance(part, NumericItem)), None)
        return cls() if numeric is None else cls._of_numbers(numeric)

    @classmethod
    def _of_numbers(cls, item: NumericItem) -> _Tried:
        found = separation(item.derivation)
        separated = check_separation(item.derivation)
        faults = (
            *separated.faults,
            *check_rounding(item, found.variants),
            *check_numbers_given_away(item, found.variants),
        )
        return cls(faults, separated.notes, found.slips, found.classes, found.share)


def _unnamed(misconceptions: Iterable[str], named: set[str]) -> Iterator[str]:
    unnamed = [slug for slug in misconceptions if slug not in named]
    if unnamed:
        yield f"misconceptions that no item can name: {', '.join(unnamed)}"


def _parts(item: Item) -> Iterator[object]:
    return (getattr(item, field.name) for field in fields(item))


def _check_lesson(folder: Path, unreadable: Unreadable) -> Iterator[Refusal]:
    for language in LANGUAGES:
        path = folder / f"lesson.{language}.md"
        markdown = path.read_text(encoding="utf-8")
        for formula in unreadable(markdown):
            place = max(markdown.find(formula), markdown.find(f"${formula}$"))
            line = markdown.count("\n", 0, max(place, 0)) + 1
            yield Refusal(path, line, "", f"this cannot be shown: {formula}")


def _refusals(file: TomlFile, key: Key, faults: Iterable[Fault]) -> Iterator[Refusal]:
    for fault in faults:
        yield Refusal.of(file.refuse(DefinitionError((*key, *fault.key), fault.reason)))
