"""Whole examples, written into a content folder where they belong: what an author begins a new thing from.

Nothing is written until it is known what will be written where, and all of it can be taken back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.bank.content import COURSE, MISCONCEPTIONS
from grader.bank.errors import ContentError
from grader.bank.table import is_slug
from grader.bank.toml_file import read_text, read_toml
from grader.marking.items import ItemKind
from grader.marking.text import LANGUAGES

EXAMPLES = Path(__file__).with_name("examples")
ITEMS = "items.toml"
PROGRAMS = ("right_matmul.py", "wrong_w_transposed.py")
_SLUG = "@slug@"
_LESSONS = re.compile(r"^lessons\s*=\s*\[(?P<slugs>[^\]]*)\]", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Draft:
    """Files with the text that they shall have."""

    texts: Mapping[Path, str]

    def write(self) -> Written:
        """Write all of them, and remember what was there before."""
        before = {path: path.read_text(encoding="utf-8") if path.exists() else None for path in self.texts}
        made = _missing_parents(self.texts)
        for path, text in self.texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return Written(before, made)


@dataclass(frozen=True, slots=True)
class Written:
    """What a draft has replaced, and which folders it has made, the deepest first."""

    before: Mapping[Path, str | None]
    folders: tuple[Path, ...]

    def take_back(self) -> None:
        """Leave everything as it was."""
        for path, text in self.before.items():
            if text is None:
                path.unlink()
            else:
                path.write_text(text, encoding="utf-8")
        for folder in self.folders:
            folder.rmdir()


def new_course(folder: Path, slug: str) -> Draft:
    """A course in a folder of its own, with one lesson. Raises ContentError."""
    _check_slug(folder, slug)
    if folder.exists() and any(folder.iterdir()):
        raise ContentError(folder, "", 0, "this folder is not empty")
    lesson = f"{slug}-lesson"
    course = _with_lesson(folder / COURSE, _example(COURSE, slug), lesson)
    return Draft({folder / COURSE: course, **_lesson(folder, lesson)})


def new_lesson(course: Path, slug: str) -> Draft:
    """A lesson with one item, last in its course. Raises ContentError."""
    path = course / COURSE
    _check_slug(path, slug)
    if (course / "lessons" / slug).exists():
        raise ContentError(path, "lessons", 0, f"there is a folder lessons/{slug} already")
    return Draft({path: _with_lesson(path, read_text(path), slug), **_lesson(course, slug)})


def new_item(course: Path, lesson: str, kind: ItemKind, slug: str) -> Draft:
    """An item at the end of a lesson, with reference programs if it asks for one. Raises ContentError."""
    folder = course / "lessons" / lesson
    _check_slug(folder / ITEMS, slug)
    texts = {folder / ITEMS: _ending(read_text(folder / ITEMS), _example(f"{kind}.toml", slug))}
    for language in LANGUAGES:
        path = folder / f"lesson.{language}.md"
        texts[path] = _ending(read_text(path), f"{{{{ item {slug} }}}}\n")
    if kind is ItemKind.CODE:
        texts |= {course / "reference" / slug / name: _example(f"{name}.txt", slug) for name in PROGRAMS}
    return Draft(texts)


def new_misconception(directory: Path, slug: str) -> Draft:
    """A misconception, last in its folder's file. Raises ContentError."""
    path = directory / MISCONCEPTIONS
    _check_slug(path, slug)
    if path.exists() and slug in read_toml(path).values:
        raise ContentError(
            path, slug, read_toml(path).line_of((slug,)), "there is a misconception of this slug already"
        )
    before = read_text(path) if path.exists() else ""
    return Draft({path: _ending(before, _example(MISCONCEPTION, slug))})


MISCONCEPTION = "misconception.toml"


def _lesson(course: Path, slug: str) -> dict[Path, str]:
    folder = course / "lessons" / slug
    names = [f"lesson.{language}.md" for language in LANGUAGES]
    return {
        **{folder / name: _example(name, slug) for name in names},
        folder / ITEMS: _example(f"{ItemKind.NUMERIC}.toml", f"{slug}-1"),
    }


def _with_lesson(path: Path, source: str, slug: str) -> str:
    """The course's file with one more lesson in its list."""
    found = _LESSONS.search(source)
    if found is None:
        raise ContentError(path, "lessons", 0, 'there is no list of lessons: lessons = ["…"]')
    slugs = found["slugs"].rstrip().rstrip(",")
    listed = f'lessons = [{slugs}, "{slug}"]' if slugs else f'lessons = ["{slug}"]'
    return source[: found.start()] + listed + source[found.end() :]


def _check_slug(path: Path, slug: str) -> None:
    if not is_slug(slug):
        raise ContentError(path, "slug", 0, f"{slug!r} is no slug: a-z, 0-9, - and _ make one")


def _example(name: str, slug: str) -> str:
    return (EXAMPLES / name).read_text(encoding="utf-8").replace(_SLUG, slug)


def _ending(before: str, more: str) -> str:
    return f"{before.rstrip()}\n\n{more}" if before.strip() else more


def _missing_parents(paths: Iterable[Path]) -> tuple[Path, ...]:
    missing = {parent for path in paths for parent in path.parents if not parent.exists()}
    return tuple(sorted(missing, key=lambda folder: len(folder.parts), reverse=True))
