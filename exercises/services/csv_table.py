"""Tables as comma-separated files: read whatever spreadsheets write, and written so that none of them runs a cell.

What a spreadsheet would take for a formula gets an apostrophe before it, and loses it again when it is read; so a
table that is written and read is the same table.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Final

from grader.marking.text import Text

MOST_BYTES: Final = 2 * 1024 * 1024
MOST_ROWS: Final = 20_000
MOST_COLUMNS: Final = 500

TOO_LARGE: Final = Text("文件最多 2 MB。", "A file has at most 2 MB.")
NO_TEXT: Final = Text(
    "无法识别文件编码。请另存为 UTF-8 或 GB18030 的 CSV。",
    "The encoding of the file is not known. Save it as CSV in UTF-8 or GB18030.",
)
NO_TABLE: Final = Text(
    "文件不是 CSV 表格：第 {line} 行。", "The file is no table of comma-separated values: line {line}."
)
TOO_LONG: Final = Text("表格最多 {rows} 行、{columns} 列。", "A table has at most {rows} rows and {columns} columns.")
EMPTY: Final = Text("文件里没有内容。", "There is nothing in the file.")

# Also the full-width signs: an input method writes them, and spreadsheets read them.
_SIGN: Final = r"'*[=+\-@\t\r＝＋－＠]"
# A cell may also be cut where no comma is: in many countries spreadsheets cut at semicolons.
_FORMULA: Final = re.compile(rf"(^|[;\t])(?={_SIGN})")
_DISARMED: Final = re.compile(rf"(^|[;\t])'(?={_SIGN})")
_DELIMITERS: Final = (",", "\t", ";")
_BYTE_ORDER_MARKS: Final = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


class TableRefused(ValueError):  # noqa: N818 -- shown to the instructor as it is
    """A file that cannot be read as a table; `text` says why in both languages."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.en)
        self.text = text


def harmless(cell: str) -> str:
    """The cell as a spreadsheet shows it and never runs it."""
    return _FORMULA.sub(r"\1'", cell)


def as_meant(cell: str) -> str:
    """What was meant by a cell that was made harmless."""
    return _DISARMED.sub(r"\1", cell)


def write_table(rows: Iterable[Sequence[str]]) -> bytes:
    """UTF-8 with a byte order mark, by which spreadsheets know Chinese text."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerows([harmless(cell) for cell in row] for row in rows)
    return text.getvalue().encode("utf-8-sig")


def read_table(content: bytes) -> list[tuple[int, list[str]]]:
    """The rows that are not empty, each with the number of its last line from 1. Raises TableRefused."""
    if len(content) > MOST_BYTES:
        raise TableRefused(TOO_LARGE)
    text = _text(content)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    rows: list[tuple[int, list[str]]] = []
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                rows.append((reader.line_num, [as_meant(cell) for cell in row]))
            if len(rows) > MOST_ROWS or len(row) > MOST_COLUMNS:
                raise TableRefused(TOO_LONG.fill(rows=str(MOST_ROWS), columns=str(MOST_COLUMNS)))
    except csv.Error:
        raise TableRefused(NO_TABLE.fill(line=str(reader.line_num))) from None
    if not rows:
        raise TableRefused(EMPTY)
    return rows


def _text(content: bytes) -> str:
    marked = next((name for mark, name in _BYTE_ORDER_MARKS.items() if content.startswith(mark)), None)
    for encoding in [marked] if marked else ["utf-8", "gb18030"]:
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise TableRefused(NO_TEXT)


def _delimiter(text: str) -> str:
    """The one of them that is most frequent in the first line: Excel writes semicolons where commas are decimal."""
    first = text.split("\n", 1)[0]
    return max(_DELIMITERS, key=first.count)
