from __future__ import annotations

import codecs

import pytest

from exercises.services.code_text import MOST_FILE_BYTES, code_from_file, readable_code
from grader.marking.response import ResponseError

CODE = "def project(x, W):\n    # 计算\n    return x @ W\n"
NAMED = f"# -*- coding: gbk -*-\n{CODE}"
FILES = {
    "plain": (CODE.encode(), CODE),
    "mark and CRLF": (codecs.BOM_UTF8 + CODE.replace("\n", "\r\n").encode(), CODE),
    "CR only": (CODE.replace("\n", "\r").encode(), CODE),
    "UTF-16, low byte first": (codecs.BOM_UTF16_LE + CODE.encode("utf-16-le"), CODE),
    "UTF-16, high byte first": (codecs.BOM_UTF16_BE + CODE.encode("utf-16-be"), CODE),
    "GBK unsaid": (CODE.encode("gbk"), CODE),
    "GBK said": (NAMED.encode("gbk"), NAMED),
    "GBK said in the second line, with CR": (f"#!python\r{NAMED}".encode("gbk"), f"#!python\n{NAMED}"),
    "a coding that nobody writes text in": (f"# coding: zip\n{CODE}".encode(), f"# coding: zip\n{CODE}"),
    "an unknown coding": (f"# coding: nonsense\n{CODE}".encode(), f"# coding: nonsense\n{CODE}"),
    "a coding that is not true": (f"# coding: ascii\n{CODE}".encode(), f"# coding: ascii\n{CODE}"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_any_editor_is_the_same_program(name):
    raw, text = FILES[name]
    assert readable_code(code_from_file(raw)) == text


@pytest.mark.parametrize("raw", [b"\xff\xfe\x00", b"\x80\xff\xfe\xff", b"\x89PNG\r\n\x1a\n\xff"])
def test_what_is_no_text_says_how_to_save_it(raw):
    with pytest.raises(ResponseError, match="Save it as UTF-8"):
        code_from_file(raw)


def test_a_huge_file_is_refused_before_it_is_read():
    with pytest.raises(ResponseError, match="too long"):
        code_from_file(b"#" * (MOST_FILE_BYTES + 1))


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (f"{CODE}\x1a", r"^Line 4 .*U\+001A \(Ctrl-Z\)"),
        ("x = 1\r\ny = '\0'\r\n", r"^Line 2 .*U\+0000 \(NUL\)"),
        ("\x1a\n\0", r"^Line 2 .*NUL.*; Line 1 .*Ctrl-Z"),
    ],
)
def test_a_character_that_nobody_sees_is_named_with_its_line(code, said):
    with pytest.raises(ResponseError, match=said):
        readable_code(code)


def test_a_mark_within_the_text_stays():
    assert readable_code("x = '\ufeff'") == "x = '\ufeff'"
