from __future__ import annotations

import subprocess
import sys

from qkvcourse.serve.plan import ROOT
from qkvcourse.serve.processes import end_sessions, session_members

# The child is started without a parent-death signal: only the guard can end it.
SUPERVISOR = """
import subprocess, sys, time
from qkvcourse.serve.guard import start_guard
guard = start_guard()
child = subprocess.Popen(["sleep", "60"], start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
guard.watch(child.pid)
if sys.argv[1] == "forget":
    guard.forget(child.pid)
print(child.pid, flush=True)
if sys.argv[1] == "dismiss":
    guard.dismiss()
else:
    time.sleep(60)
"""


def run_supervisor(behaviour: str) -> tuple[subprocess.Popen[str], int]:
    process = subprocess.Popen(
        [sys.executable, "-c", SUPERVISOR, behaviour],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert process.stdout
    return process, int(process.stdout.readline())


def test_the_guard_ends_what_a_killed_supervisor_left() -> None:
    process, session = run_supervisor("sleep")

    process.kill()
    _, words = process.communicate(timeout=60)

    assert session_members({session}) == set()
    assert words == "serve: the supervisor was killed; ended what it had started (1 processes)\n"


def test_a_session_that_was_forgotten_is_left_alone() -> None:
    process, session = run_supervisor("forget")

    process.kill()
    process.communicate(timeout=60)
    left = session_members({session})

    end_sessions({session}, patience_seconds=1)
    assert left == {session}


def test_a_dismissed_guard_ends_nothing_and_is_gone() -> None:
    process, session = run_supervisor("dismiss")

    _, words = process.communicate(timeout=60)
    left = session_members({session})

    end_sessions({session}, patience_seconds=1)
    assert (process.returncode, words, left) == (0, "", {session})
