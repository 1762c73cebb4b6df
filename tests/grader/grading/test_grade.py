"""A code submission from text to mark, through the real sandbox: every ending has its own words, and its own count."""

from __future__ import annotations

import json
import textwrap
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from grader.grading import Graded, grade_code
from grader.grading.grade import plan_of
from grader.marking.mark import Mark
from grader.marking.properties import CaseGroup
from grader.marking.run_report import CaseState, RunReport
from grader.marking.verdict import Verdict
from grader.sandbox import Job, RunResult, RunStatus, Sandbox, SandboxUnavailable
from tests.grader import code_samples, samples
from tests.grader.samples import CODE, QKV, definition

RIGHT = "def project(x, W, b=None):\n    return x @ W if b is None else x @ W + b\n"
TIMES = {"cpu_time": "2 s", "wall_time": "4 s"}
BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"
SHOWN = 21  # one visible case and twenty witnesses


class OneWay:
    """In the sandbox's place: whatever is run ends in this way."""

    def __init__(self, ending: RunResult | SandboxUnavailable) -> None:
        self.ending = ending
        self.jobs: list[Job] = []

    def run(self, job: Job) -> RunResult:
        self.jobs.append(job)
        if isinstance(self.ending, SandboxUnavailable):
            raise self.ending
        return self.ending


def grade(code: str, jail: object, *, seed: int = 7, toml: str = CODE) -> Graded:
    return grade_code(definition(toml), seed, textwrap.dedent(code), jail)  # type: ignore[arg-type]


def mark_of(graded: Graded) -> Mark:
    assert graded.failure is None
    assert graded.mark is not None
    return graded.mark


def run_of(graded: Graded) -> RunReport:
    run = mark_of(graded).run
    assert run is not None
    return run


def only_finding(graded: Graded) -> tuple[str, str]:
    """The slug and the English text of the one finding."""
    (finding,) = mark_of(graded).findings
    assert finding.text.zh_hans
    return finding.slug, finding.text.en.replace("`", "")


@pytest.mark.jail
def test_right_code_gets_full_score_and_a_report_without_hidden_values(jail: Sandbox):
    graded = grade(RIGHT, jail)

    mark, run = mark_of(graded), run_of(graded)
    assert (mark.verdict, mark.score, mark.findings) == (Verdict.CORRECT, Decimal(5), ())
    assert [(case.group, case.state) for case in run.cases] == [
        (CaseGroup.VISIBLE, CaseState.RIGHT),
        *[(CaseGroup.HIDDEN, CaseState.RIGHT)] * 3,
    ]
    assert all(not case.given and not case.expected and not case.got for case in run.cases[1:])
    assert run.cases[0].expected == run.cases[0].got != ()
    assert (run.smallest, graded.counted) == (None, True)


@pytest.mark.jail
def test_a_report_tells_what_was_used_and_what_may_be(jail: Sandbox):
    run = run_of(grade(RIGHT, jail))

    assert run.limits.to_json() == {"cpu_s": 2.0, "wall_s": 4.0, "memory_mib": 512, "output_kib": 64}
    assert 0 <= run.cpu_ms < 2000
    assert 0 < run.memory_mib < 512
    assert 0 <= run.wall_ms < 4000


@pytest.mark.jail
def test_a_mark_survives_the_way_through_the_queue(jail: Sandbox):
    graded = grade("def project(x, W, b=None):\n    return x @ W\n", jail)
    assert Mark.from_json(json.loads(json.dumps(graded.to_json()))["mark"]) == graded.mark


@pytest.mark.jail
def test_named_mistake_counts_and_scores_nothing(jail: Sandbox):
    graded = grade("def project(x, W, b=None):\n    return x @ W\n", jail)
    assert mark_of(graded).misconceptions == ("bias_dropped",)
    assert (mark_of(graded).score, graded.counted) == (Decimal(0), True)


