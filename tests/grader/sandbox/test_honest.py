"""Programs that an honest learner writes; none may be punished for how the jail is built."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from grader.sandbox import (
    Case,
    Fault,
    FaultStage,
    Frame,
    Job,
    Layout,
    Raised,
    Returned,
    RunResult,
    RunStatus,
    WrongKind,
)
from grader.sandbox.warm import LIBRARY
from grader.sandbox.zygote import PROJECT_ROOT
from tests.grader.sandbox.running import frame, honest, is_right, job, quick, returned

pytestmark = pytest.mark.jail

# What a path of this machine can be told by.
HERE = ["/root", "/usr/", "/home", "site-packages", str(PROJECT_ROOT), sys.prefix, sys.base_prefix]

FINE = {
    "a byte order mark": "\N{ZERO WIDTH NO-BREAK SPACE}def f(x): return x + 1",
    "Windows line ends": "def f(x):\r\n    return x + 1\r\n",
    "old Macintosh line ends": "def f(x):\r    return x + 1\r",
    "future annotations": "from __future__ import annotations\ndef f(x: Array) -> Array: return x + 1",
    "a mark and the future": "\N{ZERO WIDTH NO-BREAK SPACE}from __future__ import annotations\ndef f(x): return x + 1",
    "a coding cookie": "# -*- coding: gbk -*-\n# 查询\ndef f(x): return x + 1",
    "a dataclass": "from dataclasses import dataclass\n@dataclass(slots=True)\nclass A:\n    n: 'int' = 1\ndef f(x): return x + A().n",
    "an enum and a named tuple": (
        "import enum, typing\nclass E(enum.Enum):\n    A = 1\nclass T(typing.NamedTuple):\n    n: int\n"
        "def f(x): return x + T(E.A.value).n"
    ),
    "match": "def f(x):\n    match x.shape:\n        case (n,): return x + 1",
    "a main block that is not run": "def f(x): return x + 1\nif __name__ == '__main__':\n    1 / 0",
    "a name by its description": "def f(x): return x + len('\\N{GREEK SMALL LETTER ALPHA}')",
    "random numbers": "import numpy as np, random\ndef f(x):\n    np.random.seed(1); np.random.default_rng().normal(); random.random()\n    return x + 1",
    "reference cycles": "def f(x):\n    for _ in range(300_000):\n        a = []; a.append(a)\n    return x + 1",
    "numpy's own test helpers": "import numpy.testing as t\ndef f(x):\n    t.assert_allclose(x, x)\n    return x + 1",
    "linear algebra": "import numpy as np\ndef f(x): return np.linalg.solve(np.eye(2), x) + 1",
    "einsum": "import numpy as np\ndef f(x): return np.einsum('i->i', x) + 1",
    "an array of 80 MB": "import numpy as np\ndef f(x):\n    big = np.ones((1000, 10_000)); del big\n    return x + 1",
    "print": "def f(x):\n    print(x, 'σ 查询', end='!')\n    return x + 1",
    "lists for numbers": "def f(x): return [float(v) + 1 for v in x]",
    "a tuple of arrays": "import numpy as np\ndef f(x): return tuple(np.asarray(v + 1) for v in x)",
    "a matrix": "import numpy as np\ndef f(x): return np.asarray(np.matrix(x) + 1).ravel()",
    "a recursive function": "def f(x, n=500): return x + 1 if n == 0 else f(x, n - 1)",
    "a lock": "import threading\ndef f(x):\n    with threading.Lock(): return x + 1",
    "pickling its own class": "import pickle\nclass A: pass\ndef f(x):\n    pickle.loads(pickle.dumps(A()))\n    return x + 1",
    "sleeping a little": "import time\ndef f(x):\n    time.sleep(0.01)\n    return x + 1",
    "a log line": "import logging\ndef f(x):\n    logging.warning('here')\n    return x + 1",
    "an overflow warning": "import numpy as np\ndef f(x):\n    np.exp(x * 1e6)\n    return x + 1",
    "an invalid escape": "def f(x):\n    '\\d'\n    return x + 1",
    "enquiries of the library": (
        "import os, platform, sys, tempfile, time, locale, getpass, signal, resource\n"
        "def f(x):\n"
        "    for ask in (os.cpu_count, platform.platform, os.getcwd, tempfile.gettempdir, os.getloadavg, os.times,\n"
        "                time.get_clock_info, locale.getlocale, os.getpid, os.getppid, os.uname, sys.getsizeof, input,\n"
        "                lambda: os.stat('/'), lambda: os.fstat(1), lambda: open('x'), lambda: signal.alarm(1),\n"
        "                lambda: os.nice(1), lambda: os.sched_getaffinity(0), lambda: os.isatty(1),\n"
        "                lambda: resource.getrusage(0), lambda: os.statvfs('/'), lambda: os.listxattr('/'),\n"
        "                lambda: os.getxattr('/', 'user.x'), lambda: os.sched_getscheduler(0), os.getgroups,\n"
        "                lambda: os.getpriority(0, 0), lambda: __import__('asyncio').run(None), os.getlogin, os.sync):\n"
        "        try: ask()\n"
        "        except Exception: pass\n"
        "    return x + 1"
    ).replace("getpass, ", ""),
}


@pytest.mark.parametrize("code", FINE.values(), ids=FINE.keys())
def test_honest_code_runs(sandbox, code):
    result = sandbox.run(job(code, frame(1, 2)))

    assert (result.status, returned(result)) == (RunStatus.RETURNED, [2, 3])


def test_every_case_gets_fresh_inputs_and_an_outcome_of_its_own(sandbox):
    code = "n = 0\ndef f(x):\n    global n; n += 1\n    if n == 2: raise ValueError('二')\n    x += n\n    return x"

    result = sandbox.run(job(code, frame(1, 2), times=3))

    trace = "  File \"submission.py\", line 4, in f\n    if n == 2: raise ValueError('二')\nValueError: 二\n"
    fault = Fault(FaultStage.CALL, "ValueError", "二", 4, trace)
    assert (result.status, result.fault) == (RunStatus.RAISED, fault)
    assert result.outcomes == (
        Returned(frame(2, 3), "ndarray", inputs_changed=True),
        Raised(fault),
        Returned(frame(4, 5), "ndarray", inputs_changed=True),
    )


def test_an_absent_argument_is_none(sandbox):
    assert returned(sandbox.run(job("def f(x, b): return x if b is None else b", frame(7), None))) == [7]


RESULTS = {
    "x": frame(1, 2),
    "x.astype(np.float32)": frame(1, 2, dtype="float32"),
    "x.astype(np.float16)": frame(1, 2, dtype="float32"),
    "x.astype('>f8')": frame(1, 2),
    "x.astype(np.uint8)": frame(1, 2, dtype="int64"),
    "x > 1": frame(0, 1, dtype="bool"),
    "3": frame(3, shape=(), dtype="int64"),
    "True": frame(1, shape=(), dtype="bool"),
    "x[0]": frame(1, shape=()),
    "[]": frame(shape=(0,)),
    "x.reshape(1, 1, 1, 2)": frame(1, 2, shape=(1, 1, 1, 2)),
    "np.asfortranarray(np.array([[1., 2], [3, 4]]))": frame(1, 2, 3, 4, shape=(2, 2)),
    "x[::-1]": frame(2, 1),
    "np.array([2**63], dtype=np.uint64)": frame(2**63),
}


@pytest.mark.parametrize("expression", RESULTS)
def test_numbers_in_any_form_come_back(sandbox, expression):
    result = sandbox.run(job(f"import numpy as np\ndef f(x): return {expression}", frame(1, 2)))

    assert isinstance(result.outcomes[0], Returned)
    assert result.outcomes[0].frame == RESULTS[expression]


WRONG_KINDS = {
    "None": "NoneType",
    "'text'": "str",
    "b'1'": "bytes",
    "{'a': 1}": "dict",
    "(v for v in x)": "generator",
    "['1', '2']": "list of str",
    "[[1, 2], [3, None]]": "list of NoneType",
    "[[1], [1, 2]]": "uneven list",
    "x * 1j": "complex128",
    "np.array([object()])": "array of objects",
    "x.reshape(1, 1, 1, 1, 2)": "array with 5 dimensions",
    "10**30": "array of objects",
    "[10**30]": "list of numbers beyond 64 bits",
    "f": "function",
    "type('Thing', (), {})()": "Thing",
}


@pytest.mark.parametrize("expression", WRONG_KINDS)
def test_what_is_no_array_is_named(sandbox, expression):
    result = sandbox.run(job(f"import numpy as np\ndef f(x): return {expression}", frame(1, 2)))

    assert (result.status, result.outcomes) == (RunStatus.RETURNED, (WrongKind(WRONG_KINDS[expression]),))


def test_a_coroutine_is_named(sandbox):
    assert sandbox.run(job("async def f(x): return x", frame(1))).outcomes == (WrongKind("coroutine"),)


def fault_of(result: RunResult) -> tuple[str, str, str, int | None]:
    assert result.fault is not None, result
    return result.fault.stage, result.fault.kind, result.fault.message, result.fault.line


def test_code_that_python_cannot_read_is_explained_with_its_line(sandbox):
    result = sandbox.run(job("x = 1\ndef f(x)\n    return x", frame(1)))

    assert fault_of(result) == ("syntax", "SyntaxError", "expected ':'", 2)
    assert result.fault.traceback.splitlines()[:2] == ['  File "submission.py", line 2', "    def f(x)"]


UNREADABLE = {
    "a full-width bracket": ("def f（x): return x", "SyntaxError"),
    "a zero byte": ("x = 1\0", "SyntaxError" if sys.version_info >= (3, 11, 4) else "ValueError"),
    "nested brackets": ("(" * 300 + ")" * 300, "SyntaxError"),
    "a tower of minus signs": ("y = " + "-" * 60_000 + "1", "MemoryError"),
    "braces": ("from __future__ import braces", "SyntaxError"),
    "a lone surrogate": ("x = '\ud800'", "UnicodeEncodeError"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_unreadable_code_is_the_learners_fault_and_no_limit(sandbox, name):
    code, kind = UNREADABLE[name]

    result = sandbox.run(job(code, frame(1)))

    assert (result.status, fault_of(result)[:2], result.outcomes) == (RunStatus.RAISED, ("syntax", kind), ())


def test_code_that_fails_while_it_is_loaded(sandbox):
    result = sandbox.run(job("import numpy as np\nnp.nothing\ndef f(x): return x", frame(1)))

    assert fault_of(result) == ("load", "AttributeError", "module 'numpy' has no attribute 'nothing'", 2)


def test_a_module_that_is_not_in_the_sandbox_is_missing_in_ordinary_words(sandbox):
    result = sandbox.run(job("import torch\ndef f(x): return x", frame(1)))

    assert fault_of(result) == ("load", "ModuleNotFoundError", "No module named 'torch' in the sandbox", 1)


def test_a_missing_function_and_one_that_is_none(sandbox):
    assert fault_of(sandbox.run(job("def g(x): return x", frame(1))))[0] == "missing_function"
    assert fault_of(sandbox.run(job("f = 3", frame(1))))[0] == "not_callable"


def test_endless_recursion_is_told_in_few_lines(sandbox):
    result = sandbox.run(job("def f(x):\n    return f(x)", frame(1)))

    assert fault_of(result) == ("call", "RecursionError", "maximum recursion depth exceeded", 2)
    assert len(result.fault.traceback.splitlines()) < 12


def test_output_is_kept_with_its_order_and_without_terminal_codes(sandbox):
    code = "import sys, os\ndef f(x):\n    print('一', '\\x1b[31m', '\\ud800')\n    sys.stderr.write('two\\n'); os.write(1, b'\\xff')\n    return x"

    assert sandbox.run(job(code, frame(1))).stdout == "一 �[31m \\ud800\ntwo\n�"


def test_there_is_nothing_to_read_from_standard_input(sandbox):
    assert fault_of(sandbox.run(job("def f(x): return input()", frame(1))))[:2] == ("call", "EOFError")


def test_no_path_of_this_machine_reaches_the_learner(sandbox):
    code = (
        "import sys, gc, types, numpy, os, warnings, traceback\n"
        "def f(x):\n"
        "    names = {c.__code__.co_filename for c in gc.get_objects() if isinstance(c, types.FunctionType)}\n"
        "    names |= {str(getattr(m, '__file__', '')) for m in sys.modules.values()} | {repr(vars(sys)), repr(os.environ)}\n"
        "    names |= {repr(getattr(m, '__spec__', '')) for m in sys.modules.values()} | set(map(repr, sys.modules.values()))\n"
        "    warnings.warn('here'); traceback.print_stack()\n"
        f"    print([n for n in names for here in {HERE!r} if here in n])\n"
        "    return x"
    )

    result = sandbox.run(job(code, frame(1)))

    assert "[]" in result.stdout.splitlines()
    assert "site-packages" not in result.stdout


def test_memory_counts_from_where_the_learners_code_begins(sandbox):
    code = "import numpy as np\ndef f(x): return np.ones(7_000_000)[:1]"
    limits = quick(memory_bytes=64 * 1024 * 1024, wall_time=quick().cpu_time * 4)

    assert sandbox.run(job(code, frame(1), limits=limits)).status == RunStatus.RETURNED
    assert sandbox.run(job(code.replace("7_0", "9_0"), frame(1), limits=limits)).status == RunStatus.MEMORY_LIMIT
    assert sandbox.run(job(code, frame(1))).memory_bytes > 56_000_000


def test_a_large_request_and_a_large_result_cross_whole(sandbox):
    numbers = Frame("float64", (500, 1000), bytes(range(250)) * 16_000)

    result = sandbox.run(job("def f(x): return x", numbers))

    assert result.outcomes == (Returned(numbers, "ndarray", inputs_changed=False),)
    assert is_right(sandbox.run(honest()))


LAYOUTS = {
    Layout.PLAIN: (True, False, True),
    Layout.FORTRAN: (False, True, True),
    Layout.STRIDED: (False, False, True),
    Layout.READ_ONLY: (True, False, False),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_an_argument_lies_in_memory_as_it_was_asked_for(sandbox, layout):
    code = """
