"""The address of the broker, for both workers and for the site."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import parse_qs, quote, unquote, urlsplit


def redis_url_from_environment() -> str:
    """REDIS_URL, or what the file REDIS_URL_FILE holds. Raises SystemExit with one sentence where neither is set."""
    url, path = os.environ.get("REDIS_URL", ""), os.environ.get("REDIS_URL_FILE", "")
    if path and not url:
        url = Path(path).read_text(encoding="utf-8").strip()
    if not url:
        raise SystemExit("grader: set REDIS_URL, or REDIS_URL_FILE, to the broker's address")
    return url


def broker_url(redis_url: str) -> str:
    """The same server as kombu wants it named: it knows another scheme for Unix sockets."""
    parts = urlsplit(redis_url)
    if parts.scheme != "unix":
        return redis_url
    number = parse_qs(parts.query).get("db", ["0"])[0]
    return f"redis+socket://{quote(unquote(parts.path))}?virtual_host={number}"
