"""Content folders as a whole: curriculums of lessons, lessons with their items.

content/misconceptions.toml               shared by all curriculums of this folder and of those after it
content/skills.toml                       shared in the same way; may be missing where no item names a skill
content/glossary.toml                     the terms of the courses, shared in the same way; may be missing
content/<curriculum>/course.toml          title, summary, order of lessons
content/<curriculum>/lessons/<slug>/      lesson.<language>.md, items.toml, figures/<name>[.<language>].svg

A folder with a course.toml of its own is one curriculum, whatever the folder is called: a repository, say.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from grader.bank.common import read_misconception, read_skill
from grader.bank.errors import ContentError, DefinitionError
from grader.bank.glossary import read_term
from grader.bank.items import read_item
from grader.bank.lab_items import with_data
from grader.bank.lessons import (
    FIGURE,
    Lesson,
    Segments,
    item_lines,
    item_slugs,
    lesson_to_json,
    split_segments,
    split_title,
)
from grader.bank.needs import misconceptions_needed
from grader.bank.table import Table, is_slug
from grader.bank.telling import conventions, home
from grader.bank.toml_file import TomlFile, read_text, read_toml
from grader.derivation.variants import NoSeparableVariantError
from grader.marking.items import Convention, Item, ItemKind
from grader.marking.text import LANGUAGES, Text
from grader.marking.variants import draw_variant

FORMAT = 1
# What a lesson calls its convention where that is part of the matter: it names one at every formula, and never switches.
FIXED = "fixed"
COURSE, MISCONCEPTIONS, SKILLS, GLOSSARY = "course.toml", "misconceptions.toml", "skills.toml", "glossary.toml"


@dataclass(frozen=True, slots=True)
class Shared:
    """What the curriculums share: the words of misconceptions, skills and terms, by slug."""

    misconceptions: Mapping[str, Any] = field(default_factory=dict)
    skills: Mapping[str, Any] = field(default_factory=dict)
    terms: Mapping[str, Any] = field(default_factory=dict)

    def with_words_of(self, directory: Path) -> Shared:
        """The words of one more folder go before those that are known already."""
        misconceptions, skills, terms = (directory / name for name in (MISCONCEPTIONS, SKILLS, GLOSSARY))
        is_needed = not self.misconceptions  # by the first folder: it has nobody to share with
        own = _read_words(misconceptions, read_misconception) if is_needed or misconceptions.exists() else {}
        named = _read_words(skills, read_skill) if skills.exists() else {}
        told = _read_words(terms, read_term) if terms.exists() else {}
        return Shared({**self.misconceptions, **own}, {**self.skills, **named}, {**self.terms, **told})


@dataclass(frozen=True, slots=True)
class ItemSource:
    """An item as a file defines it. The definition is plain JSON and whole in itself."""

    slug: str
    kind: ItemKind
    title: Text
    max_score: str
    definition: dict[str, Any]


@dataclass(frozen=True, slots=True)
class LessonSource:
    """A lesson with its items in the order of reading."""

    lesson: Lesson
    items: tuple[ItemSource, ...]

    @property
    def slug(self) -> str:
        """The lesson's folder."""
        return self.lesson.slug

    @property
    def title(self) -> Text:
        """The lesson's title."""
        return self.lesson.title

    def to_json(self) -> dict[str, Any]:
        """What a version of the lesson keeps."""
        return lesson_to_json(self.lesson)


@dataclass(frozen=True, slots=True)
class CurriculumSource:
    """A course as content: what a class is taught from."""

    folder: Path
    slug: str
    title: Text
    summary: Text
    lessons: tuple[LessonSource, ...]
    glossary: Mapping[str, Any] = field(default_factory=dict)


def digest(value: object) -> str:
    """The SHA-256 of a JSON value; the order of keys is part of it, since the order of givens and steps is content."""
    canonical = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


