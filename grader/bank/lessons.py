"""A lesson's Markdown, parted into prose and the places where items stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from grader.marking.items import Convention
from grader.marking.text import LANGUAGES, Text

ITEM_PLACE = re.compile(r"^\{\{\s*item\s+(?P<slug>[\w-]+)\s*\}\}[ \t]*$", re.MULTILINE)
_TITLE = re.compile(r"\A#\s+(?P<title>.+?)\s*$", re.MULTILINE)
FIGURE = re.compile(r"^:::\s*figure\s+(?P<name>[\w-]+)\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Prose:
    """Markdown between two items."""

    markdown: str


@dataclass(frozen=True, slots=True)
class ItemPlace:
    """The place of an item within the reading."""

    slug: str


Segment = Prose | ItemPlace
Segments = tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson as it is shown: its segments in each language, and its figures as SVG by name and language.

    `convention` is how a reader without a choice meets it; None where the convention is part of the matter.
    """

    slug: str
    title: Text
    segments: Mapping[str, Segments]
    figures: Mapping[str, Mapping[str, str]]
    convention: Convention | None = Convention.ROW


def split_title(markdown: str) -> tuple[str, str]:
    """The title and the rest. Raises ValueError where the first line is no "# Title"."""
    found = _TITLE.match(markdown)
    if found is None:
        raise ValueError("the first line must be a title: # …")
    return found["title"], markdown[found.end() :].strip()


def split_segments(markdown: str) -> Segments:
    """Prose and item places in the order of reading."""
    return tuple(_segments(markdown))


def _segments(markdown: str) -> Iterator[Segment]:
    start = 0
    for place in ITEM_PLACE.finditer(markdown):
        yield from _prose(markdown[start : place.start()])
        yield ItemPlace(place["slug"])
        start = place.end()
    yield from _prose(markdown[start:])


def _prose(markdown: str) -> Iterator[Prose]:
    if markdown.strip():
        yield Prose(markdown.strip())


def item_lines(markdown: str) -> Iterator[tuple[str, int]]:
    """Each item that is placed in a file, with its line from 1 on."""
    for place in ITEM_PLACE.finditer(markdown):
        yield place["slug"], markdown.count("\n", 0, place.start()) + 1


def item_slugs(segments: Segments) -> tuple[str, ...]:
    """The items in the order of reading."""
    return tuple(segment.slug for segment in segments if isinstance(segment, ItemPlace))


def lesson_to_json(lesson: Lesson) -> dict[str, Any]:
    """Plain JSON, whole in itself: what a version of the lesson keeps."""
    return {
        "slug": lesson.slug,
        "title": lesson.title.to_json(),
        "segments": {
            language: [
                {"prose": segment.markdown} if isinstance(segment, Prose) else {"item": segment.slug}
                for segment in lesson.segments[language]
            ]
            for language in LANGUAGES
        },
        "figures": {name: dict(files) for name, files in lesson.figures.items()},
        "convention": lesson.convention and str(lesson.convention),
    }


def parse_lesson(source: Mapping[str, Any]) -> Lesson:
    """Read what `lesson_to_json` wrote."""
    return Lesson(
        slug=source["slug"],
        title=Text.from_json(source["title"]),
        segments={
            language: tuple(
                Prose(segment["prose"]) if "prose" in segment else ItemPlace(segment["item"]) for segment in segments
            )
            for language, segments in source["segments"].items()
        },
        figures=source["figures"],
        convention=Convention(found) if (found := source.get("convention")) else None,
    )
