"""The pages: a view reads the request, calls one service or query, and answers."""

from __future__ import annotations
