"""Named, small database migrations."""

from __future__ import annotations
