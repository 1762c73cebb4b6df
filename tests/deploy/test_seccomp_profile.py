"""The grader container's seccomp profile: what it adds to Docker's default, and that the jail stands under it."""

from __future__ import annotations

import ctypes
import ctypes.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grader import sandbox
from scripts.seccomp_profile import grader_profile, is_masked_clone
from tests.deploy.compose import ROOT, services

PROFILE = ROOT / "deploy" / "seccomp-grader.json"
WITHOUT_CAPABILITIES = ["clone", "sethostname", "unshare"]
REFUSED = [
    *("mount", "umount2", "setns", "pivot_root", "chroot", "bpf", "keyctl", "add_key", "request_key", "userfaultfd"),
    *("perf_event_open", "init_module", "kexec_load", "open_by_handle_at", "process_vm_writev", "fsopen", "move_mount"),
]
NEEDED = ["seccomp", "prctl", "capset", "memfd_create", "pidfd_open", "landlock_restrict_self", "setresuid"]
USER = services()["grader"]["user"].partition(":")[0]
# Loads the profile as Docker does for a process without capabilities, then becomes the program named after it.
LOADER = Path(__file__).with_name("under_profile.py")


def profile() -> dict[str, Any]:
    return json.loads(PROFILE.read_text("utf-8"))


def allowed_to_all() -> set[str]:
    """Calls that are allowed on this profile whatever their arguments, without any capability."""
    plain = [
        rule
        for rule in profile()["syscalls"]
        if rule["action"] == "SCMP_ACT_ALLOW" and not rule.get("args") and not rule.get("includes", {}).get("caps")
    ]
    return {name for rule in plain for name in rule["names"]}


def test_everything_is_refused_that_is_not_named():
    assert profile()["defaultAction"] == "SCMP_ACT_ERRNO"
    assert set(REFUSED) & allowed_to_all() == set()
    assert set(NEEDED) - allowed_to_all() == set()


def test_three_calls_are_added_and_clone3_stays_hidden():
    assert profile()["syscalls"][-1]["names"] == WITHOUT_CAPABILITIES
    hidden = [rule for rule in profile()["syscalls"] if rule["names"] == ["clone3"] and rule.get("errnoRet") == 38]
    assert len(hidden) == 1


def test_script_replaces_only_the_masked_clone():
    masked = {"names": ["clone"], "action": "SCMP_ACT_ALLOW", "args": [{"index": 0}]}
    other = {"names": ["read"], "action": "SCMP_ACT_ALLOW", "args": []}
    made = grader_profile({"defaultAction": "SCMP_ACT_ERRNO", "syscalls": [masked, other]})
    assert (made["defaultAction"], made["syscalls"][0], len(made["syscalls"])) == ("SCMP_ACT_ERRNO", other, 2)
    assert not any(is_masked_clone(rule) for rule in made["syscalls"])


def test_notice_and_licence_go_with_it():
    assert "Apache License, Version 2.0" in (ROOT / "deploy" / "NOTICE").read_text("utf-8")
    assert "Version 2.0, January 2004" in (ROOT / "deploy" / "LICENSE.Apache-2.0").read_text("utf-8")


def as_in_the_container() -> list[str]:
    """What makes root the container's user; an ordinary user is close enough to it already."""
    if os.geteuid() != 0:
        return []
    # Python itself may lie where only root can read: this user may read, and nothing else.
    kept = "dac_read_search"
    rights = ["--inh-caps=-all,+" + kept, "--ambient-caps=-all,+" + kept, "--bounding-set=-all,+" + kept]
    return ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", *rights]


@pytest.mark.jail
@pytest.mark.parametrize(("minimum_tier", "status"), [("2", 0), ("3", 1)])
def test_jail_of_the_second_tier_stands_under_the_profile(minimum_tier, status):
    if ctypes.util.find_library("seccomp") is None:
        pytest.skip("no libseccomp here to load the profile with: apt-get install libseccomp2")
    if sandbox.describe().tier < 2:
        pytest.skip("no namespaces here: `python -m grader.sandbox check` says why")
    command = [*as_in_the_container(), sys.executable, LOADER, PROFILE, sys.executable, "-m", "grader.sandbox", "check"]
    environment = os.environ | {"SANDBOX_MIN_TIER": minimum_tier, "PYTHONPATH": str(ROOT)}
    checked = subprocess.run(command, env=environment, cwd="/", capture_output=True, text=True, check=False)
    assert (checked.returncode, "Tier 2 holds here" in checked.stdout) == (status, True), (
        checked.stdout + checked.stderr
    )