def read_content(*directories: Path) -> tuple[CurriculumSource, ...]:
    """Every curriculum of the content folders. Raises ContentError at the first thing that cannot be taken."""
    shared = Shared()
    found: dict[str, CurriculumSource] = {}
    for directory in directories:
        shared = shared.with_words_of(directory)
        for file in map(read_toml, course_files(directory)):
            curriculum = _read_curriculum(file, shared, is_nested=file.path.parent != directory)
            if curriculum.slug in found:
                other = found[curriculum.slug].folder
                raise file.refuse(DefinitionError(("slug",), f"{other} holds a course of this slug already"))
            found[curriculum.slug] = curriculum
    return tuple(found.values())


def course_files(directory: Path) -> list[Path]:
    """The course.toml of each curriculum in a folder. Raises ContentError where there is none."""
    own = directory / COURSE
    courses = [own] if own.exists() else sorted(directory.glob(f"*/{COURSE}"))
    if not courses:
        raise ContentError(directory, "", 0, f"there is no {COURSE} and no <course>/{COURSE} in this folder")
    return courses


def _read_words(path: Path, read: Callable[[str, Table], object]) -> Mapping[str, Any]:
    """The values of a file of named tables, once each of them could be read."""
    file = read_toml(path)
    table = Table(file.values)
    try:
        for slug in file.values:
            read(slug, table.table(slug))
    except DefinitionError as error:
        raise file.refuse(error) from None
    return file.values


def _read_curriculum(file: TomlFile, shared: Shared, *, is_nested: bool) -> CurriculumSource:
    folder = file.path.parent
    try:
        table = Table(file.values)
        table.only("format", "slug", "title", "summary", "lessons")
        if table.integer("format") != FORMAT:
            raise table.error("format", f"this program reads format {FORMAT}")
        if is_nested and table.text("slug") != folder.name:
            raise table.error("slug", f"the slug must be the folder's name, {folder.name!r}")
        curriculum = CurriculumSource(
            folder, table.slug("slug"), table.both_languages("title"), table.both_languages("summary"), lessons=()
        )
        slugs = table.texts("lessons")
        for slug in slugs:
            if not is_slug(slug) or not (folder / "lessons" / slug).is_dir():
                raise table.error("lessons", f"there is no folder lessons/{slug}")
        if len(set(slugs)) < len(slugs):
            raise table.error("lessons", "a lesson stands here twice")
    except DefinitionError as error:
        raise file.refuse(error) from None
    lessons = tuple(_read_lesson(folder / "lessons" / slug, shared) for slug in slugs)
    _refuse_twins(folder, lessons)
    return replace(curriculum, lessons=lessons, glossary=shared.terms)


def _refuse_twins(folder: Path, lessons: tuple[LessonSource, ...]) -> None:
    seen: dict[str, str] = {}
    for lesson in lessons:
        for item in lesson.items:
            if item.slug in seen:
                where = folder / "lessons" / lesson.slug / "items.toml"
                raise ContentError(where, item.slug, 0, f"lesson {seen[item.slug]!r} has an item of this slug already")
            seen[item.slug] = lesson.slug


def _read_lesson(folder: Path, shared: Shared) -> LessonSource:
    titles: dict[str, str] = {}
    segments: dict[str, Segments] = {}
    figures: dict[str, dict[str, str]] = {}
    for language in LANGUAGES:
        path = folder / f"lesson.{language}.md"
        markdown = read_text(path)
        try:
            titles[language], body = split_title(markdown)
        except ValueError as error:
            raise ContentError(path, "", 1, str(error)) from None
        segments[language] = split_segments(body)
        for figure in FIGURE.finditer(markdown):
            line = markdown.count("\n", 0, figure.start()) + 1
            figures.setdefault(figure["name"], {})[language] = _read_figure(path, line, figure["name"], language)
    file = read_toml(folder / "items.toml")
    items = _read_items(file, shared)
    _check_places(folder, items)
    lesson = Lesson(folder.name, Text.from_json(titles), segments, figures, _read_lesson_convention(file))
    in_order = sorted(items, key=lambda item: item_slugs(segments[LANGUAGES[0]]).index(item.slug))
    return LessonSource(lesson, tuple(in_order))


