"""No attack is stopped by one wall alone: with any left out, nothing works but what is listed here with its reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.sandbox import RunResult, RunStatus, Sandbox
from grader.sandbox.sandbox import run_on
from tests.grader.sandbox.ablation import ABLATIONS, removed_here
from tests.grader.sandbox.attacks import ATTACKS
from tests.grader.sandbox.attacks.program import MEMORY, OUTPUT, TIME, VIOLATION, Attack
from tests.grader.sandbox.attacks.striking import QUICK, worked
from tests.grader.sandbox.running import children_of, frame, honest, is_right, job, keeper_of, require

pytestmark = pytest.mark.jail

# Without the filter of system calls these do something, and it goes no further than the reason says. A call of the
# kernel that is merely reached is a surface that the filter alone takes away.
ONLY_ITSELF = "in its own namespace of processes it sees and hits nobody but itself"
ONLY_ITS_FILES = "its files were made for this run and end with it"
ONLY_ITS_OBJECTS = "its namespace of objects was made for this run and ends with it"
NO_NETWORK = "the network of the jail is empty, and no socket of another process is in it"
EMPTY_ROOT = "it tells of an empty root that cannot be written"
ONLY_A_QUESTION = "it tells of the machine, and changes nothing"
ONLY_A_SURFACE = "it reaches a part of the kernel, and nothing beyond its own memory by it"
OWN_LIMITS = "its hard limits stay as they are"
FIRST_PROCESS = "its keeper is the first process of a namespace, and takes everything in it along when it ends"
FILTER_ALONE = (
    "the filter is the one wall here: what a child left in a ring of keys, a later child of its keeper could find"
)
OUTSIDE_NAMESPACES = (
    "no namespace holds a socket to the machine that this one runs on: there the filter is the one wall"
)
KERNEL_LOG = "where a machine shows its log to everybody, the filter is the one wall before it"
NO_VIOLATION = "it is the filter that this one is about"
REACHED = {
    "seccomp": {
        ONLY_ITSELF: "kill_parent kill_by_thread signal_itself killed_by_hand ptrace_traceme process_vm_readv "
        "process_vm_writev pidfd_open kcmp move_pages migrate_pages group priorities scheduling limits_of_others "
        "questions_about_pids reaper ioprio_of_the_group ioprio_of_itself ioprio_read self_description "
        "no_randomised_addresses thread_area files_unshared umask_and_directory capabilities core_scheduling",
        ONLY_ITS_FILES: "owner_of_descriptors terminal_of_the_keeper extended_attributes setxattr_at locks_and_leases "
        "seals_and_hints rights_of_files append_switched_off copies_of_descriptors copies_between_files "
        "file_attributes times_of_files",
        ONLY_ITS_OBJECTS: "sysv_shm sysv_msg sysv_sem sysv_shm_info",
        NO_NETWORK: "abstract_socket pair_of_sockets",
        OUTSIDE_NAMESPACES: "families kernel_crypto",
        KERNEL_LOG: "kernel_log kernel_log_size",
        EMPTY_ROOT: "list_root path_oracle openat2 open_tree listmount hidden_in_the_root quotactl",
        ONLY_A_QUESTION: "sysfs landlock_version machine_at_large lsm statmount",
        ONLY_A_SURFACE: "remap_file_pages memory_files huge_pages_and_locks advice_for_the_host memory_policy "
        "secret_memory old_io userfaultfd modify_ldt executable_memory timers io_uring perf bpf memory_keys "
        "memory_key_protection shadow_stack fanotify cookies wait_by_futexes waiting",
        OWN_LIMITS: "raised_limits every_limit",
        FILTER_ALONE: "keyring keyring_session keyring_persistent add_key request_key",
        FIRST_PROCESS: "outlive_the_keeper",
        NO_VIOLATION: "memory_then_violation violation_in_a_handler violation_at_import",
    },
    "pid_namespace": {
        "how much of the processor a neighbour used is all that a clock of a process tells": "clocks_of_pids"
    },
    "own_session": {"it may then do what is done for it otherwise: begin a session of its own": "session"},
    "no_capabilities": {"what it takes back is what was left to it, a right over its own namespaces": "capabilities"},
}
# Texts and replies are judged by no wall of the kernel's.
JUDGED_OUTSIDE = {"Input text", "Malformed replies"}
JUDGED_BY_US = JUDGED_OUTSIDE | {
    "Grading integrity", "Evidence within reach", "Ways out of the child", "Two rules broken in one run",
    "The harness shows itself",
}  # fmt: skip


def relevant(wall: str) -> list[Attack]:
    """The attacks that this wall could be what stops."""
    if wall == "resource_limits":
        return [attack for attack in ATTACKS if attack.heading in {"Resources", "Processes and signals"}]
    if wall == "seccomp":
        return [attack for attack in ATTACKS if attack.heading not in JUDGED_OUTSIDE and not attack.expects & TIME]
    # The filter ends what it counts as a violation before any other wall is asked.
    elsewhere = VIOLATION | TIME | MEMORY | OUTPUT
    return [attack for attack in ATTACKS if attack.heading not in JUDGED_BY_US and not attack.expects & elsewhere]


def has_worked(attack: Attack, result: RunResult) -> bool:
    """Whether an attack got anywhere; to be ended by another wall or by a limit is to be stopped."""
    if result.status == RunStatus.INTERNAL_ERROR:
        return True
    return result.status == RunStatus.RETURNED and RunStatus.RETURNED not in attack.expects and worked(result) != 0


def strike_weakened(sandbox: Sandbox, attack: Attack) -> str:
    """Run an attack in a jail with a wall left out; say what it got, or nothing."""
    results = [run_on(sandbox._zygote, job(attack.code, frame(1, 2), limits=QUICK)) for _ in range(attack.runs)]
    if any(has_worked(attack, result) for result in results):
        return attack.name
    if not is_right(sandbox.run(replace(honest(), limits=QUICK))):
        return f"{attack.name}: the next run is not right"
    return f"{attack.name}: a process is left over" if children_of(keeper_of(sandbox)) else ""


@pytest.mark.parametrize("wall", ABLATIONS)
def test_with_one_wall_left_out_another_stops_every_attack(wall: str) -> None:
    require(3)
    listed = {name for names in REACHED.get(wall, {}).values() for name in names.split()}
    with removed_here(wall), Sandbox() as weakened:
        assert ABLATIONS[wall].walls.isdisjoint(weakened.layers)
        weakened.run(replace(honest(), limits=QUICK))

        said = {strike_weakened(weakened, attack) for attack in relevant(wall)} - {""}

    assert said - listed == set()


def test_the_list_of_exceptions_names_attacks_that_there_are() -> None:
    listed = [name for reasons in REACHED.values() for names in reasons.values() for name in names.split()]

    assert set(listed) - {attack.name for attack in ATTACKS} == set()
    assert len(REACHED["seccomp"]) == len(set(REACHED["seccomp"]))


def test_a_wall_left_out_is_out_and_only_there() -> None:
    require(3)
    by_name = {attack.name: attack for attack in ATTACKS}
    telling = ("sysv_shm", "pair_of_sockets", "memory_files")

    with removed_here("seccomp"), Sandbox() as weakened:
        weakened.run(replace(honest(), limits=QUICK))
        reached = [strike_weakened(weakened, by_name[name]) for name in telling]
    with Sandbox() as whole:
        kept = [strike_weakened(whole, by_name[name]) for name in telling]

    assert reached == list(telling)
    assert kept == ["", "", ""]
