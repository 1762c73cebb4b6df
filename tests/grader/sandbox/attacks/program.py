"""What every hostile program is made of, and one row of the catalogue.

`f` is called once with an array of two numbers. A program that tries many things gives back how many of them worked;
nothing may have. What must never happen after any of them (a process left over, a next run that is not right, our own
name or a path of this machine in what the learner sees) is checked by `striking`.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass

from grader.sandbox import RunStatus, descriptors
from grader.sandbox.syscall_numbers import MACHINES, numbers_of

# A program that ends this way gives back 0: the number of its attempts that worked.
HARMLESS = frozenset[RunStatus]()
RETURNED, RAISED, CRASHED = (frozenset({s}) for s in (RunStatus.RETURNED, RunStatus.RAISED, RunStatus.CRASHED))
TIME, MEMORY, OUTPUT = (frozenset({s}) for s in (RunStatus.TIME_LIMIT, RunStatus.MEMORY_LIMIT, RunStatus.OUTPUT_LIMIT))
VIOLATION = frozenset({RunStatus.SECURITY_VIOLATION})
# Where the learner's own answer or end is all that it can reach, any of these is right; an internal error never is.
ITS_OWN = RETURNED | RAISED | CRASHED

NUMBERS = numbers_of(platform.machine()) if platform.machine() in MACHINES else {}
PRELUDE = f"""
import ctypes, fcntl, gc, mmap, os, resource, select, signal, socket, struct, sys, threading, time
import numpy as np
NR = dict(zip({" ".join(NUMBERS)!r}.split(), map(int, {" ".join(map(str, NUMBERS.values()))!r}.split())))
STDIN, STDOUT, STDERR, REQUEST, RESULT = {descriptors.STDIN}, {descriptors.STDOUT}, {descriptors.STDERR}, \
{descriptors.REQUEST}, {descriptors.RESULT}
FILES = (STDIN, STDOUT, STDERR, REQUEST, RESULT)
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = libc.mmap.restype = ctypes.c_long
KEPT = []
def call(name, *arguments):
    if name not in NR: return -1
    return libc.syscall(ctypes.c_long(NR[name]), *map(ctypes.c_long, arguments))
def ref(content):
    KEPT.append(ctypes.create_string_buffer(bytes(content), len(content) or 1))
    return ctypes.addressof(KEPT[-1])
def born(name, *arguments):
    pid = call(name, *arguments)
    if pid == 0: call('exit_group', 0)
    return pid
def page(protection=3, flags=0x22, size=4096):
    return libc.mmap(ctypes.c_void_p(0), ctypes.c_size_t(size), protection, flags, -1, ctypes.c_long(0))
def works(attempt):
    try:
        result = attempt()
    except BaseException:
        return 0.0
    return 0.0 if result is False or (type(result) is int and result == -1) else 1.0
def count(*attempts):
    return sum(map(works, attempts))
"""


@dataclass(frozen=True, slots=True)
class Attack:
    """One hostile program: what it does, its whole text, how such a run may end, and what must never come of it."""

    name: str
    heading: str
    does: str
    code: str
    expects: frozenset[RunStatus]
    never: str
    runs: int = 1


Programs = Mapping[str, tuple[str, str]]


def rows(
    heading: str,
    expects: frozenset[RunStatus],
    never: str,
    programs: Programs,
    *,
    runs: int = 1,
    prelude: str = PRELUDE,
) -> list[Attack]:
    """Rows that share how they may end; each program by its name, with what it does."""
    return [
        Attack(name, heading, does, prelude + code, expects, never, runs) for name, (does, code) in programs.items()
    ]


def calls(heading: str, never: str, named: Mapping[str, str]) -> list[Attack]:
    """Rows of one system call each, written as its words; the filter ends the process, and nothing comes back."""
    programs = {name: (f"calls {words.split(',')[0]}", counted(f"call({words})")) for name, words in named.items()}
    return rows(heading, VIOLATION, never, programs)


def body(*lines: str) -> str:
    """A function of these lines."""
    return "def f(x):\n" + "".join(f"    {line}\n" for line in lines)


def counted(*attempts: str) -> str:
    """Count which of these expressions work; one that raises or gives False or -1 does not."""
    return body("return count(", *(f"    lambda: {attempt}," for attempt in attempts), ")")


def each(name: str, among: str, *attempts: str) -> str:
    """Count which of these expressions work, for every value of a name."""
    return body(
        "return sum(", *(f"    works(lambda: {attempt}) +" for attempt in attempts), f"    0 for {name} in {among})"
    )
