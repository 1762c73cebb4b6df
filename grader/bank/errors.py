"""What is said of content that cannot be taken."""

from __future__ import annotations

from pathlib import Path


class DefinitionError(ValueError):
    """A value of a definition is missing or wrong. `key` is its path, such as ("item", 2, "given", "x")."""

    def __init__(self, key: tuple[str | int, ...], reason: str) -> None:
        super().__init__(f"{dotted(key)}: {reason}")
        self.key = key
        self.reason = reason


class ContentError(ValueError):
    """A content file cannot be taken: which file, which key, which line, and why."""

    def __init__(self, path: Path, key: str, line: int, reason: str) -> None:
        where = f"{path}:{line}" if line else str(path)
        super().__init__(f"{where}: {key}: {reason}" if key else f"{where}: {reason}")
        self.path = path
        self.key = key
        self.line = line
        self.reason = reason


def dotted(key: tuple[str | int, ...]) -> str:
    """("item", 2, "given") as item[2].given, counting from 1 as an author counts."""
    parts = [f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in key]
    return "".join(parts).lstrip(".")