RETURN = "    return x @ W if b is None else x @ W + b\n"
HEAD = "import numpy as np\n\n\ndef project(x, W, b=None):\n"

# What learners really send: the code, the finding, a part of its words, and whether it is a try.
NOT_RIGHT = {
    "full-width brackets": ("def project（x, W）:\n    return x @ W\n", "code_syntax", "line 1, column 12", False),
    "full-width colon": ("def project(x, W, b=None)：\n" + RETURN, "code_syntax", "Type “:” instead", False),
    "ideographic blanks": ("def project(x, W):\n\u3000\u3000return x @ W\n", "code_syntax", "special blank (U+3000)", False),
    "no-break blanks": ("def project(x, W):\n\u00a0\u00a0return x @ W\n", "code_syntax", "special blank (U+00A0)", False),
    "curly quotes": (RIGHT + "print(“ok”)\n", "code_syntax", "line 3, column 7", False),
    "no colon": ("def project(x, W, b=None)\n" + RETURN, "code_syntax", "A colon is missing", False),
    "tab and blanks": ("def project(x, W):\n        y = x\n\treturn y @ W\n", "code_syntax", "mixes tabs and blanks", False),
    "newer syntax": ("type Mat = int\n" + RIGHT, "code_syntax", "runs here; newer syntax", False),
    "NUL": ("x = 1\x00\n", "code_syntax", "U+0000", False),
    "final Ctrl-Z": (RIGHT + "\x1a", "code_syntax", "U+001A", False),
    "signs without end": ("y = " + "-" * 60_000 + "1\n", "code_syntax", "nested too deeply", False),
    "brackets without end": ("y = " + "(" * 300 + ")" * 300 + "\n", "code_syntax", "nested too deeply", False),
    "code of a web page": ("```python\n" + RIGHT + "```\n", "code_syntax", "marks a block of code", False),
    "prompts of a console": (">>> " + RIGHT, "code_syntax", "printed by an interactive window", False),
    "cell of a notebook": ("%matplotlib inline\n" + RIGHT, "code_syntax", "a command of a notebook", False),
    "words": ("the product of x and W, plus b\n", "code_syntax", "makes no sense to Python", False),
    "under the main guard": ('if __name__ == "__main__":\n    ' + RIGHT.replace("\n    ", "\n        "), "code_missing", "inside something else", False),
    "variable from outside": ("import numpy as np\n\nX = np.eye(2)\n\n\ndef project(x, W, b=None):\n    return X @ X\n", "code_constant", "does not use what it is given", True),
    "math on arrays": ("import math\n\n\ndef project(x, W, b=None):\n    return math.exp(x @ W)\n", "code_raised", "wants a single number", True),
    "division for an index": (HEAD + "    return x[: len(x) / 2] @ W\n", "code_raised", "needs a whole number", True),
    "shape called": (HEAD + "    return np.zeros(x.shape())\n", "code_raised", "x.shape and x.T take none", True),
    "lists added": (HEAD + "    return x.tolist() * 0.5\n", "code_raised", "computes with a list", True),
    "torch's names": (HEAD + "    return x.matmul(W)\n", "code_raised", "something like x @ W", True),
    "rounded": (HEAD + RETURN.replace("return ", "q = ") + "    return q.round(1)\n", "code_rounded", "decimals kept: 1", True),
    "other name": ("def projection(x, W):\n    return x @ W\n", "code_missing", "You defined projection; project is asked", False),
    "method": ("class Layer:\n    def project(self, x, W):\n        return x @ W\n", "code_missing", "inside the class Layer", False),
    "nothing at all": ("# nothing yet\n", "code_missing", "Define project(x, W, b=None)", False),
    "no function": ("project = 3\n", "code_missing", "is no function in your code", False),
    "torch": ("import torch\n" + RIGHT, "code_import", "There is no torch here", False),
    "torch within": (HEAD + "    import torch\n" + RETURN, "code_import", "There is no torch here", False),
    "input": ("n = int(input())\n" + RIGHT, "code_input", "Nobody is here", False),
    "input within": (HEAD + "    n = input()\n" + RETURN, "code_input", "Nobody is here", False),
    "own check": (RIGHT + "assert project(1, 2) == 3\n", "code_raised", "", True),
    "own check that fails": ("assert 1 == 2\n" + RIGHT, "code_raised", "Line 1 is a check of your own", True),
    "raises while loading": ("raise RuntimeError('not today')\n", "code_raised", "Line 1: not today", True),
    "no numpy": ("def project(x, W, b=None):\n    return np.dot(x, W)\n", "code_raised", "import numpy as np", True),
    "if b": (HEAD + "    q = x @ W\n    if b:\n        q = q + b\n    return q\n", "code_raised", "if b is not None", True),
    "too few parameters": ("def project(x, W):\n    return x @ W\n", "code_signature", "project(x, W, b=None)", True),
    "None added": (HEAD + "    return x @ W + b\n", "code_raised", "if b is not None", True),
    "shapes": (HEAD + "    return W.T @ W @ x\n", "code_broadcast", "do not fit together: ", True),
    "recursion": (HEAD + "    return project(x, W, b)\n", "code_recursion", "keeps calling itself", True),
    "print": (HEAD + "    print(x @ W)\n", "code_printed", "write return", True),
    "pass": (HEAD + "    pass\n", "code_none", "meets no return", True),
    "tuple": (HEAD + "    q = x @ W\n    return q, W\n", "code_tuple", "a tuple of 2 things", True),
    "tuple of one shape": (HEAD + "    q = x @ W\n    return q, q\n", "code_tuple", "return q", True),
    "list of arrays": (HEAD + "    return [x @ W, x @ W]\n", "code_list_of_arrays", "np.stack for rows", True),
    "list": (HEAD + RETURN.replace("\n", "\n").replace("return ", "q = ") + "    return q.tolist()\n", "code_list", "np.array", True),
    "generator": (HEAD + "    yield x @ W\n", "code_generator", "yield", True),
    "async": ("async " + RIGHT, "code_coroutine", "async def", True),
    "matrix": (HEAD + RETURN.replace("return ", "q = ") + "    return np.matrix(q)\n", "code_matrix", "np.matrix", True),
    "masked array": (HEAD + RETURN.replace("return ", "q = ") + "    return np.ma.array(q)\n", "code_masked", "MaskedArray", True),
    "complex": (HEAD + "    return (x @ W).astype(complex)\n", "code_complex", "complex128", True),
    "function": (HEAD + "    return project\n", "code_function", "A call needs brackets", True),
    "dict": (HEAD + '    return {"q": x @ W}\n', "code_kind", "returned dict", True),
    "whole numbers": (HEAD + RETURN.replace("return ", "q = ") + "    return q.astype(int)\n", "code_dtype", "fractions are lost", True),
    "hostile subclass": (
        "import numpy as np\n\n\nclass Same(np.ndarray):\n    def __eq__(self, other):\n        return True\n\n\n"
        "def project(x, W, b=None):\n    return np.zeros((*x.shape[:-1], W.shape[1])).view(Same)\n",
        "code_kind",
        "returned Same",
        True,
    ),
    "random": (HEAD + "    return x @ W + np.random.rand()\n", "code_unsteady", "use no random numbers", True),
    "state": ("calls = []\n\n\ndef project(x, W, b=None):\n    calls.append(1)\n    return x @ W + len(calls)\n", "code_remembers", "Something stays outside", True),
    "patched comparison": (
        "import builtins\nimport numpy as np\n\nnp.allclose = np.array_equal = np.isclose = lambda *a, **k: True\n"
        "builtins.all = builtins.abs = lambda *a: True\n\n\ndef project(x, W, b=None):\n    return 0 * (x @ W)\n",
        "code_wrong",
        "of 4 cases",
        True,
    ),
    "changed arguments": (
        HEAD + RETURN.replace("return ", "q = ") + "    x *= 0\n    return q\n",
        "code_mutated",
        "caller still needs them",
        True,
    ),
}  # fmt: skip


