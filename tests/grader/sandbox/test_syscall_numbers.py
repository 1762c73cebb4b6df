from __future__ import annotations

import ctypes
import os
import platform

import pytest

from grader.sandbox.syscall_numbers import MACHINES, numbers_of


def test_known_numbers_of_both_machines():
    assert [numbers_of("x86_64")[name] for name in ("read", "clone", "seccomp", "prlimit64")] == [0, 56, 317, 302]
    assert [numbers_of("aarch64")[name] for name in ("read", "clone", "seccomp", "prlimit64")] == [63, 220, 277, 261]


def test_calls_that_only_the_older_machine_has():
    only_there = set(numbers_of("x86_64")) - set(numbers_of("aarch64"))

    assert {"fork", "vfork", "open", "pipe", "modify_ldt", "iopl"} <= only_there
    assert set(numbers_of("aarch64")) - set(numbers_of("x86_64")) == set()


def test_newer_calls_have_one_number_everywhere():
    x86_64, aarch64 = (numbers_of(machine) for machine in MACHINES)

    assert {name for name, number in aarch64.items() if number >= 424 and x86_64[name] != number} == set()


@pytest.mark.skipif(platform.machine() not in MACHINES, reason="no table for this machine")
def test_this_kernel_agrees():
    libc, numbers = ctypes.CDLL(None), numbers_of(platform.machine())

    assert libc.syscall(numbers["getpid"]) == os.getpid()
    assert libc.syscall(numbers["getuid"]) == os.getuid()
