"""What a learner's program may ask of the kernel: the rules that `bpf` compiles.

A known call that is not named here kills the process: no honest program makes it. A call that the standard library
makes in all innocence gets an ordinary error instead, so that honest code sees an exception and not an accusation.
A number that our table does not know gets ENOSYS, which is what an older kernel would say.

A child inherits the keeper's filter. So what the keeper needs after its jail is a learner's right, too, and every such
call is here with the reason why it is of no use to a learner, down to its arguments. In tier 1, where a child shares
its namespaces with the keeper, some would be: there every child loads the strict filter on top.
"""

from __future__ import annotations

import fcntl
import mmap
import resource
import signal
from collections.abc import Mapping
from typing import Final

from grader.sandbox.bpf import (
    ALLOW,
    ENOSYS,
    EPERM,
    KILL,
    AllBits,
    Exactly,
    Guard,
    NoBits,
    OneOf,
    Rule,
    assemble,
    compile_filter,
)
from grader.sandbox.descriptors import CONTROL
from grader.sandbox.kernel import CLONE_PIDFD, PR_SET_PDEATHSIG, SECCOMP_SET_MODE_FILTER
from grader.sandbox.syscall_numbers import numbers_of

AUDIT_MACHINE: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

# restart_syscall is never called by a program: the kernel calls it for one that was stopped while it slept.
PLAIN: Final = """
brk munmap mremap
read readv pread64 write writev lseek close poll ppoll select pselect6
rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack restart_syscall
nanosleep gettimeofday time sched_yield getrandom
getpid gettid getuid geteuid getgid getegid getrlimit getrusage times
exit exit_group
"""

# Files, sockets, processes, clocks and identities: what Python's own library asks for. It gets PermissionError.
INNOCENT: Final = """
open openat openat2 creat stat lstat fstat newfstatat statx statfs fstatfs access faccessat faccessat2
readlink readlinkat getdents getdents64 getcwd chdir fchdir truncate ftruncate fallocate fadvise64 readahead
mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat mknod mknodat
chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat umask utime utimes utimensat futimesat
getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr setxattr lsetxattr fsetxattr
removexattr lremovexattr fremovexattr sync fsync fdatasync syncfs sync_file_range flock ioctl
pwrite64 preadv pwritev preadv2 pwritev2 sendfile copy_file_range splice tee
dup dup2 dup3 pipe pipe2 eventfd eventfd2 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2
signalfd signalfd4 timerfd_create timerfd_settime timerfd_gettime inotify_init inotify_init1 inotify_add_watch
inotify_rm_watch memfd_create close_range
socket socketpair connect accept accept4 bind listen shutdown sendto recvfrom sendmsg recvmsg sendmmsg recvmmsg
getsockname getpeername getsockopt setsockopt
clone fork vfork execve execveat wait4 waitid kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo pause
rt_sigpending rt_sigsuspend rt_sigtimedwait alarm setitimer getitimer timer_create timer_settime timer_gettime
timer_getoverrun timer_delete
setuid setgid setreuid setregid setresuid setresgid setfsuid setfsgid setgroups getgroups getresuid getresgid
setpgid getpgid getpgrp setsid getsid getppid getpriority setpriority setrlimit
sched_setparam sched_getparam sched_setscheduler sched_getscheduler sched_get_priority_max sched_get_priority_min
sched_rr_get_interval sched_setaffinity sched_setattr sched_getattr getcpu
capget capset prctl arch_prctl seccomp sysinfo
rseq set_robust_list get_robust_list set_tid_address membarrier
msync mincore mbind set_mempolicy get_mempolicy set_mempolicy_home_node mseal cachestat
"""

PROT_EXEC: Final = 4
# Not shared: such memory stays, and counts for nobody, while a single page of it is mapped.
MAP_USABLE: Final = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x10 | 0x4000 | 0x20000  # FIXED, NORESERVE, STACK
# glibc's free, and the same lazily. Not numpy's wish for huge pages: one stays whole while a part of it is mapped.
MADV_DONTNEED, MADV_FREE = 4, 8
FUTEX_PRIVATE, FUTEX_REALTIME = 128, 256
FUTEX_OPERATIONS: Final = tuple(
    operation | flags
    for operation in (0, 1, 9, 10)  # wait, wake, and both with a bit set: what locks and semaphores are made of
    for flags in (0, FUTEX_PRIVATE, FUTEX_REALTIME, FUTEX_PRIVATE | FUTEX_REALTIME)
)
NEGATIVE: Final = 1 << 31  # a clock with this bit belongs to some process id or descriptor

