"""The machine's side of the course, /api/v1: what a learning platform or a script reads and sends."""

from __future__ import annotations
