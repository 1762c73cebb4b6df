"""Measurements: `python -m bench NAME [--json]`. Each suite measures side by side, in one run, what it compares."""

from __future__ import annotations
