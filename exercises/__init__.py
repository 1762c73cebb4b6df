"""The Django app: people, courses, attempts and marks, and the pages and the API over them."""

from __future__ import annotations
