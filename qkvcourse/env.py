"""Typed readers of environment variables.

Every variable NAME may also be given as NAME_FILE, the path of a file that holds the value: that is how secrets
reach a container. A bad value ends the process at once with one sentence, whichever program was loading the settings.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

TRUE_WORDS = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS = frozenset({"0", "false", "no", "off"})
SHORTEST_SECRET = 32


class SettingError(SystemExit):
    """A setting that cannot be used; ends the process with its sentence as the message."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"settings: {name} {problem}")


def text(name: str, default: str = "") -> str:
    """The value of NAME, or the content of the file that NAME_FILE names, or the default."""
    value = os.environ.get(name, "").strip()
    path = os.environ.get(f"{name}_FILE", "").strip()
    if value and path:
        raise SettingError(name, f"and {name}_FILE are both set; keep one of them")
    if path:
        return read_value(name, Path(path))
    return value or default


def required(name: str, *, because: str) -> str:
    """A value that something else that was set cannot do without."""
    value = text(name)
    if not value:
        raise SettingError(name, f"is not set, and must be because {because}")
    return value


def read_value(name: str, path: Path) -> str:
    """The stripped content of a file that holds one value."""
    try:
        value = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingError(f"{name}_FILE", f"names {path}, which cannot be read ({error})") from error
    if not value:
        raise SettingError(f"{name}_FILE", f"names {path}, which is empty")
    return value


def flag(name: str, *, default: bool) -> bool:
    """A yes or no."""
    word = text(name).lower()
    if not word:
        return default
    if word not in TRUE_WORDS | FALSE_WORDS:
        raise SettingError(name, f"must be 1 or 0, not {word!r}")
    return word in TRUE_WORDS


def whole_number(name: str, default: int, *, lowest: int, highest: int) -> int:
    """A whole number between two bounds, both included."""
    digits = text(name)
    if not digits:
        return default
    if not re.fullmatch(r"[0-9]{1,9}", digits) or not lowest <= int(digits) <= highest:
        raise SettingError(name, f"must be a whole number from {lowest} to {highest}, not {digits!r}")
    return int(digits)


def choice(name: str, default: str, *, among: tuple[str, ...]) -> str:
    """One word of a closed set."""
    word = text(name, default)
    if word not in among:
        raise SettingError(name, f"must be one of {', '.join(among)}, not {word!r}")
    return word


def words(name: str) -> list[str]:
    """A list separated by commas or blanks; empty when nothing is set."""
    return text(name).replace(",", " ").split()


def secret(name: str, *, else_file: Path) -> str:
    """A secret without default: from NAME, from NAME_FILE, or from the file that this installation made for itself."""
    value = text(name) or (read_value(name, else_file) if else_file.exists() else "")
    if not value:
        raise SettingError(name, f"is not set: set {name} or {name}_FILE (`make serve` makes one in {else_file})")
    if len(value) < SHORTEST_SECRET:
        raise SettingError(name, f"must have at least {SHORTEST_SECRET} characters")
    return value


def directory(name: str, default: Path) -> Path:
    """An absolute directory path; whether it exists is for its user to say."""
    return _directory(name, text(name, str(default)))


def directories(name: str, default: Path) -> list[Path]:
    """Directory paths with a colon between them, in their order."""
    return [_directory(name, part) for part in text(name, str(default)).split(os.pathsep) if part.strip()]


def _directory(name: str, written: str) -> Path:
    path = Path(written.strip()).expanduser()
    if not path.is_absolute():
        path = Path.cwd() / path
    if path.exists() and not path.is_dir():
        raise SettingError(name, f"names {path}, which is not a directory")
    return path


def site_url(name: str, default: str) -> str:
    """The origin under which people reach the site: scheme, host, perhaps a port, and nothing else."""
    url = text(name, default).rstrip("/")
    parts = split(url)
    is_origin = parts.hostname and not (parts.path or parts.query or parts.fragment or parts.username)
    if parts.scheme not in {"http", "https"} or not is_origin:
        raise SettingError(name, f"must look like https://course.example.org, not {url!r}")
    return url


def redis_url(name: str, default: str) -> str:
    """The address of Valkey or Redis, in the form that redis-py reads."""
    url = text(name, default)
    parts = split(url)
    if parts.scheme not in {"redis", "rediss", "unix"} or not (parts.hostname or parts.path):
        # The value may hold a password: it is never printed.
        raise SettingError(name, "must begin with redis://, rediss:// or unix:// and name a server")
    return url


def database(name: str, default: Path) -> dict[str, Any]:
    """Django's description of the database: PostgreSQL by URL, SQLite at the default path otherwise."""
    url = text(name)
    if not url:
        return {"ENGINE": "django.db.backends.sqlite3", "NAME": str(default)}
    parts = split(url)
    if parts.scheme not in {"postgres", "postgresql"} or not parts.path.strip("/"):
        raise SettingError(name, "must look like postgresql://user:password@host:5432/name")
    options = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", parts.hostname or ""),
        "PORT": str(parts.port or ""),
        "OPTIONS": options,
    }


def split(url: str) -> SplitResult:
    """The parts of an address; one that cannot be an address has none."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # only now is the port looked at
    except ValueError:
        return urlsplit("")
    return parts
