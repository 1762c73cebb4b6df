"""`manage.py content_check`: what of the content must be mended before a learner meets it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from exercises.markup.lesson import lesson_anchors
from exercises.markup.readable import unreadable
from grader.gate import check_content, slip_table
from grader.gate.program_report import ProgramReport
from grader.gate.report import ContentReport

PROGRAMS = "**/reference/*/*.py"
# Hundreds of programs take seconds; whatever takes longer than this has got stuck.
LONGEST_GATE_SECONDS = 900


class Command(BaseCommand):
    """Prints one block for each item; ends with 1 if anything is refused. The database is left alone."""

    help = "Check lessons, items, misconceptions and programs: variants, rounding, formulas, links, skills, hints."

    def add_arguments(self, parser: CommandParser) -> None:
        """The folders can be others than the installation's own."""
        parser.add_argument("directories", nargs="*", type=Path, default=settings.CONTENT_DIRS)
        form = parser.add_mutually_exclusive_group()
        form.add_argument("--json", action="store_true", help="the report as JSON")
        form.add_argument("--table", action="store_true", help="the page of all slips, instead of the report")
        form.add_argument("--programs", action="store_true", help="the page of all reference programs")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 -- Django's signature
        """Check, print, and end with 1 where something is refused."""
        report = check_content(options["directories"], unreadable, lesson_anchors)
        programs = None if options["table"] else _try_programs(options["directories"], report)
        is_refused = bool(report.all_refusals() or (programs and programs.refusals))
        if options["json"]:
            tried = {"programs": programs.to_json()} if programs else {}
            self.stdout.write(
                json.dumps({**report.to_json(), "is_accepted": not is_refused, **tried}, ensure_ascii=False, indent=2)
            )
        elif options["table"] and not is_refused:
            self.stdout.write(slip_table(options["directories"], report), ending="")
        elif options["programs"] and programs and not is_refused:
            self.stdout.write("\n".join(programs.page()), ending="")
        else:
            self.stdout.write("\n".join([*report.lines(), *(programs.lines() if programs else ())]))
        if is_refused:
            raise CommandError("the content is refused")


def _try_programs(directories: Sequence[Path], report: ContentReport) -> ProgramReport | None:
    """What the reference programs come to, if the folders have any.

    They are tried in another process, since this one must not open the sandbox.
    """
    if not report.items or not any(any(directory.glob(PROGRAMS)) for directory in directories):
        return None
    gate = subprocess.run(
        [sys.executable, "-m", "grader.gate", *map(str, directories)],
        cwd=settings.ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=LONGEST_GATE_SECONDS,
    )
    if gate.returncode:
        raise CommandError(f"the reference programs could not be tried: {gate.stderr.strip()}")
    return ProgramReport.from_json(json.loads(gate.stdout))
