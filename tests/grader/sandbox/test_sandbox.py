from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from grader.sandbox import Limits, RunStatus, Sandbox, SandboxUnavailable, zygote
from tests.grader.sandbox.running import (
    becomes_true,
    frame,
    honest,
    is_alive,
    is_right,
    job,
    keeper_of,
    open_sandbox,
    quick,
    require,
    returned,
    running_child_of,
)

pytestmark = pytest.mark.jail

ENDLESS = "def f(x):\n    while True: pass"


def end_abruptly(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


def test_a_run_measures_what_it_used(sandbox):
    code = "import time\ndef f(x):\n    end = time.process_time() + 0.05\n    while time.process_time() < end: pass\n    time.sleep(0.05)\n    return x"

    result = sandbox.run(job(code, frame(1)))

    assert timedelta(seconds=0.05) <= result.cpu_time < result.wall_time
    assert result.wall_time >= timedelta(seconds=0.1)
    assert result.limit == ""


def test_an_endless_loop_ends_at_its_cpu_time(sandbox):
    limits = Limits(cpu_time=timedelta(seconds=0.2), wall_time=timedelta(seconds=60))

    result = sandbox.run(job(ENDLESS, frame(1), limits=limits))

    assert (result.status, result.limit) == (RunStatus.TIME_LIMIT, "cpu_time")
    assert timedelta(seconds=0.2) <= result.cpu_time < timedelta(seconds=2)


def test_a_sleeper_ends_at_its_wall_time_and_keeps_what_it_had(sandbox):
    code = "import time\ndef f(x):\n    print('here')\n    if x[0] > 1: time.sleep(60)\n    x += 1; globals()['n'] = 1\n    return x"
    sleeper = code.replace("x[0] > 1", "'n' in globals()")

    result = sandbox.run(job(sleeper, frame(1), times=2, limits=quick()))

    assert (result.status, result.limit, result.stdout) == (RunStatus.TIME_LIMIT, "wall_time", "here\nhere\n")
    assert [returned(result)] == [[2]]


def test_a_time_limit_counts_only_when_a_second_run_meets_it_too(sandbox):
    attempts = []
    attempt = sandbox._attempt

    def counted(given):
        attempts.append(given)
        slow = (
            job(given.code, frame(1), limits=quick(wall_time=timedelta(milliseconds=1)))
            if len(attempts) == 1
            else given
        )
        return attempt(slow)

    sandbox._attempt = counted
    try:
        result = sandbox.run(job("import time\ndef f(x):\n    time.sleep(0.05)\n    return x", frame(1)))
    finally:
        del sandbox._attempt

    assert (result.status, len(attempts)) == (RunStatus.RETURNED, 2)


def test_output_and_result_limits_name_themselves(sandbox):
    flood = sandbox.run(job("def f(x):\n    print('x' * 70_000)\n    return x", frame(1)))
    large = sandbox.run(
        job("import numpy as np\ndef f(x): return np.zeros(2000)", frame(1), limits=Limits(result_bytes=9000))
    )

    assert (flood.status, flood.limit, len(flood.stdout)) == (RunStatus.OUTPUT_LIMIT, "output_bytes", 65536)
    assert (large.status, large.limit) == (RunStatus.OUTPUT_LIMIT, "result_bytes")


def test_one_run_leaves_nothing_for_the_next(sandbox):
    first = sandbox.run(
        job("import sys, numpy as np\nsys.planted = np.planted = 'ADA-1234'\ndef f(x): return x", frame(1))
    )
    code = (
        "import gc, sys, numpy as np\n"
        "def f(x):\n"
        "    found = any(isinstance(o, dict) and ('ADA-' + '1234') in [v for v in o.values() if type(v) is str] for o in gc.get_objects())\n"
        "    return float(found or hasattr(sys, 'planted') or hasattr(np, 'planted'))"
    )

    assert first.status == RunStatus.RETURNED
    assert returned(sandbox.run(job(code, frame(1)))) == [0]


def test_a_child_that_was_stopped_and_woken_while_it_slept_goes_on(sandbox):
    code = (
        "import time\ndef f(x):\n    time.sleep(1); __import__('threading').Lock().acquire(timeout=0.01)\n    return x"
    )
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(sandbox.run, job(code, frame(1)))
        child = running_child_of(keeper_of(sandbox))
        time.sleep(0.1)
        for number in (signal.SIGSTOP, signal.SIGCONT):
            os.kill(child, number)

        assert running.result().status == RunStatus.RETURNED


def test_a_violation_replaces_the_keeper(sandbox):
    before = keeper_of(sandbox)

    result = sandbox.run(job("import ctypes\ndef f(x): ctypes.CDLL(None).ptrace(0, 0, 0, 0)", frame(1)))

    assert (result.status, result.outcomes) == (RunStatus.SECURITY_VIOLATION, ())
    assert keeper_of(sandbox) != before
    assert becomes_true(lambda: not is_alive(before), seconds=10)
    assert is_right(sandbox.run(honest()))


def test_a_keeper_is_replaced_after_its_runs(sandbox, monkeypatch):
    monkeypatch.setattr("grader.sandbox.sandbox.MAX_RUNS", 2)
    keepers = set()

    for _ in range(6):
        keepers.add(keeper_of(sandbox))
        assert is_right(sandbox.run(honest()))

    assert len(keepers) >= 3


def test_a_killed_keeper_costs_one_attempt_and_no_result(sandbox, caplog):
    assert is_right(sandbox.run(honest()))
    end_abruptly(keeper_of(sandbox))

    with caplog.at_level(logging.ERROR):
        result = sandbox.run(honest())

    assert is_right(result)
    assert [record.message.split(":")[0] for record in caplog.records] == ["A run failed by our own fault"]


def test_a_keeper_that_cannot_be_had_is_our_own_error(sandbox, monkeypatch):
    monkeypatch.setattr("grader.sandbox.zygote.BOOT", "raise SystemExit(1)")
    end_abruptly(keeper_of(sandbox))

    result = sandbox.run(honest())

    assert (result.status, result.outcomes, result.limit) == (RunStatus.INTERNAL_ERROR, (), "")
    monkeypatch.undo()
    sandbox.run(honest())
    assert is_right(sandbox.run(honest()))


BROKEN = {
    "files of another edition": (
        "from grader.sandbox import keeper",
        "keeper.edition = lambda: 'of tomorrow'",
        "changed",
    ),
    "a library that is half there": ("import numpy", "numpy.exp = None", "a program of ours ended as"),
    "a module that cannot be loaded": ("import sys", "sys.modules['numpy.ma'] = None", "numpy.ma"),
}


@pytest.mark.parametrize(("load", "spoil", "said"), BROKEN.values(), ids=BROKEN.keys())
def test_what_broke_while_the_worker_lived_is_our_own_error_and_never_the_learners(
    sandbox, monkeypatch, caplog, load, spoil, said
):
    """An upgrade in place: keepers are started anew every few minutes, from the files that are there then."""
    monkeypatch.setattr(zygote, "BOOT", zygote.BOOT.replace("; main()", f"; {load}; {spoil}; main()"))
    end_abruptly(keeper_of(sandbox))

    with caplog.at_level(logging.ERROR):
        result = sandbox.run(honest())

    assert (result.status, result.outcomes) == (RunStatus.INTERNAL_ERROR, ())
    assert said in caplog.text
    monkeypatch.undo()
    sandbox.run(honest())
    assert is_right(sandbox.run(honest()))


def test_a_child_dies_with_its_keeper(tier):
    with open_sandbox(tier) as opened, ThreadPoolExecutor(1) as pool:
        keeper = keeper_of(opened)
        spin = pool.submit(opened._attempt, job(ENDLESS, frame(1)))
        child = running_child_of(keeper)
        end_abruptly(keeper)

        assert becomes_true(lambda: not is_alive(child), seconds=10)
        assert spin.result().status == RunStatus.INTERNAL_ERROR


WORKER = """
import sys
sys.path.insert(0, {root!r})
from tests.grader.sandbox.running import job, frame, quick, honest, is_right, keeper_of
from grader.sandbox import Limits, Sandbox
from dataclasses import replace
from datetime import timedelta
limits = Limits(timedelta(seconds=60), timedelta(seconds=60))
opened = Sandbox(minimum_tier={tier}, maximum_tier={tier})
assert is_right(opened.run(replace(honest(), limits=limits)))
print(keeper_of(opened), flush=True)
opened.run(job({code!r}, frame(1), limits=limits))
"""


@pytest.mark.parametrize("code", [ENDLESS, "import time\ndef f(x): time.sleep(60)"], ids=["busy", "asleep"])
def test_nothing_is_left_soon_after_the_worker_was_killed(tier, code):
    require(tier)
    program = WORKER.format(root=str(Path.cwd()), tier=tier, code=code)
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as worker:
        keeper = int(worker.stdout.readline())
        child = running_child_of(keeper)
        worker.kill()

        assert becomes_true(lambda: not any(map(is_alive, [keeper, child])), seconds=10)


class OutOfTimeError(Exception):
    """What a task queue raises in the middle of anything."""


def interrupt(number: int, where: object) -> None:
    raise OutOfTimeError


def test_an_interrupted_run_gives_its_answer_to_nobody(sandbox):
    slow = job("import time\ndef f(x):\n    time.sleep(0.5)\n    return x * 100", frame(1))
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(OutOfTimeError):
            sandbox.run(slow)
        time.sleep(0.5)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)

    assert is_right(sandbox.run(honest()))


