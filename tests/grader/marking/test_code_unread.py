"""Code that Python cannot read, told by line, column and character; the text is searched, never parsed."""

from __future__ import annotations

import ast

import pytest

from grader.marking.code_unread import missing, not_callable, python_version, unread, untouched
from grader.marking.items import CodeItem
from tests.grader import code_samples, samples

BEFORE = "import numpy as np\n\n\n"


def told(code: str) -> str:
    """The English words for the error that Python itself finds in the code."""
    try:
        ast.parse(code)
    except (SyntaxError, ValueError) as error:
        message = error.msg if isinstance(error, SyntaxError) else str(error)
        finding = unread(code, type(error).__name__, message, getattr(error, "lineno", None))
        assert finding.slug == "code_syntax"
        assert "{" not in finding.text.zh_hans.replace("{ ", "")
        return finding.text.en
    raise AssertionError("Python can read this")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (
            f"{BEFORE}def project（x，W）:\n    return x @ W\n",
            "The character “（” (U+FF08) in line 4, column 12 is none of Python’s signs. Type “`(`” ",
        ),
        (
            "def project(x, W)：\n    return x @ W\n",
            "The character “：” (U+FF1A) in line 1, column 18 is none of Python’s signs. Type “`:`” ",
        ),
        ("def f(x):\n    return x\nprint(“ok”)\n", "The character ““” (U+201C) in line 3, column 7"),
        ("x = 2 − 1\n", "The character “−” (U+2212) in line 1, column 7 is none of Python’s signs. Type “`-`” "),
        ("def f(x):\n\N{IDEOGRAPHIC SPACE}return x\n", "Line 2, column 1 holds a special blank (U+3000)"),
        (
            "def f(x):\n\N{NO-BREAK SPACE}\N{NO-BREAK SPACE}return x\n",
            "Line 2, column 1 holds a special blank (U+00A0)",
        ),
        ("x = 1\N{ZERO WIDTH SPACE}\n", "holds a character that cannot be seen (U+200B). Delete it."),
        ("x = 1\n\x1a", "Line 2, column 1 holds a character that cannot be seen (U+001A)"),
        ("x = 1\x00\n", "holds a character that cannot be seen (U+0000)"),
        ("x = 1 € 2\n", "The € (U+20AC, euro sign) in line 1, column 7 cannot stand in code"),
    ],
)
def test_a_character_that_is_no_code_is_named_with_its_place_and_what_to_type(code: str, words: str):
    assert words in told(code)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("def f(x)\n    return x\n", "A colon is missing at the end of line 1"),
        ("def f(x):\nreturn x\n", "Line 2 needs to be indented"),
        ("x = 1\n  y = 2\n", "The indentation of line 2 fits nothing"),
        ("if 1:\n        x = 1\n    y = 2\n", "The indentation of line 3 fits nothing"),
        ("if 1:\n        x = 1\n\ty = 2\n", "The indentation of line 3 mixes tabs and blanks"),
        ("x = 'one\n", "A quotation mark in line 1 has no partner"),
        ("if x = 1:\n    pass\n", "Line 1: to compare, write =="),
        ("x = [1 2]\n", "A comma may be missing in line 1"),
        ("x = (1\n", "The `(` in line 1 is never closed"),
        ("x = 1)\n", "The `)` in line 1 closes nothing"),
        ("x = [1)\n", "The `)` in line 1 closes nothing"),
        ("```python\nx = 1\n```\n", "The `` ``` `` in line 1 marks a block of code"),
        (">>> x = 1\n", "The `>>>` that line 1 begins with was printed"),
        ("In [3]: import numpy\n", "The `In [3]:` that line 1 begins with"),
        ("x = 1\n%matplotlib inline\n", "Line 2 is a command of a notebook"),
        ("!pip install numpy\n", "NumPy is here: delete the line"),
        ("pip install numpy\n", "Line 1 is a command"),
        ("the answer is x W\n", "Line 1, `the answer is x W`, makes no sense to Python"),
        ("type Mat = int\n", f"Python {python_version()} runs here; newer syntax is not read"),
    ],
)
def test_frequent_mistakes_have_words_of_their_own(code: str, words: str):
    assert words in told(code)
    assert told(code).count("This was not counted as a try.") == 1


@pytest.mark.parametrize(
    ("kind", "message"), [("MemoryError", ""), ("RecursionError", "x"), ("SyntaxError", "too many nested parentheses")]
)
def test_code_that_is_nested_too_deeply_is_told_so(kind: str, message: str):
    assert "nested too deeply" in unread("x", kind, message, None).text.en


def test_a_return_outside_a_function_is_told():
    assert "stands outside a function" in unread("return 1", "SyntaxError", "'return' outside function", 1).text.en


@pytest.mark.parametrize(
    ("defined", "words"),
    [
        (("projection", "helper"), "You defined `projection`, `helper`; project is asked."),
        (("Layer.project",), "project stands inside the class `Layer`"),
        (("Layer.forward",), "Define project(x, W) at the top level"),
        ((), "Define project(x, W) at the top level"),
    ],
)
def test_a_missing_function_is_told_by_what_there_is_instead(defined: tuple[str, ...], words: str):
    assert words in missing("project", defined, "project(x, W)").text.en


@pytest.mark.parametrize(
    "code",
    [
        'if __name__ == "__main__":\n    def project(x, W):\n        return x @ W\n',
        "def outer():\n    def project(x, W):\n        return x @ W\n",
        "if True:\n\tasync def project(x, W):\n\t\treturn x @ W\n",
    ],
)
def test_a_function_within_something_else_is_told_to_move_out(code: str):
    assert "project is defined inside something else" in missing("project", ("outer",), "project(x, W)", code).text.en


@pytest.mark.parametrize("language", ["zh_hans", "en"])
def test_the_starter_as_it_was_given_is_told_as_that(language: str):
    for toml, words in (
        (samples.CODE, "Nothing stands in the function"),
        (code_samples.FIX, "the fault is still there"),
    ):
        item = samples.item(toml)
        assert isinstance(item, CodeItem)
        starter = getattr(item.starter, language)
        finding = untouched(item, f"\n{starter}  \n")

        assert finding is not None
        assert (finding.slug, words in finding.text.en) == ("code_starter", True)
        assert untouched(item, starter + "x = 1") is None


def test_a_name_that_is_no_function_is_told_so():
    assert not_callable("project", "project(x, W)").text.en.startswith("project is no function in your code")
