"""`manage.py smoke --url URL`: walk through a running site after a deployment."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from exercises.management.commands.make_demo import FILE_NAME
from exercises.management.smoke import INSTRUCTOR, STUDENT, Surprise, walk


class Command(BaseCommand):
    """Prints each step with its time; ends with 1 and one sentence at the first thing that is not as it should be."""

    help = "Walk through a running site over HTTP as a demo student and as the demo instructor."
    # It looks at a site from outside: nothing of its own database or settings needs to be in order.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Where the site is, and how to get in."""
        parser.add_argument("--url", default=settings.SITE_URL, help="address of the site (default: SITE_URL)")
        parser.add_argument("--logins", type=Path, default=settings.DATA_DIR / FILE_NAME, help="file of demo log-ins")
        parser.add_argument("--language", choices=[code for code, _ in settings.LANGUAGES], default="zh-hans")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 -- Django's signature
        """Walk, and time each step."""
        passwords = _passwords(options["logins"])
        began = last = time.monotonic()
        try:
            for step in walk(options["url"], passwords, options["language"]):
                now = time.monotonic()
                self.stdout.write(f"{now - last:6.2f} s  {step}")
                self.stdout.flush()
                last = now
        except Surprise as surprise:
            raise CommandError(str(surprise)) from None
        self.stdout.write(f"{last - began:6.2f} s  in all: everything is as it should be")


def _passwords(path: Path) -> Mapping[str, str]:
    try:
        passwords = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CommandError(
            f"{path} holds no demo log-ins ({error}); `manage.py make_demo` writes that file, --logins names another one"
        ) from None
    if not isinstance(passwords, dict) or not {STUDENT, INSTRUCTOR} <= passwords.keys():
        raise CommandError(f"{path} should hold the passwords of {STUDENT} and {INSTRUCTOR} and does not")
    return passwords