def test_a_sandbox_cannot_be_used_by_a_forked_process(sandbox):
    child = os.fork()
    if child == 0:
        try:
            sandbox.run(honest())
        except RuntimeError:
            os._exit(7)
        os._exit(0)

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert is_right(sandbox.run(honest()))


def test_a_closed_sandbox_stays_closed():
    opened = open_sandbox(1)
    opened.close()

    with pytest.raises(RuntimeError, match="this sandbox is closed"):
        opened.run(honest())


def test_two_sandboxes_of_one_worker_do_not_meet(tier):
    with open_sandbox(tier) as one, open_sandbox(tier) as other, ThreadPoolExecutor(2) as pool:
        limits = quick(wall_time=timedelta(seconds=30))
        assert is_right(one.run(replace(honest(), limits=limits)))
        spin = pool.submit(one._attempt, job(ENDLESS, frame(1), limits=limits))
        running = running_child_of(keeper_of(one))
        hit = (
            "import os, signal, ctypes\n"
            "def f(x):\n"
            "    for pid in [int(n) for n in x]:\n"
            "        for attempt in (lambda: os.kill(pid, 9), lambda: os.killpg(pid, 9), lambda: os.kill(0, 9), lambda: os.kill(-1, 9)):\n"
            "            try: attempt()\n"
            "            except OSError: pass\n"
            "    return x"
        )
        targets = [running, keeper_of(one), keeper_of(other), os.getpid()]
        assert other.run(job(hit, frame(*targets))).status == RunStatus.RETURNED
        assert all(map(is_alive, [keeper_of(one), keeper_of(other)]))
        assert (spin.result().status, spin.result().limit) == (RunStatus.TIME_LIMIT, "cpu_time")


