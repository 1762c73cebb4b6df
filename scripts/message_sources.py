"""Every message that the pages can say, read from templates and Python; also brings the `.po` files up to date.

`python scripts/message_sources.py` adds new messages to the `.po` files with an empty translation, and drops those that
nothing says any more. It needs no gettext programs.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent
LOCALES = ROOT / "exercises" / "locale"
KEYWORDS: dict[str, tuple[int, ...] | None] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
}

Message = str | tuple[str, ...]


def main() -> None:
    """Bring every `.po` file up to date with the sources."""
    sources = Catalog(charset="utf-8")
    for message, place in found():
        sources.add(message, locations=[(place, 0)])
    for path in sorted(LOCALES.glob("*/LC_MESSAGES/django.po")):
        with path.open("rb") as file:
            catalogue = read_po(file)
        catalogue.update(sources, no_fuzzy_matching=True)
        catalogue.obsolete.clear()
        with path.open("wb") as file:
            write_po(file, catalogue, sort_output=True, include_lineno=False, width=120)


def found() -> Iterator[tuple[Message, str]]:
    """Each message with the file that says it; a message with a plural is a pair."""
    templates = ROOT / "exercises" / "templates"
    for path in sorted([*templates.rglob("*.html"), *templates.rglob("*.txt")]):
        lines = templatize(path.read_text(encoding="utf-8"), origin=str(path)).splitlines()
        # A template's indentation means nothing to Python.
        yield from _found_in("\n".join(line.lstrip() for line in lines), path)
    for path in sorted([*(ROOT / "exercises").rglob("*.py"), *(ROOT / "qkvcourse").rglob("*.py")]):
        yield from _found_in(path.read_text(encoding="utf-8"), path)


def _found_in(python: str, path: Path) -> Iterator[tuple[Message, str]]:
    for _line, message, _comments, _context in extract("python", BytesIO(python.encode()), keywords=KEYWORDS):
        yield message, str(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