@pytest.mark.jail
@pytest.mark.parametrize("name", NOT_RIGHT)
def test_what_learners_send_is_told_by_its_name_and_counted_by_rule(name: str, jail: Sandbox):
    code, slug, words, counted = NOT_RIGHT[name]
    if name == "own check":
        slug, words = "code_raised", "Line "
    graded = grade_code(definition(CODE), 7, code, jail)

    found, text = only_finding(graded)
    assert (found, words in text, graded.counted) == (slug, True, counted), (found, text)
    assert mark_of(graded).score == 0


def test_the_starter_is_no_try_and_is_not_even_run():
    jail = OneWay(RunResult(RunStatus.RETURNED))
    graded = grade(samples.item(CODE).starter.en, jail)  # type: ignore[attr-defined]

    assert (only_finding(graded)[0], graded.counted, mark_of(graded).score, jail.jobs) == ("code_starter", False, 0, [])


ALSO_RIGHT = {
    "byte order mark and CRLF": BOM + RIGHT.replace("\n", "\r\n"),
    "CR only": RIGHT.replace("\n", "\r"),
    "annotations of the future": "from __future__ import annotations\n"
    + RIGHT.replace("W,", 'W: "np.ndarray | None",'),
    "docstring first": '"""投影，（行约定）：“x W”。"""\nfrom __future__ import annotations\n' + RIGHT,
    "full-width text in literals": RIGHT + '# ，。：“ ”\nSHOWN = "（0）"\n',
    "match": "def project(x, W, b=None):\n    match b:\n        case None:\n            return x @ W\n    return x @ W + b\n",
    "main guard": RIGHT + 'if __name__ == "__main__":\n    raise RuntimeError("demo")\n',
    "prints while loading": RIGHT + "for i in range(3):\n    print(i)\n",
    "globals of the parameters' names": RIGHT + "W, x = None, None\n",
    "testing": "import numpy.testing as t\n"
    + RIGHT.replace("    return", "    t.assert_allclose(W, W)\n    return", 1),
    "a lambda": "project = lambda x, W, b=None: x @ W if b is None else x @ W + b\n",
    "warnings": RIGHT.replace("    return", "    import warnings\n    warnings.warn('look')\n    return", 1),
}


