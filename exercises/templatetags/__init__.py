"""Small words that templates need."""

from __future__ import annotations
