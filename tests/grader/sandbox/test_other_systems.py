"""The jail on systems that withhold something: each is this one, behind a filter that refuses a few calls."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from tests.grader.sandbox.running import require

pytestmark = pytest.mark.jail

PRELUDE = """
import os, platform, sys
sys.path.insert(0, os.getcwd())
from grader.sandbox import Sandbox, SandboxUnavailable, kernel
from grader.sandbox.bpf import ALLOW, ENOSYS, EPERM, Guard, NoBits, assemble, compile_filter
from grader.sandbox.policy import AUDIT_MACHINE
from grader.sandbox.syscall_numbers import numbers_of
from tests.grader.sandbox.attacks import PROCESSES
from tests.grader.sandbox.attacks.striking import verdict
from tests.grader.sandbox.running import honest, is_right

def withhold(**rules):
    numbers, machine = numbers_of(platform.machine()), AUDIT_MACHINE[platform.machine()]
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    by_number = {numbers[name]: rule for name, rule in rules.items()}
    kernel.load_filter(assemble(compile_filter(by_number, machine=machine, unknown=ALLOW)))

def refused(tier):
    try: Sandbox(minimum_tier=tier, maximum_tier=tier).close()
    except SandboxUnavailable as refusal: return True
    return False
"""


def run_program(program: str, *before: str) -> list[str]:
    require(3)
    finished = subprocess.run(
        [*before, sys.executable, "-c", PRELUDE + program], capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout.splitlines()


def test_a_container_with_namespaces_and_without_mounts_reaches_tier_2():
    program = """
withhold(clone3=ENOSYS, **dict.fromkeys(
    ("mount", "umount2", "pivot_root", "keyctl", "sethostname", "setns", "chroot"), EPERM))
with Sandbox(minimum_tier=2) as opened:
    print(refused(3), opened.tier, is_right(opened.run(honest())), "own_keyring" in opened.layers)
"""

    assert run_program(program) == ["True 2 True False"]


def test_a_stock_container_reaches_tier_1():
    program = """
withhold(clone=Guard((NoBits(0, kernel.SHARED_NAMESPACES | kernel.FRESH_NAMESPACES),)), clone3=ENOSYS,
         **dict.fromkeys(("mount", "umount2", "pivot_root", "keyctl", "unshare", "setns"), EPERM))
with Sandbox(minimum_tier=1) as opened:
    print(refused(3), refused(2), opened.tier, is_right(opened.run(honest())))
"""

    assert run_program(program) == ["True True 1 True"]


def test_without_landlock_only_the_full_tier_holds():
    program = """
withhold(landlock_create_ruleset=ENOSYS)
with Sandbox(minimum_tier=3) as opened:
    print(refused(2), refused(1), opened.tier, "landlock" in opened.layers, is_right(opened.run(honest())))
"""

    assert run_program(program) == ["True True 3 False True"]


def test_without_seccomp_nothing_holds():
    assert run_program("withhold(seccomp=ENOSYS)\nprint([refused(tier) for tier in (3, 2, 1)])") == [
        "[True, True, True]"
    ]


def test_without_landlock_and_with_one_id_for_all_no_process_reaches_another():
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip(
            "only root, with setpriv, can become an ordinary user; as one, run the other tests without Landlock"
        )
    program = """
withhold(landlock_create_ruleset=ENOSYS)
with Sandbox(minimum_tier=3) as opened, Sandbox(minimum_tier=3) as neighbour:
    print([said for attack in PROCESSES if (said := verdict(opened, attack))], is_right(neighbour.run(honest())), os.getuid())
"""
    becoming = ("setpriv", "--reuid=1234", "--regid=1234", "--clear-groups")

    answer = run_program(program, *becoming, "--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search")

    assert answer == ["[] True 1234"]
