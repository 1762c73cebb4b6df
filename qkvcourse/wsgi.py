"""What the web server calls."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

from qkvcourse import celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "qkvcourse.settings")

# Services publish tasks by name: the Celery application must exist in this process too.
celery_app = celery.app
application = get_wsgi_application()
