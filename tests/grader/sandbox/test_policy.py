from __future__ import annotations

import pytest

from grader.sandbox.bpf import ALLOW, ENOSYS, EPERM, KILL
from grader.sandbox.policy import AUDIT_MACHINE, GUARDED, INNOCENT, PLAIN, filter_for
from grader.sandbox.syscall_numbers import MACHINES, numbers_of
from tests.grader.sandbox.interpreter import decide

PLAIN_NAMES, INNOCENT_NAMES = PLAIN.split(), INNOCENT.split()
HOSTILE = """
ptrace process_vm_readv process_vm_writev pidfd_open pidfd_getfd pidfd_send_signal kcmp personality process_madvise
mount umount2 pivot_root chroot unshare setns move_mount open_tree fsopen fsmount mount_setattr swapon swapoff
keyctl add_key request_key shmget shmat shmctl shmdt semget semop semctl semtimedop msgget msgsnd msgrcv msgctl
mq_open mq_unlink io_uring_setup io_uring_enter io_uring_register bpf perf_event_open userfaultfd
init_module finit_module delete_module kexec_load reboot clock_settime settimeofday adjtimex
open_by_handle_at name_to_handle_at mlock mlockall move_pages migrate_pages remap_file_pages acct quotactl
landlock_create_ruleset landlock_add_rule landlock_restrict_self memfd_secret ioprio_set vmsplice syslog vhangup
""".split()  # noqa: SIM905 -- a list of words reads better as one


@pytest.fixture(params=MACHINES)
def machine(request):
    return request.param


@pytest.fixture
def ask(machine):
    program, numbers = filter_for(machine, hides_host_name=True), numbers_of(machine)

    def asked(name: str, *arguments: int) -> int:
        return decide(program, machine=AUDIT_MACHINE[machine], number=numbers[name], arguments=arguments)

    return asked


def test_every_number_gets_the_answer_of_its_list(machine):
    program, names = filter_for(machine, hides_host_name=True), {v: k for k, v in numbers_of(machine).items()}
    answers = {
        **dict.fromkeys(PLAIN_NAMES, (ALLOW,)),
        **dict.fromkeys(INNOCENT_NAMES, (EPERM,)),
        **dict.fromkeys(GUARDED, (ALLOW, EPERM)),
        "uname": (ALLOW,),
        "clone3": (ENOSYS,),
    }

    for number in range(600):
        decision = decide(program, machine=AUDIT_MACHINE[machine], number=number)
        assert decision in (answers.get(names[number], (KILL,)) if number in names else (ENOSYS,)), names.get(number)


def test_numbers_above_the_table_are_unknown_and_x32_calls_are_killed():
    program = filter_for("x86_64", hides_host_name=True)

    decisions = [
        decide(program, machine=AUDIT_MACHINE["x86_64"], number=n) for n in (600, 0x3FFFFFFF, 0x40000000, 2**32 - 1)
    ]

    assert decisions == [ENOSYS, ENOSYS, KILL, KILL]


def test_the_32_bit_entry_is_killed(machine):
    program = filter_for(machine, hides_host_name=True)

    assert {decide(program, machine=0x40000003, number=number) for number in range(500)} == {KILL}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_calls_end_the_process(machine, ask, name):
    assert numbers_of(machine).get(name) is None or ask(name) == KILL


def test_every_name_in_the_lists_exists_and_stands_in_one_list_only():
    known = {name for machine in MACHINES for name in numbers_of(machine)}
    named = [*PLAIN_NAMES, *INNOCENT_NAMES, *GUARDED, "uname"]

    assert set(named) - known == set()
    assert len(named) == len(set(named))


def test_no_two_calls_share_a_number(machine):
    numbers = numbers_of(machine)

    assert len(set(numbers.values())) == len(numbers)


def test_memory_is_anonymous_and_never_executable(ask):
    private_anonymous = 0x22

    assert ask("mmap", 0, 4096, 3, private_anonymous) == ALLOW
    assert ask("mmap", 0, 4096, 7, private_anonymous) == EPERM  # executable
    assert ask("mmap", 0, 4096, 1, 0x01) == EPERM  # a file
    assert ask("mmap", 0, 4096, 3, 0x21) == EPERM  # shared
    assert ask("mmap", 0, 4096, 3, private_anonymous | 0x40000) == EPERM  # the host's huge pages
    assert ask("mmap", 0, 4096, 3, private_anonymous | 0x2000) == EPERM  # locked
    assert ask("mprotect", 0, 4096, 3) == ALLOW
    assert ask("mprotect", 0, 4096, 5) == EPERM


def test_a_limit_can_be_read_and_not_set_whichever_half_of_the_pointer_is_used(ask):
    assert ask("prlimit64", 0, 7, 0, 0x7FFF0000) == ALLOW
    assert ask("prlimit64", 0, 7, 0x1000) == EPERM
    assert ask("prlimit64", 0, 7, 1 << 32) == EPERM
    assert ask("prlimit64", 1, 7, 0) == EPERM


def test_only_harmless_descriptor_commands_pass(ask):
    get_flag, set_flag, get_state, set_state, set_owner, add_seals = 1, 2, 3, 4, 8, 1033

    assert [ask("fcntl", 1, command) for command in (get_flag, set_flag, get_state)] == [ALLOW] * 3
    assert [ask("fcntl", 1, command) for command in (0, set_state, 5, 6, 7, set_owner, 10, add_seals)] == [EPERM] * 8


def test_clocks_of_other_processes_stay_hidden(ask):
    assert ask("clock_gettime", 2) == ALLOW
    assert ask("clock_gettime", ~1 << 3 | 2) == EPERM
    assert ask("clock_nanosleep", ~1 << 3 | 2) == EPERM


def test_advice_that_only_matters_to_the_host_is_refused(ask):
    dont_need, free = 4, 8
    advised = [value for value in range(110) if ask("madvise", 0, 4096, value) == ALLOW]

    assert advised == [dont_need, free]


def test_locks_work_and_priority_inheritance_does_not(ask):
    wait, wake, wait_until, lock_pi = 0, 1, 9 | 128 | 256, 6

    assert [ask("futex", 0, operation) for operation in (wait, wake, wait_until)] == [ALLOW] * 3
    assert ask("futex", 0, lock_pi) == EPERM


def test_without_a_namespace_of_its_own_the_host_name_stays_hidden(machine):
    program, number = filter_for(machine, hides_host_name=False), numbers_of(machine)["uname"]

    assert decide(program, machine=AUDIT_MACHINE[machine], number=number) == EPERM