def test_two_keepers_have_ids_of_their_own_when_we_are_root():
    if os.geteuid() != 0:
        pytest.skip("only root can give a keeper an id of its own")
    with open_sandbox(3) as one, open_sandbox(3) as other:
        for opened in (one, other):
            opened._zygote.wait_until_settled()
        owners = {
            Path(f"/proc/{keeper_of(opened)}/status").read_text().split("Uid:")[1].split()[0] for opened in (one, other)
        }

    assert len(owners) == 2
    assert "0" not in owners


def run_one_in_a_daemon(answers: multiprocessing.Queue[bool]) -> None:
    with Sandbox(minimum_tier=1) as opened:
        answers.put(is_right(opened.run(honest())))
        answers.put(is_right(opened.run(honest())))


def test_a_daemonic_process_may_have_a_sandbox():
    require(1)
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    process = context.Process(target=run_one_in_a_daemon, args=(answers,), daemon=True)
    process.start()

    assert [answers.get(timeout=30), answers.get(timeout=30)] == [True, True]
    process.join()


def test_a_thread_that_ends_takes_no_keeper_along(sandbox):
    opened: list[Sandbox] = []
    starter = threading.Thread(target=lambda: opened.append(open_sandbox(sandbox.tier)))
    starter.start()
    starter.join()
    with opened[0] as other:
        time.sleep(0.1)

        assert is_right(other.run(honest()))