@pytest.mark.jail
@pytest.mark.parametrize("name", ALSO_RIGHT)
def test_honest_ways_to_write_it_are_right(name: str, jail: Sandbox):
    mark = mark_of(grade_code(definition(CODE), 7, ALSO_RIGHT[name], jail))

    assert (mark.verdict, mark.findings) == (Verdict.CORRECT, ())


STEP = """
import numpy as np


def step(x_t, cache, W_Q, W_K, W_V):
    k, v = x_t @ W_K, x_t @ W_V
    K = k[None] if cache is None else np.vstack([cache[0], k])
    V = v[None] if cache is None else np.vstack([cache[1], v])
    shares = np.exp((logits := K @ (x_t @ W_Q) / np.sqrt(len(k))) - logits.max())
    return shares / shares.sum() @ V, (K, V)
"""
ATTENTION = """
import numpy as np


def attention(Q, K, V):
    logits = Q @ K.T / np.sqrt(K.shape[-1])
    shares = np.exp(logits - logits.max(-1, keepdims=True))
    return shares / shares.sum(-1, keepdims=True) @ V


def failing_case():
    print("three wide")
    return np.eye(2, 3) * 3, np.eye(2, 3) * 2, np.eye(2)
"""
PAIR = """
import numpy as np


def find_pair(X, W_Q, W_K):
    logits = (X @ W_Q) @ (X @ W_K).T
    return tuple(np.argwhere(~np.isclose(logits, logits.T))[0])
"""
SOFTMAX = """
import numpy as np


def softmax(logits, axis=None):
    axis = -1 if axis is None else axis
    shares = np.exp(logits - logits.max(axis=axis, keepdims=True))
    return shares / shares.sum(axis=axis, keepdims=True)
"""