def f(x):
    assert x.tolist() == [[1, 2], [3, 4]]
    return [x.flags.c_contiguous, x.flags.f_contiguous, x.flags.writeable]
"""
    given = replace(frame(1, 2, 3, 4, shape=(2, 2)), layout=layout)

    assert tuple(returned(sandbox.run(job(code, given)))) == LAYOUTS[layout]


def test_a_single_number_may_have_any_layout(sandbox):
    for layout in Layout:
        assert returned(sandbox.run(job("def f(x): return x + 1", replace(frame(1, shape=()), layout=layout)))) == [2]


def test_a_single_number_is_pythons_own(sandbox):
    code = "def f(axis, share, flag): return [type(axis) is int, type(share) is float, type(flag) is bool]"
    numbers = [frame(value, shape=(), dtype=dtype) for value, dtype in ((1, "int64"), (0.5, "float64"), (1, "bool"))]

    assert returned(sandbox.run(job(code, *numbers))) == [True, True, True]


def test_everything_in_the_library_can_be_imported(sandbox):
    code = "import importlib\n" + f"for name in {LIBRARY!r}: importlib.import_module(name)\n" + "def f(x): return x"

    assert returned(sandbox.run(job(code, frame(1)))) == [1]


@pytest.mark.parametrize("name", ["bz2", "lzma", "torch", "sqlite3", "grader"])
def test_what_is_not_in_the_library_is_an_ordinary_import_error(sandbox, name):
    fault = fault_of(sandbox.run(job(f"import {name}\ndef f(x): return x", frame(1))))

    assert fault[:3] == ("load", "ModuleNotFoundError", f"No module named '{name}' in the sandbox")


PAIR = "(.(..))"
PAIRS = {
    "(x, (x, x))": None,
    "[x, [x, x]]": None,
    "x": "ndarray",
    "None": "NoneType",
    "(x,)": "tuple of 1",
    "(x, x, x)": "tuple of 3",
    "(x, x)": "ndarray",
    "(x, (x, None))": "NoneType",
    "(x, (x, [[1], [2, 3]]))": "uneven list",
}


@pytest.mark.parametrize("expression", PAIRS)
def test_several_results_come_back_in_the_form_that_was_asked_for(sandbox, expression):
    case = Case((frame(1, 2),), returns=PAIR)
    outcome = sandbox.run(Job(f"def f(x): return {expression}", "f", (case,))).outcomes[0]

    if PAIRS[expression] is None:
        assert isinstance(outcome, Returned)
        assert outcome.value == (frame(1, 2), (frame(1, 2), frame(1, 2)))
    else:
        assert outcome == WrongKind(PAIRS[expression])


def test_a_pair_can_be_given_and_a_change_in_it_is_seen(sandbox):
    pair = (frame(1, 2), (frame(3), None))
    code = "def f(pair):\n    x, (y, nothing) = pair\n    if nothing is None: y[0] += 1\n    return x + y"

    result = sandbox.run(Job(code, "f", (Case((pair,)), Case((pair,)))))

    assert result.outcomes == (Returned(frame(5, 6), "ndarray", inputs_changed=True),) * 2


def test_a_case_may_call_another_function(sandbox):
    code = "def f(x): return x\ndef g(): return (1, 2)"
    cases = (Case((frame(1),)), Case((), function="g", returns="(..)"))

    assert [outcome.kind for outcome in sandbox.run(Job(code, "f", cases)).outcomes] == ["ndarray", "tuple"]


def test_what_is_printed_is_told_apart_by_case(sandbox):
    code = "print('loaded')\ndef f(x):\n    print('called with', x[0])\n    return x / (2 - x[0])"
    result = sandbox.run(Job(code, "f", (Case((frame(1),)), Case((frame(3),)))))

    assert result.printed == ("loaded\n", "called with 1.0\n", "called with 3.0\n")


def test_the_shapes_in_the_failing_line_are_told(sandbox):
    code = "import numpy as np\nW = np.ones((3, 2))\ndef f(x):\n    y = 2\n    return x.T @ W * y"

    fault = sandbox.run(job(code, frame(1, 2))).fault

    assert fault is not None
    assert fault.arrays == "x (2,), W (3, 2)"


def test_of_a_missing_function_the_others_are_named(sandbox):
    code = "import math\nfrom math import sqrt\ndef g(x): return x\nclass Layer:\n    def f(self, x): return x"

    assert fault_of(sandbox.run(job(code, frame(1))))[1:3] == ("f", "g\nLayer.f")
