"""What only shows over many runs: counting them, deaths at any moment, many askers at once."""

from __future__ import annotations

import logging
import os
import queue
import random
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from grader.sandbox import Limits, RunStatus, Sandbox
from grader.sandbox.sandbox import run_on
from tests.grader.sandbox.running import (
    becomes_true,
    children_of,
    frame,
    honest,
    is_alive,
    is_right,
    job,
    keeper_of,
    open_sandbox,
    require,
    returned,
)

pytestmark = pytest.mark.jail

SEED = 20_240_229


# All that grows by use: of the interpreter, of its memory (the tag of a new dict counts every change of any dict), and
# what the kernel counts for a process.
COUNTERS = """
import ctypes, gc, resource, sys
def f(x):
    table = {"a": 1}
    used = resource.getrusage(resource.RUSAGE_SELF)
    return [float(number) for number in (
        sys.getallocatedblocks(), len(gc.get_objects()), *gc.get_count(), *[part["collections"] for part in gc.get_stats()],
        sys.getrefcount(None), sys.getrefcount(0) & 4095, ctypes.c_uint64.from_address(id(table) + 24).value,
        id(table), id(object()), id(x), ctypes.CDLL(None).sbrk(0), used.ru_maxrss, used.ru_minflt, used.ru_majflt,
        used.ru_inblock, used.ru_nvcsw, hash("x"), len(sys.modules), sys.getrecursionlimit(),
    )]
"""
RUNS_COUNTED = 40


def test_no_number_that_a_program_can_read_tells_how_often_its_keeper_has_run(sandbox: Sandbox) -> None:
    """So none can wait for its tenth run to behave unlike itself; the very first only shows in what the kernel copied."""
    sandbox.run(honest())
    rows = [returned(run_on(sandbox._zygote, job(COUNTERS, frame(1)))) for _ in range(RUNS_COUNTED)]
    columns = list(zip(*rows, strict=True))

    for column in columns:
        # A counter takes a new value each time; an address goes round among a few.
        assert len(set(column)) <= RUNS_COUNTED // 4
        assert list(column) != sorted(set(column))
    assert sum(len(set(column)) == 1 for column in columns) >= len(columns) - 6


def test_a_keeper_killed_at_any_moment_costs_no_answer(tier: int, caplog: pytest.LogCaptureFixture) -> None:
    """One attempt fails by our own fault at most; the next one, on a fresh keeper, is right."""
    moments = random.Random(SEED)
    with open_sandbox(tier) as opened, caplog.at_level(logging.CRITICAL):
        for _ in range(6):
            opened.run(honest())
            keeper = keeper_of(opened)
            killer = threading.Timer(moments.uniform(0, 0.006), os.kill, (keeper, signal.SIGKILL))
            killer.start()
            answers = [is_right(opened.run(honest())) for _ in range(3)]
            killer.join()

            assert answers == [True] * 3
            assert becomes_true(partial(is_gone, keeper), seconds=10)
        assert children_of(keeper_of(opened)) == []


def is_gone(pid: int) -> bool:
    return not is_alive(pid)


WORKER = """
import os, sys, threading
sys.path.insert(0, os.getcwd())
from datetime import timedelta
from grader.sandbox import Limits, Sandbox
from tests.grader.sandbox.running import frame, job
limits = Limits(timedelta(seconds=60), timedelta(seconds=60))
opened = [Sandbox(minimum_tier={tier}, maximum_tier={tier}) for _ in range(3)]
for sandbox, code in zip(opened, ("def f(x):\\n    while True: pass", "import time\\ndef f(x): time.sleep(60)")):
    threading.Thread(target=sandbox.run, args=(job(code, frame(1), limits=limits),)).start()
opened[2]._replace_zygote(limits)
print("running", flush=True)
threading.Event().wait()
"""


def test_soon_after_the_worker_was_killed_no_process_of_any_of_its_sandboxes_is_left(tier: int) -> None:
    """One spins, one sleeps, and one is just being started."""
    require(tier)
    program = WORKER.format(tier=tier)
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "running\n"
        least = 7 if tier > 1 else 5
        assert becomes_true(lambda: len(every_descendant(worker.pid)) >= least, seconds=20)
        left = every_descendant(worker.pid)
        worker.kill()

        assert becomes_true(lambda: not any(map(is_alive, left)), seconds=10)


def every_descendant(pid: int) -> list[int]:
    """By every thread of a process, since each thread has children of its own."""
    found: list[int] = []
    with suppress(FileNotFoundError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            for child in map(int, (thread / "children").read_text().split()):
                found += [child, *every_descendant(child)]
    return found


ASKERS = 1000


def test_of_a_thousand_submissions_at_once_every_answer_belongs_to_its_asker() -> None:
    """Three sandboxes, many more askers than they can serve at a time, a bounded number of threads, unique numbers."""
    code = "def f(x):\n    print(int(x[0]))\n    return x * 3"
    numbers = random.Random(SEED).sample(range(1 << 40), ASKERS)
    free: queue.SimpleQueue[Sandbox] = queue.SimpleQueue()
    opened = [open_sandbox(3) for _ in range(3)]
    for sandbox in opened:
        free.put(sandbox)

    def ask(number: int) -> tuple[list[float], str]:
        sandbox = free.get()
        try:
            result = sandbox.run(job(code, frame(number)))
        finally:
            free.put(sandbox)
        return returned(result), result.stdout

    before = threading.active_count()
    try:
        with ThreadPoolExecutor(32) as pool:
            answers = list(pool.map(ask, numbers))
            assert threading.active_count() <= before + 32
    finally:
        for sandbox in opened:
            sandbox.close()

    assert answers == [([number * 3], f"{number}\n") for number in numbers]


def test_an_interrupted_start_of_a_run_leaves_no_answer_and_no_descriptor(sandbox: Sandbox) -> None:
    """As a task queue does at its soft limit: in the middle of anything, here at a hundred different places."""
    moments = random.Random(SEED)
    sandbox.run(honest())
    before = len(list(Path("/proc/self/fd").iterdir()))

    def interrupt(number: int, where: object) -> None:
        raise TimeoutError

    handler = signal.signal(signal.SIGALRM, interrupt)
    try:
        for _ in range(12):
            slow = job("import time\ndef f(x):\n    time.sleep(0.01)\n    return x * 100", frame(1))
            with suppress(TimeoutError):
                signal.setitimer(signal.ITIMER_REAL, moments.uniform(0.001, 0.015))
                sandbox.run(slow)
            signal.setitimer(signal.ITIMER_REAL, 0)
            assert is_right(sandbox.run(honest()))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)

    assert len(list(Path("/proc/self/fd").iterdir())) <= before + 8


def test_a_child_that_dozes_at_the_edge_of_its_limit_does_not_wear_its_keeper_out(sandbox: Sandbox) -> None:
    """A keeper has a limit of its own; were it reached, a learner's act would become our failure."""
    code = "import time\ndef f(x):\n    while time.process_time() < 0.19: pass\n    time.sleep(1)\n    return x"
    limits = Limits(cpu_time=timedelta(seconds=0.2), wall_time=timedelta(seconds=60))
    sandbox._replace_zygote(limits)
    run_on(sandbox._zygote, job(code, frame(1), limits=limits))
    before = processor_time(keeper_of(sandbox))

    result = run_on(sandbox._zygote, job(code, frame(1), limits=limits))

    assert result.status == RunStatus.RETURNED
    assert processor_time(keeper_of(sandbox)) - before < 0.1


def processor_time(pid: int) -> float:
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
