"""`manage.py content_check`: what of the content must be mended before a learner meets it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from exercises.markup.lesson import lesson_anchors
from exercises.markup.readable import unreadable
from grader.gate import check_content, slip_table


class Command(BaseCommand):
    """Prints one block for each item; ends with 1 if anything is refused. The database is left alone."""

    help = "Check lessons, items and misconceptions: separable variants, rounding, formulas, links, skills, hints."

    def add_arguments(self, parser: CommandParser) -> None:
        """The folder can be another than the installation's own."""
        parser.add_argument("directory", nargs="?", type=Path, default=settings.CONTENT_DIR)
        form = parser.add_mutually_exclusive_group()
        form.add_argument("--json", action="store_true", help="the report as JSON")
        form.add_argument("--table", action="store_true", help="the page of all slips, instead of the report")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 -- Django's signature
        """Check, print, and end with 1 where something is refused."""
        report = check_content(options["directory"], unreadable, lesson_anchors)
        if options["json"]:
            self.stdout.write(json.dumps(report.to_json(), ensure_ascii=False, indent=2))
        elif options["table"] and not report.all_refusals():
            self.stdout.write(slip_table(options["directory"], report), ending="")
        else:
            self.stdout.write("\n".join(report.lines()))
        if report.all_refusals():
            raise CommandError("the content is refused")