@pytest.mark.jail
@pytest.mark.parametrize(
    ("toml", "code"),
    [
        (code_samples.PROJECT, RIGHT),
        (code_samples.CACHE, STEP),
        (code_samples.FIX, ATTENTION),
        (code_samples.PAIR, PAIR),
        (code_samples.SOFTMAX, SOFTMAX),
    ],
    ids=["project", "cache", "fix", "pair", "softmax"],
)
def test_items_of_every_make_can_be_solved_in_the_jail(toml: str, code: str, jail: Sandbox):
    mark = mark_of(grade(code, jail, toml=toml))

    assert (mark.verdict, mark.findings) == (Verdict.CORRECT, ())


@pytest.mark.jail
@pytest.mark.parametrize(
    ("toml", "code", "slug", "words"),
    [
        (code_samples.FIX, ATTENTION.partition("def failing_case")[0], "code_missing", "failing_case is asked"),
        (code_samples.FIX, ATTENTION.replace("return np.eye", "return np.nan * np.eye"), "code_example", "Q holds NaN"),
        (code_samples.FIX, ATTENTION.replace('print("three wide")', "1 / 0"), "code_raised", "division by zero"),
        (code_samples.CACHE, STEP.replace("@ V, (K, V)", "@ V"), "code_form", "return (out, (K, V))"),
        (code_samples.CACHE, STEP.replace(", (K, V)", ", cache"), "code_form", "one part of what it returned is None"),
        (code_samples.PAIR, PAIR.replace("tuple(", "list((").replace("[0])", "[0]) + 0.5)"), "code_judged", "two whole numbers"),
    ],
)  # fmt: skip
def test_what_goes_wrong_in_them_is_told(toml: str, code: str, slug: str, words: str, jail: Sandbox):
    found, text = only_finding(grade(code, jail, toml=toml))

    assert (found, words in text) == (slug, True), (found, text)


MEMORIES = {
    "a global that never forgets": ("kept = []\n", "    kept.append(x_t)\n"),
    "a global that begins anew": ("kept = []\n", "    if cache is None:\n        kept.clear()\n    kept.append(x_t)\n"),
    "a default argument": ("", "    kept = step.kept\n    kept.append(x_t)\n"),
    "the sentence told by its length": (
        "rows = {}\n",
        "    kept = rows.setdefault(0 if cache is None else 1, []) if cache is None else rows[0]\n    kept.append(x_t)\n",
    ),
}


@pytest.mark.jail
@pytest.mark.parametrize("name", MEMORIES)
def test_a_step_that_keeps_its_tokens_to_itself_fails_by_name(name: str, jail: Sandbox):
    before, memory = MEMORIES[name]
    code = (
        f"import numpy as np\n\n{before}\n\ndef step(x_t, cache, W_Q, W_K, W_V):\n{memory}"
        "    X = np.array(kept)\n    K, V = X @ W_K, X @ W_V\n    logits = K @ (x_t @ W_Q) / np.sqrt(K.shape[-1])\n"
        "    shares = np.exp(logits - logits.max())\n    return shares / shares.sum() @ V, (K, V)\n\n\nstep.kept = []\n"
    )
    graded = grade_code(definition(code_samples.CACHE), 7, code, jail)

    slug, text = mark_of(graded).findings[0].slug, mark_of(graded).findings[0].text
    assert (slug, mark_of(graded).score) == ("code_remembers", 0)
    assert "get mixed up" in text.en or "gets mixed up" in text.en
    assert "留在了函数外面" in text.zh_hans


