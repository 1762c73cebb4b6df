"""What the web server calls."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

# Services publish tasks by name: the Celery application must exist in this process too.
from qkvcourse.celery import app as celery_app

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qkvcourse.settings")

celery_app.set_default()
application = get_wsgi_application()