def _check_places(folder: Path, items: tuple[ItemSource, ...]) -> None:
    """Every item stands in the reading once, in the same order in every language."""
    defined = [item.slug for item in items]
    first: list[str] = []
    for language in LANGUAGES:
        path = folder / f"lesson.{language}.md"
        lines = list(item_lines(read_text(path)))
        placed = [slug for slug, _ in lines]
        for place, (slug, line) in enumerate(lines):
            if slug not in defined:
                raise ContentError(
                    path, slug, line, f"items.toml has no item of this slug; it has {', '.join(defined)}"
                )
            if slug in placed[:place]:
                raise ContentError(path, slug, line, "this item has a place further up already")
        for slug in defined:
            if slug not in placed:
                raise ContentError(
                    path, slug, 0, f"this item has no place in the text; give it a line: {{{{ item {slug} }}}}"
                )
        first = first or placed
        if placed != first:
            slug, line = next(there for there, slug in zip(lines, first, strict=True) if there[0] != slug)
            raise ContentError(path, slug, line, f"the items stand in another order than in lesson.{LANGUAGES[0]}.md")


def _read_figure(lesson: Path, line: int, name: str, language: str) -> str:
    for file in (f"{name}.{language}.svg", f"{name}.svg"):
        path = lesson.parent / "figures" / file
        if path.is_file():
            return read_text(path)
    raise ContentError(lesson, "", line, f"there is no figures/{name}.svg")


def _read_items(file: TomlFile, shared: Shared) -> tuple[ItemSource, ...]:
    try:
        table = Table(file.values)
        table.only("convention", "item")
        entries = (_with_lab_data(entry, file.path.parent) for entry in table.tables("item"))
        return tuple(_read_item(entry, shared) for entry in entries)
    except DefinitionError as error:
        raise file.refuse(error) from None


def _read_lesson_convention(file: TomlFile) -> Convention | None:
    """In which convention a reader without a choice meets the lesson; None where it is part of the matter."""
    table = Table(file.values)
    try:
        return None if table.text_or_none("convention") == FIXED else home(table)
    except DefinitionError as error:
        raise file.refuse(error) from None


def _tellings(table: Table) -> list[Item]:
    """The item in each convention that it can be told in, its own first."""
    return [read_item(table, convention) for convention in conventions(table)]


def _with_lab_data(table: Table, folder: Path) -> Table:
    lab = table.values.get("lab")
    if not isinstance(lab, Mapping) or "data" not in lab:
        return table
    return Table({**table.values, "lab": with_data(table.table("lab"), folder)}, table.key)


def _read_item(table: Table, shared: Shared) -> ItemSource:
    """One item: typed, completed with the words of what it can name, and tried on one variant."""
    named = table.text_or_none("skill")
    skills = {named: shared.skills[named]} if named in shared.skills else {}
    if named and not skills:
        raise table.error("skill", f"{SKILLS} has no {named!r}; it has {', '.join(shared.skills) or 'none'}")
    bare, *twins = _tellings(Table({**table.values, "misconceptions": {}, "skills": skills}, table.key))
    needed = {}
    for slug in dict.fromkeys(slug for item in (bare, *twins) for slug in misconceptions_needed(item)):
        if slug not in shared.misconceptions:
            raise table.error("", f"{MISCONCEPTIONS} has no {slug!r}, which this item can show")
        needed[slug] = shared.misconceptions[slug]
    definition = {**table.values, "misconceptions": needed, "skills": skills}
    try:
        for item in _tellings(Table(definition, table.key)):
            draw_variant(item, seed=0)
    except NoSeparableVariantError as error:
        raise table.error("given", f"{error}; let cells be drawn from more numbers, or ask for more cells") from None
    return ItemSource(bare.slug, bare.kind, bare.title, str(bare.max_score), definition)
