"""`manage.py make_demo`: a demo course, and the log-ins to it."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from exercises.models import Curriculum
from exercises.services.demo_create import MEMBERS, demo_create, demo_remove

FILE_NAME = "demo-logins.json"
PASSWORD_BYTES = 12


class Command(BaseCommand):
    """Each installation has passwords of its own, in a file that only its user may read; a second run changes nothing."""

    help = "Make the demo course with an instructor and two students, and print their log-ins."

    def add_arguments(self, parser: CommandParser) -> None:
        """One option."""
        parser.add_argument("--remove", action="store_true", help="delete the demo accounts, their work and the course")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 -- Django's signature
        """Make what is missing and print the log-ins, or remove all of it."""
        if options["remove"]:
            (settings.DATA_DIR / FILE_NAME).unlink(missing_ok=True)
            self.stdout.write(f"demo accounts deleted: {demo_remove()}")
            return
        curriculum = Curriculum.objects.filter(is_active=True).first()
        if curriculum is None:
            raise CommandError("There is no content yet: run `manage.py load_content` first.")
        passwords = _passwords(settings.DATA_DIR / FILE_NAME)
        course = demo_create(curriculum=curriculum, passwords=passwords)
        self.stdout.write(f"course: {course.slug}")
        for username, role in MEMBERS.items():
            self.stdout.write(f"{role}: {username} {passwords[username]}")


def _passwords(path: Path) -> dict[str, str]:
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    passwords = {username: known.get(username) or secrets.token_urlsafe(PASSWORD_BYTES) for username in MEMBERS}
    if passwords != known:
        _write_private(path, json.dumps(passwords, indent=2) + "\n")
    return passwords


def _write_private(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)
    # The file is private from its first moment, and complete from the moment it has its name.
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
    new.replace(path)
