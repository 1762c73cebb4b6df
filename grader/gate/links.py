"""Links of lessons and items: each leads somewhere. What stands outside the course is not visited, only looked at."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from grader.gate.report import Fault
from grader.gate.words import texts

# The anchors of a lesson's own headings. It is handed in: pages are made on a higher floor.
Anchors = Callable[[str], Collection[str]]

_LINK = re.compile(r"(?<![!\\])\[(?:[^\[\]\\]|\\.)*\]\(\s*<?(?P<target>[^)\s>]*)>?[^)]*\)")
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_OTHER_LESSON = re.compile(r"\.\./(?P<slug>[\w-]+)/")


@dataclass(frozen=True, slots=True)
class Places:
    """What can be linked to from the lessons of one course in one language: lesson -> its anchors."""

    anchors: Mapping[str, Collection[str]]

    def broken(self, markdown: str, lesson: str) -> Iterator[tuple[str, str]]:
        """Each link of a text of the lesson that leads nowhere, and why."""
        prose = _CODE.sub(lambda code: " " * len(code[0]), markdown)
        for link in _LINK.finditer(prose):
            reason = self._reason(link["target"], lesson)
            if reason:
                yield link["target"], reason

    def _reason(self, target: str, lesson: str) -> str:
        address = urlsplit(target)
        if address.scheme in {"http", "https"}:
            return "" if address.hostname else "this address names no host"
        other = _OTHER_LESSON.fullmatch(address.path)
        if address.scheme or address.netloc or (address.path and not other):
            return "a link goes to https://…, to #anchor, or to ../lesson/#anchor of this course"
        slug = other["slug"] if other else lesson
        if slug not in self.anchors:
            return f"there is no lesson {slug!r}; there are {', '.join(self.anchors)}"
        if address.fragment and address.fragment not in self.anchors[slug]:
            return f"lesson {slug!r} has no place #{address.fragment}"
        return "" if target else "this link is empty"


def places(lessons: Mapping[str, tuple[str, Collection[str]]], anchors: Anchors) -> Places:
    """The places of a course: lesson -> its Markdown in one language, and the slugs of its items."""
    return Places(
        {slug: {*anchors(markdown), *(f"item-{item}" for item in items)} for slug, (markdown, items) in lessons.items()}
    )


def check_links(table: Mapping[str, object], lesson: str, by_language: Mapping[str, Places]) -> Iterator[Fault]:
    """Every text of an item's table that has a link which leads nowhere."""
    for key, words in texts(table, ()):
        for target, reason in by_language[str(key[-1])].broken(words, lesson):
            yield Fault(key, f"({target}) {reason}")