GUARDED: Final[dict[str, Rule]] = {
    # Only anonymous memory, and never executable: no file may be mapped and no machine code brought in.
    "mmap": Guard(
        (
            NoBits(2, PROT_EXEC),
            AllBits(3, mmap.MAP_ANONYMOUS),
            NoBits(3, ~MAP_USABLE & 0xFFFFFFFF),
        )
    ),
    "mprotect": Guard((NoBits(2, PROT_EXEC),)),
    "madvise": Guard((OneOf(2, (MADV_DONTNEED, MADV_FREE)),)),
    "fcntl": Guard((OneOf(1, (fcntl.F_GETFD, fcntl.F_SETFD, fcntl.F_GETFL)),)),
    # Reading one's own limits; the pointer to new limits is compared in both halves.
    "prlimit64": Guard((OneOf(0, (0,)), Exactly(2, 0))),
    "sched_getaffinity": Guard((OneOf(0, (0,)),)),
    "clock_gettime": Guard((NoBits(0, NEGATIVE),)),
    "clock_getres": Guard((NoBits(0, NEGATIVE),)),
    "clock_nanosleep": Guard((NoBits(0, NEGATIVE),)),
    "futex": Guard((OneOf(1, FUTEX_OPERATIONS),)),
    # glibc falls back to clone, which is refused in an ordinary way.
    "clone3": ENOSYS,
}
NOTHING: Final[dict[str, Rule]] = {}
# A child of tier 1 adds a filter and a ruleset of its own; both can only forbid more.
TIGHTENING: Final[dict[str, Rule]] = {
    "seccomp": Guard((OneOf(0, (SECCOMP_SET_MODE_FILTER,)), OneOf(1, (0,)))),
    "landlock_restrict_self": ALLOW,
}


def _keepers_own(clone_flags: int, *, may_tighten: bool) -> dict[str, Rule]:
    """What the keeper needs between two runs, and a child before its request; after that it leads nowhere."""
    return {
        # One way only, and it takes a capability that a child has given up for good.
        "clone": Guard((Exactly(0, clone_flags | CLONE_PIDFD | signal.SIGCHLD),)),
        # A child has no socket, no way to one of this number, no child of its own and no descriptor of a process.
        "recvmsg": Guard((OneOf(0, (CONTROL,)),)),
        "wait4": Guard((Exactly(2, 0),)),
        # New kernels take two negative numbers for the caller: the first of its namespace survives even itself.
        "pidfd_send_signal": Guard((OneOf(1, (signal.SIGKILL,)), Exactly(2, 0), OneOf(3, (0,))), otherwise=KILL),
        # Each of these only ever takes away, and the child has nothing left of it.
        "capset": ALLOW,
        "prctl": Guard((OneOf(0, (PR_SET_PDEATHSIG,)), Exactly(1, signal.SIGKILL))),
        "setrlimit": Guard((OneOf(0, (resource.RLIMIT_NPROC,)),)),
        # The child leads a session of its own by then, and cannot begin another.
        "setsid": ALLOW,
        # The clock of a process by its id: a child has a pid namespace and only itself in it.
        "clock_gettime": ALLOW,
        **(TIGHTENING if may_tighten else {}),
    }


def rules_for(machine: str, *, hides_host_name: bool, own: Mapping[str, Rule] = NOTHING) -> dict[int, Rule]:
    """Return the rule of every call that the machine knows; where the host's name is not hidden, uname would show it."""
    named: dict[str, Rule] = {
        **dict.fromkeys(PLAIN.split(), ALLOW),
        **dict.fromkeys(INNOCENT.split(), EPERM),
        **GUARDED,
        "uname": ALLOW if hides_host_name else EPERM,
        **own,
    }
    return {number: named.get(name, KILL) for name, number in numbers_of(machine).items()}


def filter_for(machine: str, *, hides_host_name: bool) -> bytes:
    """Compile the strict filter, with nothing in it that is not for learners."""
    return _compiled(rules_for(machine, hides_host_name=hides_host_name), machine)


def keeper_filter_for(machine: str, *, clone_flags: int, may_tighten: bool, hides_host_name: bool) -> bytes:
    """Compile the filter that the keeper loads and its children inherit."""
    own = _keepers_own(clone_flags, may_tighten=may_tighten)
    return _compiled(rules_for(machine, hides_host_name=hides_host_name, own=own), machine)


def _compiled(rules: Mapping[int, Rule], machine: str) -> bytes:
    return assemble(compile_filter(rules, machine=AUDIT_MACHINE[machine], unknown=ENOSYS))
