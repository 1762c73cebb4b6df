"""Commands of manage.py."""

from __future__ import annotations