@pytest.mark.jail
def test_chance_is_not_called_memory(jail: Sandbox):
    """What differs in a new start as well was drawn, not kept."""
    code = STEP.replace("return shares", "return np.random.rand() * shares")

    assert mark_of(grade(code, jail, toml=code_samples.CACHE)).findings[0].slug == "code_unsteady"


@pytest.mark.jail
def test_endless_loop_is_a_limit_of_computing_time_and_counts(jail: Sandbox):
    graded = grade("def project(x, W, b=None):\n    while True:\n        pass\n", jail)

    slug, words = only_finding(graded)
    # On a busy machine the clock may run out before the processor's time does.
    assert (slug, graded.counted, run_of(graded).limit in TIMES) == (f"code_{run_of(graded).limit}", True, True)
    assert TIMES[run_of(graded).limit] in words
    assert [case.state for case in run_of(graded).cases] == [CaseState.NOT_REACHED] * 4


@pytest.mark.jail
def test_the_traceback_belongs_to_the_call_that_is_shown(jail: Sandbox):
    code = """
        def project(x, W, b=None):
            if x.ndim == 1:
                raise LookupError("one token")
            S, d = x.shape
            raise KeyError("a sentence")
    """
    run = run_of(grade(code, jail, toml=code_samples.PROJECT))

    assert run.smallest is not None
    assert f"line {run.smallest.line}, in project" in run.traceback
    assert run.smallest.error.partition(":")[0] in run.traceback


@pytest.mark.jail
def test_what_was_raised_before_the_end_is_told_beside_the_limit(jail: Sandbox):
    code = """
        def project(x, W, b=None):
            if b is not None:
                return x.shape[7]
            while True:
                pass
    """
    graded = grade(code, jail, toml=code_samples.PROJECT)

    assert [finding.slug for finding in mark_of(graded).findings][1:] == ["code_broadcast"]
    assert mark_of(graded).findings[0].slug in {"code_cpu_time", "code_wall_time"}


@pytest.mark.parametrize(
    ("cpu_s", "said", "not_said"), [(0.1, "Take out sleep", "busy"), (1.1, "machine was busy", "sleep")]
)
def test_a_run_out_of_time_that_computed_is_told_of_its_loop_and_not_of_waiting(cpu_s: float, said: str, not_said: str):
    result = RunResult(
        status=RunStatus.TIME_LIMIT,
        outcomes=(),
        stdout="",
        printed=(),
        fault=None,
        cpu_time=timedelta(seconds=cpu_s),
        wall_time=timedelta(seconds=4),
        memory_bytes=0,
        limit="wall_time",
    )
    slug, text = only_finding(grade(RIGHT, OneWay(result)))

    assert (slug, said in text, not_said in text) == ("code_wall_time", True, False)
    assert f"{cpu_s} s" in text


@pytest.mark.jail
def test_sleeping_is_a_limit_of_waiting_time(jail: Sandbox):
    slug, words = only_finding(grade("import time\n\ndef project(x, W, b=None):\n    time.sleep(60)\n", jail))
    assert (slug, "Take out sleep" in words) == ("code_wall_time", True)


@pytest.mark.jail
@pytest.mark.parametrize(
    ("code", "slug", "words"),
    [
        (
            "import numpy as np\n\ndef project(x, W, b=None):\n    return np.ones((40_000, 40_000))\n",
            "code_memory",
            "512 MiB",
        ),
        (f"import numpy as np\nbig = np.ones((40_000, 40_000))\n{RIGHT}", "code_memory", "512 MiB"),
        (
            "kept = []\n\ndef project(x, W, b=None):\n    while True:\n        kept.append(bytearray(2**24))\n",
            "code_memory",
            "",
        ),
        ('def project(x, W, b=None):\n    while True:\n        print("again " * 1000)\n', "code_output", "64 KiB"),
        (
            "import numpy as np\n\ndef project(x, W, b=None):\n    return np.broadcast_to(0.0, (10**9,))\n",
            "code_result",
            "4 MiB",
        ),
        ("import os\n\ndef project(x, W, b=None):\n    os.abort()\n", "code_crashed", "ended abruptly"),
        (
            "import ctypes\n\ndef project(x, W, b=None):\n    ctypes.CDLL(None).ptrace(0, 0, 0, 0)\n",
            "code_violation",
            "forbids",
        ),
    ],
    ids=["array", "array while loading", "bit by bit", "printing", "result", "abort", "system call"],
)
def test_every_limit_is_named_and_counts(code: str, slug: str, words: str, jail: Sandbox):
    graded = grade(code, jail)

    found, text = only_finding(graded)
    assert (found, words in text, graded.counted, mark_of(graded).score) == (slug, True, True, 0), (found, text)


