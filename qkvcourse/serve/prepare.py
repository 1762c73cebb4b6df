"""Bring an installation's database and static files up to date: `python -m qkvcourse.serve.prepare [--demo]`.

It prints one line per event; the demo log-ins carry a mark, so that the supervisor can keep them for the end.
"""

from __future__ import annotations

import errno
import hashlib
import os
import sys
from io import StringIO
from pathlib import Path

import django
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.staticfiles.finders import get_finders
from django.core.management import CommandError, call_command
from django.db import DatabaseError, OperationalError

from qkvcourse.serve.services import LOG_IN_MARK

STAMP_NAME = ".collected"


def main(arguments: list[str]) -> int:
    """Prepare the installation; print one sentence and return 1 when something stands in the way."""
    os.umask(0o077)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qkvcourse.settings")
    django.setup()
    try:
        prepare(with_demo="--demo" in arguments)
    except (CommandError, DatabaseError, OSError) as error:
        sys.stdout.write(f"{sentence(error)}\n")
        return 1
    return 0


def prepare(*, with_demo: bool) -> None:
    """Migrate, load the content, collect static files; make the demo course, or refuse where one is left."""
    call_command("migrate", verbosity=0, interactive=False)
    call_command("createcachetable", verbosity=0)
    if not with_demo:
        refuse_demo_accounts()
    call_command("load_content")
    collect_static_files()
    if with_demo:
        printed = StringIO()
        call_command("make_demo", stdout=printed)
        for line in printed.getvalue().splitlines():
            sys.stdout.write(f"{LOG_IN_MARK}{line}\n")


def refuse_demo_accounts() -> None:
    """Stop where demo accounts are left: only a site that nobody else can reach may have them."""
    if get_user_model().objects.filter(is_demo=True).exists():
        raise CommandError(
            "HOST opens the site to others while demo accounts exist, and anybody at this machine may know their"
            " log-ins: run `manage.py make_demo --remove` first, or set QKV_DATA_DIR to a fresh directory"
        )


def collect_static_files() -> None:
    """Collect and compress the static files, unless the last collection was of exactly these."""
    target = Path(settings.STATIC_ROOT)
    stamp = target / STAMP_NAME
    digest = static_files_digest()
    if stamp.exists() and stamp.read_text(encoding="ascii") == digest:
        return
    call_command("collectstatic", verbosity=0, interactive=False, clear=True)
    stamp.write_text(digest, encoding="ascii")


def static_files_digest() -> str:
    """What identifies the static files: every name with its size and time of change."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for name, storage in sorted(finder.list([]), key=lambda found: found[0]):
            state = Path(storage.path(name)).stat()
            digest.update(f"{name} {state.st_size} {state.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def sentence(error: Exception) -> str:
    """Why the installation could not be prepared."""
    if "disk is full" in str(error) or getattr(error, "errno", None) == errno.ENOSPC:
        return f"the disk that holds {settings.DATA_DIR} is full; free some space or set QKV_DATA_DIR"
    if isinstance(error, OperationalError):
        return f"the database cannot be used: {' '.join(str(error).split())}"
    return str(error)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
