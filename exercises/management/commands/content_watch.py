"""`manage.py content_watch`: load the content again whenever a file of it has changed, for a preview while one writes."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from exercises.services.content_load import content_load
from grader.bank import ContentError, read_content

PAUSE_SECONDS = 0.5
USUAL_MINUTES = 480
# What content is made of; an editor's own files beside it are none of our business.
SUFFIXES = {".md", ".toml", ".svg", ".json"}

Stamps = Mapping[Path, tuple[int, int]]


class ContentWatch:
    """Looks at the files of some content folders, and loads them when they have changed and come to rest."""

    def __init__(self, directories: Sequence[Path]) -> None:
        self._directories = directories
        self._loaded: Stamps | None = None
        self._seen: Stamps | None = None

    def look(self) -> list[str]:
        """What there is to say. A change is taken up at the second look that finds it: an editor may still be writing."""
        now = dict(self._stamps())
        is_at_rest, self._seen = now == self._seen, now
        if now == self._loaded or (self._loaded is not None and not is_at_rest):
            return []
        self._loaded = now
        return self._load()

    def _load(self) -> list[str]:
        try:
            changes = content_load(curriculums=read_content(*self._directories))
        except ContentError as error:
            return [f"refused: {error}", "The pages keep the last good version."]
        said = [f"{what}: {name}" for what in ("added", "changed", "retired") for name in getattr(changes, what)]
        return said or ["content unchanged"]

    def _stamps(self) -> Iterator[tuple[Path, tuple[int, int]]]:
        for directory in self._directories:
            for path in sorted(directory.rglob("*")):
                if path.suffix in SUFFIXES:
                    try:
                        found = path.stat()
                    except FileNotFoundError:  # gone since it was listed
                        continue
                    yield path, (found.st_mtime_ns, found.st_size)


class Command(BaseCommand):
    """A wrong file is named with its line, key and reason, and changes nothing. Ends by Ctrl-C, or by itself at last."""

    help = "Load the content again whenever a file of it changes."

    def add_arguments(self, parser: CommandParser) -> None:
        """How long to watch."""
        parser.add_argument("directories", nargs="*", type=Path, default=settings.CONTENT_DIRS)
        parser.add_argument("--minutes", type=float, default=USUAL_MINUTES, help=f"stop after this; {USUAL_MINUTES}")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 -- Django's signature
        """Look twice a second until the time is over."""
        watch = ContentWatch(options["directories"])
        until = time.monotonic() + 60 * options["minutes"]
        self.stdout.write(f"watching {', '.join(map(str, options['directories']))}; the pages: {settings.SITE_URL}")
        self.stdout.write("a lesson with ?watch at the end of its address loads itself again when it has changed")
        try:
            while time.monotonic() < until:
                for line in watch.look():
                    self.stdout.write(line)
                self.stdout.flush()
                time.sleep(PAUSE_SECONDS)
        except KeyboardInterrupt:
            pass
        self.stdout.write("no longer watching")
