"""Texts that are an attack before they run, or that are no program at all."""

from __future__ import annotations

from tests.grader.sandbox.attacks.program import CRASHED, MEMORY, RAISED, RETURNED, TIME, rows

HEADING = "Input text"
ATTACKS = [
    *rows(HEADING, RETURNED, "an error of encoding outside", {
        "surrogates_printed": ("prints half a character",
            "def f(x):\n    print('\\ud800' * 9, '\\x00\\x1b[2J')\n    return x\n"),
        "coding_cookie": ("names another encoding", "# -*- coding: utf-7 -*-\n" + "def f(x): return x\n"),
        "async_function": ("defines a coroutine", "async def f(x): return x\n"),
        "looks_like_a_reply": ("prints what looks like a reply", "def f(x):\n    print('QKVR' * 99)\n    return x\n"),
    }, prelude=""),
    *rows(HEADING, RAISED, "a text outside that is not readable", {
        "surrogates_raised": ("raises half a character", "def f(x): raise ValueError('\\ud800')\n"),
        "surrogates_in_the_text": ("holds half a character", "s = '\ud800'\n" + "def f(x): return x\n"),
        "null_byte": ("holds a null byte", "def f(x): return x\n\0"),
        "braces": ("asks for braces", "from __future__ import braces\n"),
        "bare_control": ("holds control characters", "def f(x):\x07 return x\n"),
        "endless_number": ("holds a number of 60,000 digits", "x = " + "9" * 60_000 + "\n"),
        "too_many_indents": ("indents 101 times", "".join(" " * n + "if 1:\n" for n in range(101))),
        "no_function": ("defines another function", "def g(x): return x\n"),
        "not_callable": ("defines a number", "f = 3\n"),
        "empty": ("holds nothing", ""),
        "no_program": ("holds prose", "This is no program."),
    }, prelude=""),
    *rows(HEADING, RAISED | CRASHED | TIME | MEMORY, "a crash of the keeper", {
        "nested_parentheses": ("nests 20,000 parentheses", "x = " + "(" * 20_000 + ")" * 20_000),
        "unary_signs": ("writes 60,000 signs", "x = " + "-" * 60_000 + "1"),
        "attributes": ("writes a chain of 30,000 attributes", "x = a" + ".b" * 30_000),
        "constant_folding": ("adds 30,000 ones", "x = " + "+".join("1" * 30_000) + "\nraise ValueError\n"),
        "nested_lambdas": ("nests 6,000 lambdas", "x = " + "lambda:" * 6_000 + "0\nraise ValueError\n"),
        "nested_comparisons": ("nests 3,000 ifs in a line", "x = " + "1 if 1 else " * 3_000 + "0\nraise ValueError\n"),
        "nested_text": ("nests lists in a text to be read", (
            "def f(x):\n    import ast, json\n    for read in (ast.literal_eval, json.loads):\n        try: read('[' "
            "* 10**6)\n        except (SyntaxError, MemoryError, RecursionError, ValueError): pass\n"
            "    eval('-' * 10**6 + '1')\n"
        )),
        "folded_power": ("folds powers into huge constants", "x = " + "(2**100) ** 99 ** 9\nraise ValueError\n"),
        "shape_of_code": ("gives a function code that was not compiled", (
            "def f(x):\n    f.__code__ = f.__code__.replace(co_code=bytes([100, 255] * 99), co_stacksize=1)\n    "
            "return f(x)\n"
        )),
    }, prelude=""),
]  # fmt: skip
