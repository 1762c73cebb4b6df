"""`manage.py load_content`: bring the database in line with the content files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from exercises.services.content_load import content_load
from grader.bank import ContentError, read_content


class Command(BaseCommand):
    """Prints what changed; ends with 1 and the place of the fault if a file is wrong, and then changes nothing."""

    help = "Load lessons and items from the content folder. Safe to repeat."

    def add_arguments(self, parser: CommandParser) -> None:
        """The folders can be others than the installation's own."""
        parser.add_argument("directories", nargs="*", type=Path, default=settings.CONTENT_DIRS)

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 -- Django's signature
        """Read everything, then write in one transaction."""
        try:
            curriculums = read_content(*options["directories"])
        except ContentError as error:
            raise CommandError(str(error)) from error
        changes = content_load(curriculums=curriculums)
        for what in ("added", "changed", "retired"):
            for name in getattr(changes, what):
                self.stdout.write(f"{what}: {name}")
        if not changes:
            self.stdout.write("content unchanged")
