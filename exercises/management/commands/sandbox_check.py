"""`manage.py sandbox_check`: which walls of the sandbox stand on this machine, and what raises a missing one."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from django.core.management.base import BaseCommand


class Command(BaseCommand):
    """Is `python -m grader.sandbox check`, in a process of its own: nothing of the site may import the sandbox."""

    help = "Show what the sandbox can do on this machine; ends with 1 where it may not run code."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 -- Django's signature
        """Print what it prints, and end as it ends."""
        check = subprocess.run(
            [sys.executable, "-m", "grader.sandbox", "check"], capture_output=True, text=True, check=False
        )
        self.stdout.write(check.stdout, ending="")
        self.stderr.write(check.stderr, ending="")
        sys.exit(check.returncode)