@pytest.mark.jail
def test_exception_on_a_visible_case_is_shown_with_line_and_own_traceback(jail: Sandbox):
    code = 'def project(x, W, b=None):\n    return lookup["none"]\n\nlookup = {}\n'
    graded = grade(code, jail)
    assert only_finding(graded) == ("code_raised", "Line 2: 'none'")
    assert "line 2, in project" in run_of(graded).traceback
    assert "grader" not in run_of(graded).traceback
    assert [case.state for case in run_of(graded).cases] == [CaseState.RAISED] * 4


@pytest.mark.jail
def test_what_hidden_cases_print_raise_and_return_is_never_shown(jail: Sandbox):
    """A program that tries to read the hidden arguments out through every channel that a page shows."""
    code = f"""
        calls = 0

        def project(x, W, b=None):
            global calls
            calls += 1
            print("call", calls, "secret" if calls > {SHOWN} else "open")
            if calls == {SHOWN + 2}:
                raise ValueError(f"secret {{x}}")
            return x @ W if b is None else x @ W + b
    """
    mark = mark_of(grade(code, jail))
    assert mark.run is not None
    assert mark.run.stdout == "call 1 open\n"
    assert mark.run.cases[0].state is CaseState.RIGHT
    assert "secret" not in json.dumps(mark.to_json())
    assert [(finding.slug, finding.title.en) for finding in mark.findings] == [
        ("code_raised", "The code raised ValueError")
    ]


@pytest.mark.jail
def test_what_the_smallest_failing_call_printed_is_shown_with_it(jail: Sandbox):
    run = run_of(
        grade("print('loaded')\n\ndef project(x, W, b=None):\n    print('shape', x.shape)\n    return x @ W\n", jail)
    )

    assert run.smallest is not None
    assert run.smallest.group is CaseGroup.WITNESS
    assert run.smallest.printed == f"shape {run.smallest.given[0].shape}\n"
    assert run.stdout == "loaded\nshape (2, 3)\n"


@pytest.mark.jail
def test_expected_values_cannot_be_had_from_inside(jail: Sandbox):
    """What is in reach of the code: its own arguments, and no module of the grader."""
    code = """
        import gc
        import sys

        def project(x, W, b=None):
            names = [name for name in sys.modules if "grader" in name or "marking" in name]
            arrays = [thing for thing in gc.get_objects() if type(thing).__name__ == "DrawnCase"]
            if names or arrays:
                return x @ W * 0
            return x @ W if b is None else x @ W + b
    """
    assert mark_of(grade(code, jail)).verdict is Verdict.CORRECT


@pytest.mark.jail
def test_endless_loop_on_hidden_cases_alone_leaves_the_rest_in_the_report(jail: Sandbox):
    code = f"""
        calls = 0

        def project(x, W, b=None):
            global calls
            calls += 1
            while calls > {SHOWN}:
                pass
            return x @ W if b is None else x @ W + b
    """
    graded = grade(code, jail)
    assert only_finding(graded)[0] in {"code_cpu_time", "code_wall_time"}
    assert [case.state for case in run_of(graded).cases] == [CaseState.RIGHT, *[CaseState.NOT_REACHED] * 3]
    assert (mark_of(graded).score, run_of(graded).properties) == (0, ())


