#!/usr/bin/env python
"""Run one of the site's management commands."""

from __future__ import annotations

import os
import sys

from django.core.management import execute_from_command_line

from qkvcourse import celery

# Commands may publish tasks by name: the Celery application must exist in this process too.
celery_app = celery.app

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qkvcourse.settings")
    execute_from_command_line(sys.argv)
