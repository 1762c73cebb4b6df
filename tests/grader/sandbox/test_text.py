from __future__ import annotations

from grader.sandbox.text import readable


def test_chinese_newlines_and_tabs_stay():
    assert readable("查询\t键\n值\r\n".encode()) == "查询\t键\n值\n"


def test_what_cannot_be_printed_is_replaced():
    assert readable(b"\x1b[31mred\x00\xff") == "�[31mred��"
    assert readable("a\u202eb".encode()) == "a�b"