def test_our_own_trouble_is_nobodys_mistake():
    assert grade(RIGHT, OneWay(RunResult(RunStatus.INTERNAL_ERROR))) == Graded(failure="sandbox_internal_error")


def test_sandbox_that_cannot_start_is_a_failure_without_a_mark():
    assert grade(RIGHT, OneWay(SandboxUnavailable("no walls"))) == Graded(failure="sandbox_unavailable")


@pytest.mark.parametrize(
    ("status", "limit", "slug"),
    [
        (RunStatus.CRASHED, "", "code_crashed"),
        (RunStatus.SECURITY_VIOLATION, "", "code_violation"),
        (RunStatus.TIME_LIMIT, "", "code_cpu_time"),
        (RunStatus.TIME_LIMIT, "wall_time", "code_wall_time"),
        (RunStatus.OUTPUT_LIMIT, "result_bytes", "code_result"),
    ],
)
def test_abrupt_ends_are_the_codes_own_and_count(status: RunStatus, limit: str, slug: str):
    graded = grade(RIGHT, OneWay(RunResult(status, limit=limit)))
    assert only_finding(graded)[0] == slug
    assert (mark_of(graded).verdict, graded.counted) == (Verdict.INCORRECT, True)


def jobs(code: str, *, seed: int = 7, toml: str = CODE) -> Job:
    jail = OneWay(RunResult(RunStatus.RETURNED))
    grade(code, jail, seed=seed, toml=toml)
    (job,) = jail.jobs
    return job


def test_one_job_carries_all_calls_and_no_expected_value_the_hidden_ones_before_the_repeated_first():
    job = jobs(RIGHT)

    assert (job.function, job.code, len(job.cases)) == ("project", RIGHT, SHOWN + 3 + 1)
    assert job.cases[0] == job.cases[-1]
    assert [case.arguments[2] is None for case in job.cases[SHOWN:-1]] == [False, True, False]
    assert {case.returns for case in job.cases} == {"."}


def test_hidden_cases_and_witnesses_follow_the_seed_and_visible_ones_do_not():
    one, other = jobs(RIGHT, seed=1), jobs(RIGHT, seed=2)

    assert one.cases[0] == other.cases[0]
    assert one.cases[1:SHOWN] != other.cases[1:SHOWN]
    assert all(mine != theirs for mine, theirs in zip(one.cases[SHOWN:-1], other.cases[SHOWN:-1], strict=True))


def test_pairs_and_forms_and_the_learners_own_example_cross_as_they_are():
    cache, fix = jobs(STEP, toml=code_samples.CACHE), jobs(ATTENTION, toml=code_samples.FIX)

    assert cache.cases[0].arguments[1] is None
    assert isinstance(cache.cases[1].arguments[1], tuple)
    assert {case.returns for case in cache.cases} == {"(.(..))"}
    assert (fix.cases[1].function, fix.cases[1].arguments, fix.cases[1].returns) == ("failing_case", (), "(...)")


def test_layouts_and_dtypes_reach_the_jail():
    arguments = [case.arguments[0] for case in jobs(RIGHT, toml=code_samples.PROJECT).cases[-6:-1]]

    assert [(array.dtype, array.layout) for array in arguments] == [  # type: ignore[union-attr]
        ("float32", "plain"),
        ("int64", "plain"),
        ("float64", "fortran"),
        ("float64", "strided"),
        ("float64", "read_only"),
    ]


def test_an_items_plan_is_at_hand_the_second_time():
    whole: dict[str, Any] = definition(CODE)

    assert plan_of(whole) is plan_of(json.loads(json.dumps(whole)))


def test_item_of_another_kind_is_refused():
    with pytest.raises(TypeError, match="qkv is a numeric item, not code"):
        grade_code(definition(QKV), 1, RIGHT, OneWay(RunResult(RunStatus.CRASHED)))  # type: ignore[arg-type]
