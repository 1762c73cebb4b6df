"""Run a program under a container's seccomp profile: `under_profile.py PROFILE PROGRAM ARGUMENT…`.

The rules are chosen as Docker chooses them for a container without capabilities, and loaded by the same libseccomp,
which also forbids new privileges.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import json
import os
import platform
import sys
from pathlib import Path

ACTIONS = {"SCMP_ACT_ALLOW": 0x7FFF0000, "SCMP_ACT_ERRNO": 0x00050000}
COMPARISONS = {"SCMP_CMP_EQ": 4, "SCMP_CMP_MASKED_EQ": 7}
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
EPERM = 1


class Comparison(ctypes.Structure):
    """libseccomp's `struct scmp_arg_cmp`."""

    _fields_ = (
        ("arg", ctypes.c_uint),
        ("op", ctypes.c_int),
        ("datum_a", ctypes.c_uint64),
        ("datum_b", ctypes.c_uint64),
    )


def main(profile: str, *command: str) -> None:
    load(json.loads(Path(profile).read_text("utf-8")))
    os.execv(command[0], command)


def load(profile: dict) -> None:
    library = ctypes.CDLL(ctypes.util.find_library("seccomp"))
    library.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(ACTIONS["SCMP_ACT_ERRNO"] | EPERM)))
    for rule in profile["syscalls"]:
        if applies(rule):
            add(library, context, rule)
    if library.seccomp_load(context):
        raise OSError("seccomp_load")


def applies(rule: dict) -> bool:
    """Whether the rule holds on this machine for a process without capabilities."""
    includes, excludes = rule.get("includes", {}), rule.get("excludes", {})
    here = ARCHITECTURES[platform.machine()]
    if includes.get("caps") or here in excludes.get("arches", []):
        return False
    return here in includes.get("arches", [here])


def add(library: ctypes.CDLL, context: ctypes.c_void_p, rule: dict) -> None:
    action = ctypes.c_uint32(ACTIONS[rule["action"]] | rule.get("errnoRet", 0))
    told = rule.get("args") or []
    compared = (Comparison * max(1, len(told)))(
        *(Comparison(each["index"], COMPARISONS[each["op"]], each["value"], each.get("valueTwo", 0)) for each in told)
    )
    for name in rule["names"]:
        number = library.seccomp_syscall_resolve_name(name.encode())
        if number >= 0:  # negative: unknown here, or of another architecture
            library.seccomp_rule_add_array(context, action, ctypes.c_int(number), ctypes.c_uint(len(told)), compared)


if __name__ == "__main__":
    main(*sys.argv[1:])
