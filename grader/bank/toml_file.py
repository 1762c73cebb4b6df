"""A TOML file together with the line of each of its keys, which the standard library's reader does not keep."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.bank.errors import ContentError, DefinitionError, dotted

_HEADER = re.compile(r"\s*(\[{1,2})\s*([^\]]+?)\s*\]{1,2}")
_PAIR = re.compile(r"\s*((?:[\w-]+|\"[^\"]*\")(?:\s*\.\s*(?:[\w-]+|\"[^\"]*\"))*)\s*=")
_TEXT_FENCE = re.compile(r"\"{3}|'{3}")
_AT_LINE = re.compile(r"\(at line (\d+)")

Key = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class TomlFile:
    """The values of a file, and its text to find a key's line in."""

    path: Path
    source: str
    values: dict[str, Any]

    def refuse(self, error: DefinitionError) -> ContentError:
        """The same error, with the path and the line of the key."""
        return ContentError(self.path, dotted(error.key), self.line_of(error.key), error.reason)

    def line_of(self, key: Key) -> int:
        """The line of the key, or of the nearest table around it; 0 where the file does not name either."""
        lines = {found: line for line, found in reversed(list(_keys(self.source)))}
        for length in range(len(key), 0, -1):
            if key[:length] in lines:
                return lines[key[:length]]
        return 0


def read_toml(path: Path) -> TomlFile:
    """Read a file. Raises ContentError where it cannot be read, or is no TOML."""
    source = read_text(path)
    try:
        return TomlFile(path, source, tomllib.loads(source))
    except tomllib.TOMLDecodeError as error:
        at = _AT_LINE.search(str(error))
        raise ContentError(path, "", int(at[1]) if at else 0, f"no valid TOML: {error}") from None


def read_text(path: Path) -> str:
    """The text of a file. Raises ContentError where it is missing, closed to us, or no UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ContentError(path, "", 0, "this file is missing") from None
    except OSError as error:
        raise ContentError(path, "", 0, f"this file cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ContentError(path, "", 0, f"not UTF-8: {error.reason} at byte {error.start}") from None


def _keys(source: str) -> Iterator[tuple[int, Key]]:
    """Every header and pair with its line. An array of tables counts its entries within the table around it."""
    table: Key = ()
    entries: Counter[Key] = Counter()
    within_text = False
    for line, content in enumerate(source.splitlines(), start=1):
        if not within_text:
            if header := _HEADER.match(content):
                table = _table_key(_parts(header[2]), entries, is_array=header[1] == "[[")
                yield line, table
            elif pair := _PAIR.match(content):
                yield line, (*table, *_parts(pair[1]))
        within_text ^= len(_TEXT_FENCE.findall(content)) % 2 == 1


def _table_key(parts: list[str], entries: Counter[Key], *, is_array: bool) -> Key:
    key: Key = ()
    for part in parts[:-1]:
        key = (*key, part)
        key = (*key, entries[key] - 1) if entries[key] else key
    key = (*key, parts[-1])
    if not is_array:
        return key
    entries[key] += 1
    return (*key, entries[key] - 1)


def _parts(dotted_name: str) -> list[str]:
    return [part.strip().strip('"') for part in dotted_name.split(".")]
