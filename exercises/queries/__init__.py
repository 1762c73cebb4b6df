"""Reads: each function says what it returns, in frozen dataclasses that pages and the API share."""

from __future__ import annotations