def test_many_runs_at_once_are_taken_one_by_one(sandbox):
    with ThreadPoolExecutor(16) as pool:
        results = list(pool.map(sandbox.run, [honest()] * 60))

    assert all(map(is_right, results))


def test_no_descriptor_is_left_behind(sandbox):
    def count() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    sandbox.run(honest())
    before = count()
    for _ in range(20):
        sandbox.run(honest())
    sandbox.run(job(ENDLESS, frame(1), limits=quick(wall_time=timedelta(milliseconds=50))))
    sandbox.run(job("import ctypes\ndef f(x): ctypes.CDLL(None).ptrace(0, 0, 0, 0)", frame(1)))
    sandbox._zygote.wait_until_settled()

    assert count() - before in range(-3, 4)


def test_without_namespaces_the_full_tier_is_refused_and_the_lowest_holds(tmp_path):
    """As on a system that lets no ordinary user make namespaces: here because their number is limited to none."""
    require(1)
    program = textwrap.dedent(
        """
        import os, sys
        sys.path.insert(0, os.getcwd())
        from grader.sandbox import Sandbox, SandboxUnavailable
        from tests.grader.sandbox.running import honest, is_right
        for tier in (3, 2):
            try: Sandbox(minimum_tier=tier).close()
            except SandboxUnavailable as refusal: print(refusal.reason)
        with Sandbox(minimum_tier=1) as opened: print(opened.tier, is_right(opened.run(honest())))
        """
    )
    (tmp_path / "program.py").write_text(program)
    limited = f"echo 0 > /proc/sys/user/max_user_namespaces && exec {sys.executable} {tmp_path}/program.py"
    inside = ["unshare", "--user", "--map-user=1234", "--map-group=1234", "--keep-caps", "sh", "-c", limited]

    finished = subprocess.run(inside, capture_output=True, text=True, check=False)

    lines = finished.stdout.splitlines()
    assert [line.partition(":")[0] for line in lines[:2]] == [
        "The sandbox cannot reach tier 3 here",
        "The sandbox cannot reach tier 2 here",
    ], finished.stderr
    assert lines[2:] == ["1 True"]


def test_a_tier_that_does_not_exist_is_refused():
    for tier in (0, 4):
        with pytest.raises(ValueError, match="a tier lies between 1 and 3"):
            Sandbox(minimum_tier=tier)


def test_another_machine_is_refused_with_a_sentence(monkeypatch):
    monkeypatch.setattr("platform.machine", lambda: "riscv64")

    with pytest.raises(SandboxUnavailable, match="knows 64-bit x86_64 and aarch64, not riscv64"):
        Sandbox()


def test_another_system_is_refused_with_a_sentence(monkeypatch):
    monkeypatch.setattr("sys.platform", "darwin")

    with pytest.raises(SandboxUnavailable, match="needs Linux, and this is darwin: run the grader in its container"):
        Sandbox()
