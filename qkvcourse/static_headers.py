"""Headers of static files beyond those of WhiteNoise."""

from __future__ import annotations

from collections.abc import MutableMapping


def add_headers(headers: MutableMapping[str, str], _path: str, url: str) -> None:
    """Let the worker that stands in for a missing connection do so for all pages, though it lies among static files."""
    if url.rpartition("/")[2].startswith("offline."):
        headers["Service-Worker-Allowed"] = "/"
