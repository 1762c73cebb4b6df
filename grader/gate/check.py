"""The content check: reads a content folder as the loader does, and then tries out what reading alone cannot see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from grader.bank import (
    ContentError,
    CurriculumSource,
    ItemSource,
    LessonSource,
    Term,
    item_conventions,
    item_words,
    parse_glossary,
    parse_item,
    read_content,
)
from grader.bank.content import GLOSSARY, MISCONCEPTIONS, SKILLS
from grader.bank.errors import DefinitionError
from grader.bank.toml_file import TomlFile, read_toml
from grader.gate.cases import check_cases
from grader.gate.conventions import check_conventions, one_sided
from grader.gate.help import check_help
from grader.gate.labs import check_goals_are_open
from grader.gate.links import Anchors, Places, check_links, places
from grader.gate.numbers import check_separation, separation
from grader.gate.report import ContentReport, Fault, ItemReport, Key, Refusal, SlipClass
from grader.gate.rounding import check_rounding
from grader.gate.terms import drifting
from grader.gate.words import (
    Unreadable,
    check_formulas,
    check_numbers_given_away,
    check_option_given_away,
    check_translations,
    silent_headings,
    texts,
)
from grader.marking.either import in_convention, told_each
from grader.marking.items import ChoiceItem, CodeItem, Convention, Item, LabItem, NumericItem
from grader.marking.text import LANGUAGES


def check_content(directories: Sequence[Path], unreadable: Unreadable, anchors: Anchors) -> ContentReport:
    """Check every item, lesson, misconception and skill of these folders."""
    try:
        curriculums = read_content(*directories)
    except ContentError as error:
        return ContentReport((), (Refusal.of(error),))
    lessons = [
        _Folder(curriculum.folder / "lessons" / lesson.slug, lesson, by_language, parse_glossary(curriculum.glossary))
        for curriculum in curriculums
        for by_language in [_places(curriculum, anchors)]
        for lesson in curriculum.lessons
    ]
    sources = [(folder, source) for folder in lessons for source in folder.lesson.items]
    files = [directory / name for directory in directories for name in (MISCONCEPTIONS, SKILLS, GLOSSARY)]
    shared = [read_toml(path) for path in files if path.exists()]
    named = {slug for _, source in sources for slug in source.definition["misconceptions"]}
    practised = {source.definition.get("skill", "") for _, source in sources}
    refusals: list[Refusal] = []
    for file in shared:
        words = told_each(file.values, Convention.ROW)
        refusals += _refusals(file, (), (*check_formulas(words, unreadable), *check_translations(words)))
    for folder in lessons:
        refusals += _check_lesson(folder, unreadable)
    return ContentReport(
        items=tuple(_check_item(folder, source, unreadable) for folder, source in sources),
        refusals=tuple(refusals),
        notes=tuple(_unused([file for file in shared if file.path.name != GLOSSARY], named | practised)),
    )


@dataclass(frozen=True, slots=True)
class _Folder:
    """A lesson, where it is, what its texts can link to in each language, and what it must call things."""

    path: Path
    lesson: LessonSource
    places: Mapping[str, Places]
    terms: tuple[Term, ...]


def _places(curriculum: CurriculumSource, anchors: Anchors) -> dict[str, Places]:
    return {
        language: places(
            {
                lesson.slug: (
                    (curriculum.folder / "lessons" / lesson.slug / f"lesson.{language}.md").read_text(encoding="utf-8"),
                    [item.slug for item in lesson.items],
                )
                for lesson in curriculum.lessons
            },
            anchors,
        )
        for language in LANGUAGES
    }


def _check_item(folder: _Folder, source: ItemSource, unreadable: Unreadable) -> ItemReport:
    tellings = item_conventions(source.definition)
    tried, *others = (Tried.of(parse_item(source.definition, convention)) for convention in tellings)
    faults = dict.fromkeys(
        (
            *_check_words(folder, source, unreadable),
            *check_help(parse_item(source.definition)),
            *(fault for each in (tried, *others) for fault in each.faults),
        )
    )
    file = read_toml(folder.path / "items.toml")
    place = next(number for number, entry in enumerate(file.values["item"]) if entry["slug"] == source.slug)
    return ItemReport(
        place="/".join((*folder.path.parts[-3::2], source.slug)),
        kind=source.kind,
        slips=tried.slips,
        classes=tried.classes,
        share=tried.share,
        refusals=tuple(_refusals(file, ("item", place), faults)),
        notes=tried.notes,
    )


def _check_words(folder: _Folder, source: ItemSource, unreadable: Unreadable) -> Iterator[Fault]:
    for convention in item_conventions(source.definition):
        words_told = item_words(source.definition, convention)
        yield from check_formulas(words_told, unreadable)
        yield from check_translations(words_told)
    yield from check_conventions(source.definition)
    yield from check_links(source.definition, folder.path.name, folder.places)
    for key, words in texts(source.definition, ()):
        for found, name in drifting(words, str(key[-1]), folder.terms):
            yield Fault(key, f"the glossary calls this {name}: {found}")


def check_definition(definition: Mapping[str, Any], unreadable: Unreadable) -> Tried:
    """One item alone, as it is stored: whether its links lead anywhere, only its folder can tell."""
    told = [item_words(definition, convention) for convention in item_conventions(definition)]
    words = [fault for each in told for fault in (*check_formulas(each, unreadable), *check_translations(each))]
    items = [parse_item(definition, convention) for convention in item_conventions(definition)]
    tried = [Tried.of(item) for item in items]
    helped = check_help(parse_item(definition))
    faults = (*words, *check_conventions(definition), *helped, *(fault for each in tried for fault in each.faults))
    return replace(tried[0], faults=tuple(dict.fromkeys(faults)))


@dataclass(frozen=True, slots=True)
class Tried:
    """What trying an item on many seeds has shown."""

    faults: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()
    slips: int = 0
    classes: tuple[SlipClass, ...] = ()
    share: float | None = None

    @classmethod
    def of(cls, item: Item) -> Tried:
        """Each kind is tried in its own way; what holds numbers somewhere within is tried by them."""
        if isinstance(item, CodeItem):
            plan = check_cases(item)
            return cls(plan.findings.faults, plan.findings.notes, plan.slips, plan.classes, plan.share)
        if isinstance(item, ChoiceItem):
            return cls(tuple(check_option_given_away(item)))
        if isinstance(item, LabItem):
            return cls(tuple(check_goals_are_open(item)))
        numeric = next((part for part in (item, *_parts(item)) if isinstance(part, NumericItem)), None)
        return cls() if numeric is None else cls._of_numbers(numeric)

    @classmethod
    def _of_numbers(cls, item: NumericItem) -> Tried:
        found = separation(item.derivation)
        separated = check_separation(item.derivation)
        faults = (
            *separated.faults,
            *check_rounding(item, found.variants),
            *check_numbers_given_away(item, found.variants),
        )
        return cls(faults, separated.notes, found.slips, found.classes, found.share)


def _unused(shared: Iterable[TomlFile], named: set[str]) -> Iterator[str]:
    for file in shared:
        unused = [slug for slug in file.values if slug not in named]
        if unused:
            yield f"{file.path.stem} that no item names: {', '.join(unused)}"


def _parts(item: Item) -> Iterator[object]:
    return (getattr(item, field.name) for field in fields(item))


def _check_lesson(folder: _Folder, unreadable: Unreadable) -> Iterator[Refusal]:
    for language in LANGUAGES:
        path = folder.path / f"lesson.{language}.md"
        markdown = path.read_text(encoding="utf-8")
        tellings = {in_convention(markdown, convention) for convention in Convention}
        for formula in dict.fromkeys(formula for each in tellings for formula in unreadable(each)):
            place = max(markdown.find(formula), markdown.find(f"${formula}$"))
            yield Refusal(path, _line(markdown, place), "", f"this cannot be shown: {formula}")
        for formula in one_sided(markdown) if folder.lesson.lesson.convention else ():
            reason = f"this reads in one convention alone; write {{row: … | column: …}}: {formula}"
            yield Refusal(path, _line(markdown, markdown.find(formula)), "", reason)
        for row in silent_headings(markdown):
            reason = "a heading of this table is nothing but a formula; a word beside it is read aloud"
            yield Refusal(path, _line(markdown, markdown.find(row)), "", f"{reason}: {row}")
        for found, name in drifting(markdown, language, folder.terms):
            yield Refusal(path, _line(markdown, markdown.find(found)), "", f"the glossary calls this {name}: {found}")
        for target, reason in folder.places[language].broken(markdown, folder.lesson.slug):
            yield Refusal(path, _line(markdown, markdown.find(f"({target}")), "", f"({target}) {reason}")


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, max(place, 0)) + 1


def _refusals(file: TomlFile, key: Key, faults: Iterable[Fault]) -> Iterator[Refusal]:
    for fault in faults:
        yield Refusal.of(file.refuse(DefinitionError((*key, *fault.key), fault.reason)))
