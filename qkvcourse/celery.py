"""The Celery application of the site worker: it records what the sandbox worker found, and it sweeps."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging

from grader.quiet_log import keep_values_out_of_logs

keep_values_out_of_logs()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qkvcourse.settings")

app = Celery("qkvcourse")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["exercises"])
# Every thread of this process publishes through it, not only the one that imported it.
app.set_default()


@setup_logging.connect
def keep_our_logging(**_ignored: Any) -> None:
    """Being connected is enough: Celery then leaves the logging that Django has set up as it is."""
