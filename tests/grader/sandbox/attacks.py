"""Hostile programs, one row each: what they do, and how such a run may end.

`f` is called once with an array of two numbers. A row that expects HARMLESS must come back with 0: it counts what
worked. Every other row names the statuses that are right. What must never happen (a process left over, a next run
that is not right) is checked after every row by whoever runs the table.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass

from grader.sandbox import RunStatus
from grader.sandbox.syscall_numbers import MACHINES, numbers_of

HARMLESS = frozenset[RunStatus]()
RETURNED, RAISED, CRASHED = (frozenset({s}) for s in (RunStatus.RETURNED, RunStatus.RAISED, RunStatus.CRASHED))
TIME, MEMORY, OUTPUT = (frozenset({s}) for s in (RunStatus.TIME_LIMIT, RunStatus.MEMORY_LIMIT, RunStatus.OUTPUT_LIMIT))
VIOLATION = frozenset({RunStatus.SECURITY_VIOLATION})

NUMBERS = numbers_of(platform.machine()) if platform.machine() in MACHINES else {}
PRELUDE = f"""
import ctypes, fcntl, gc, mmap, os, resource, select, signal, socket, struct, sys, threading, time
import numpy as np
NR = dict(zip({" ".join(NUMBERS)!r}.split(), map(int, {" ".join(map(str, NUMBERS.values()))!r}.split())))
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = libc.mmap.restype = ctypes.c_long
P = ctypes.c_void_p
def call(name, *arguments):
    return libc.syscall(ctypes.c_long(NR[name]), *map(ctypes.c_long, arguments))
def works(attempt):
    try:
        result = attempt()
    except BaseException:
        return 0.0
    return 0.0 if result is False or result is None or (isinstance(result, int) and result == -1) else 1.0
def count(*attempts):
    return sum(map(works, attempts))
"""


@dataclass(frozen=True, slots=True)
class Attack:
    """One hostile program."""

    name: str
    code: str
    expects: frozenset[RunStatus]

    @property
    def program(self) -> str:
        """The whole text of the submission."""
        return PRELUDE + self.code


def _rows(expects: frozenset[RunStatus], programs: Mapping[str, str]) -> list[Attack]:
    return [Attack(name, code, expects) for name, code in programs.items()]


def _body(*lines: str) -> str:
    return "def f(x):\n" + "".join(f"    {line}\n" for line in lines)


def _counted(*attempts: str) -> str:
    """Count which of these expressions work; one that gives None, False or -1 does not."""
    return _body("return count(", *(f"    lambda: {attempt}," for attempt in attempts), ")")


PROCESSES = [
    *_rows(
        RAISED,
        {
            "fork_bomb": _body("while True: os.fork()"),
            "thread_bomb": _body("while True: threading.Thread(target=time.sleep, args=(9,)).start()"),
            "thread_outlive": _body("threading.Thread(target=lambda: time.sleep(9)).start()", "return 0.0"),
            "execve_shell": _body("os.execv('/bin/sh', ['sh'])"),
            "subprocess": _body("import subprocess", "subprocess.check_output('id')"),
            "setsid_daemon": _body("os.setsid(); os.fork()"),
            "pool": _body("import multiprocessing", "multiprocessing.Pool(4)"),
        },
    ),
    *_rows(
        TIME,
        {
            "fork_bomb_swallow": _body("while True:", "    try: os.fork()", "    except OSError: pass"),
            "handlers_for_all_signals": _body(
                "for s in set(signal.valid_signals()) - {9, 19}:",
                "    try: signal.signal(s, lambda *_: None)",
                "    except (OSError, ValueError): pass",
                "while True: pass",
            ),
            "ignore_term_and_sleep": _body("signal.signal(15, signal.SIG_IGN)", "while True: time.sleep(60)"),
        },
    ),
    *_rows(
        HARMLESS,
        {
            "os_system": _counted("os.system('true') == 0", "os.posix_spawn('/bin/true', ['true'], {})"),
            "kill_parent": _counted("os.kill(os.getppid(), 9) or True", "os.kill(-1, 9) or True", "call('kill', -1, 9)"),
            "kill_own_group": _counted("os.killpg(0, 9) or True", "os.kill(0, 9) or True", "call('kill', 0, 9)"),
            "kill_many": _body("return sum(works(lambda: os.kill(n, 0) or True) for n in range(1, 2000))"),
            "tgkill": _counted("call('tgkill', 1, 1, 9)", "call('tkill', 1, 9)", "call('rt_sigqueueinfo', 1, 9, 0)"),
            "signal_itself": _counted("os.kill(os.getpid(), 15) or True", "signal.raise_signal(31) or True"),
            "clone_new_pid": _counted("call('clone', 0x20000000 | 17, 0, 0, 0, 0)"),
            "clone_new_user": _counted(
                "call('clone', 0x10000000 | 17, 0, 0, 0, 0)", "call('clone', 0x30000000 | 17, 0, 0, 0, 0)"
            ),
            "clone_all_namespaces": _counted("call('clone', 0x7e020000 | 17, 0, 0, 0, 0)"),
            "clone_thread": _counted("call('clone', 0x10f00, 0, 0, 0, 0)", "call('clone3', 0, 88)"),
            "clone_of_the_parent": _counted("call('clone', 0x8000 | 17, 0, 0, 0, 0)"),
            "real_time": _counted("os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)) or True"),
            "priorities": _counted(
                "os.nice(-1)", "os.setpriority(2, 0, 19) or True", "call('setpriority', 2, 0, 19)", "os.getpriority(2, 0)"
            ),
            "affinity_of_others": _counted("os.sched_setaffinity(1, {0}) or True", "os.sched_getaffinity(1)"),
            "questions_about_pids": _counted(
                "os.getpgid(1)", "os.getsid(1)", "time.clock_gettime(~1 << 3 | 2)", "resource.prlimit(1, 7)",
                "os.waitpid(-1, 0)",
            ),
        },
    ),
    *_rows(
        VIOLATION,
        {
            "ptrace_traceme": _body("call('ptrace', 0, 0, 0, 0)"),
            "ptrace_attach": _body("call('ptrace', 16, 1, 0, 0)"),
            "process_vm_readv": _body("call('process_vm_readv', 1, 0, 0, 0, 0, 0)"),
            "process_vm_writev": _body("call('process_vm_writev', 1, 0, 0, 0, 0, 0)"),
            "pidfd_open": _body("os.pidfd_open(1)"),
            "pidfd_getfd": _body("call('pidfd_getfd', 3, 0, 0)"),
            "kcmp": _body("call('kcmp', 1, 1, 0, 0, 0)"),
            "no_randomised_addresses": _body("call('personality', 0x0040000)"),
            "ioprio_of_others": _body("call('ioprio_set', 2, 1, 0)"),
            "move_pages": _body("call('move_pages', 1, 0, 0, 0, 0, 0)"),
        },
    ),
]  # fmt: skip

RESOURCES = [
    *_rows(
        MEMORY,
        {
            "list_of_bytes": _body("kept = []", "while True: kept.append(bytearray(1 << 22))"),
            "numpy_huge": _body("return np.ones((10**6, 10**6))"),
            "numpy_lazy_zeros": _body("return np.zeros((12 << 30) // 8)[:1]"),
            "string_multiply": _body("return len('a' * 10**10)"),
        },
    ),
    *_rows(
        TIME | MEMORY,
        {
            "swallow_memory_errors": _body(
                "kept = []", "while True:", "    try: kept.append(bytearray(1 << 20))", "    except MemoryError: pass"
            ),
            "power_tower": _body("return 9**9**9"),
        },
    ),
    *_rows(
        TIME,
        {
            "spin": _body("while True: pass"),
            "spin_in_c": _body("return sum(range(10**12))"),
            "spin_in_numpy": _body("a = np.ones((400, 400))", "while True: a @ a"),
            "regular_expression": _body("import re", "re.match('(a+)+$', 'a' * 64 + 'b')"),
            "sleep": _body("time.sleep(60)"),
            "wait_for_nothing": _body("select.select([], [], [])"),
            "flood_and_catch": _body("while True:", "    try: os.write(1, b'x' * 4096)", "    except OSError: pass"),
            "clocks_stopped": _body(
                "time.time = time.monotonic = time.perf_counter = time.process_time = lambda: 0", "while True: pass"
            ),
            "destructor_spins": "class A:\n    def __del__(self):\n        while True: pass\ndef f(x):\n    A()\n",
        },
    ),
    *_rows(
        OUTPUT,
        {
            "flood": _body("while True: print('x' * 999)"),
            "flood_of_errors": _body("while True: sys.stderr.write('x' * 999)"),
            "large_result": _body("return np.zeros(1_000_000)"),
            "broadcast_result": _body("return np.broadcast_to(0.0, (10**9,))"),
        },
    ),
    *_rows(
        RAISED,
        {
            "descriptors": _body("while True: os.dup(0)"),
            "pipes": _body("kept = []", "while True: kept.append(os.pipe())"),
            "sockets": _body("kept = []", "while True: kept.append(socket.socketpair())"),
            "shared_map": _body("return len(mmap.mmap(-1, 16 << 30))"),
            "recursion": _body("return f(x)"),
        },
    ),
    *_rows(VIOLATION, {"mlock": _body("call('mlock', 0, 4096)"), "mlockall": _body("call('mlockall', 2)")}),
    *_rows(CRASHED, {"c_stack": _body("sys.setrecursionlimit(10**6)", "g = lambda n: max([n], key=g)", "return g(0)")}),
    *_rows(
        HARMLESS,
        {
            "memory_files": _counted("os.memfd_create('x')", "os.eventfd(0)", "call('userfaultfd', 0) if 0 else -1"),
            "raised_limits": _counted(
                *(f"resource.setrlimit({n}, (1 << 40, 1 << 40)) or True" for n in (0, 1, 3, 6, 7, 8, 9, 11)),
                "resource.setrlimit(resource.RLIMIT_CPU, (-1, -1)) or True",
            ),
            "timers": _counted("signal.setitimer(0, 9)[0] >= 0", "call('timer_create', 1, 0, 0)", "call('alarm', 9)"),
            "huge_pages_and_locks": _counted(
                "libc.mmap(None, 1 << 21, 3, 0x40022, -1, 0)", "libc.mmap(None, 4096, 3, 0x2022, -1, 0)"
            ),
            "advice_for_the_host": _body(
                "page = libc.mmap(None, 4096, 3, 0x22, -1, 0)",
                "return sum(works(lambda: call('madvise', page, 4096, n)) for n in (9, 10, 12, 16, 20, 21, 22, 25, 100))",
            ),
        },
    ),
]  # fmt: skip

FILES = [
    *_rows(
        HARMLESS,
        {
            "disk_fill": _counted(*(f"open({place!r}, 'w')" for place in ("/x", "/tmp/x", "/dev/shm/x", "x"))),
            "passwords": _counted("open('/etc/passwd')", "open('/etc/shadow')", "os.stat('/etc/passwd')"),
            "own_proc": _counted(*(
                f"open('/proc/{name}', 'rb')"
                for name in ("self/environ", "1/environ", "self/maps", "self/mem", "self/fd/0", "self/status", "1/cmdline")
            )),
            "proc_links": _counted("os.readlink('/proc/self/exe')", "os.readlink('/proc/1/fd/1')", "os.listdir('/proc')"),
            "environment": _counted("dict(os.environ)['PATH']", "os.getenvb(b'HOME')", "bool(os.environ)"),
            "list_root": _counted("os.listdir('/')", "os.scandir('.')", "os.getcwd()", "os.chdir('/') or True"),
            "reference": _counted(*(
                f"__import__({name!r})" for name in ("grader", "grader.marking", "exercises", "django", "celery", "redis")
            )),
            "devices": _counted(*(f"open('/dev/{d}')" for d in ("mem", "kmsg", "null", "urandom", "tty", "ptmx"))),
            "make_things": _counted(
                "os.symlink('/etc', '/x') or True", "os.mkdir('/x') or True", "os.mknod('/x') or True",
                "os.link('/a', '/b') or True", "os.chmod('/', 0o777) or True", "os.unlink('/x') or True",
            ),
            "leave_shared_memory": _counted(
                "__import__('multiprocessing.shared_memory', fromlist='x').SharedMemory('x', True, 64)",
                "open('/dev/shm/x', 'w')",
            ),
            "openat2": _counted("call('openat2', -100, 0, 0, 0)", "call('execveat', -100, 0, 0, 0, 0)"),
            "extended_attributes": _counted("os.listxattr('/')", "os.setxattr('/', 'user.x', b'') or True"),
        },
    ),
    *_rows(
        VIOLATION,
        {
            "chroot": _body("os.chroot('..')"),
            "mount": _body("call('mount', 0, 0, 0, 0, 0)"),
            "new_mounts": _body("call('fsopen', 0, 0)"),
            "open_tree": _body("call('open_tree', -100, 0, 0)"),
            "umount": _body("call('umount2', 0, 2)"),
            "pivot_root": _body("call('pivot_root', 0, 0)"),
            "open_by_handle": _body("call('open_by_handle_at', 3, 0, 0)"),
            "name_to_handle": _body("call('name_to_handle_at', 3, 0, 0, 0, 0)"),
        },
    ),
]  # fmt: skip

NETWORK_AND_KERNEL = [
    *_rows(
        HARMLESS,
        {
            "tcp": _counted("socket.create_connection(('127.0.0.1', 6379), 1)"),
            "names": _counted("socket.getaddrinfo('example.org', 80)"),
            "abstract_socket": _counted("socket.socket(socket.AF_UNIX).bind('\\0x') or True"),
            "families": _body("return sum(works(lambda: call('socket', n, 3, 0)) for n in range(46))"),
            "regain": _counted(
                "os.setuid(0) or True", "os.setresuid(0, 0, 0) or True", "os.setgroups([0]) or True", "call('capset', 0, 0)",
                "call('seccomp', 0, 0, 0)", "call('prctl', 22, 0, 0, 0, 0)", "call('prctl', 38, 0, 0, 0, 0)",
                "call('prctl', 4, 1, 0, 0, 0)", "call('prctl', 1, 0, 0, 0, 0)", "call('prctl', 0x59616d61, 1, 0, 0, 0)",
                "call('prctl', 15, 0, 0, 0, 0)", "call('prctl', 65, 0, 0, 0, 0)",
            ),
            "terminal": _counted("fcntl.ioctl(0, 0x5412, b'x')", "call('ioctl', 1, 0x5412, 0)"),
            "executable_memory": _counted(
                "libc.mmap(None, 4096, 7, 0x22, -1, 0)",
                "call('mprotect', libc.mmap(None, 4096, 3, 0x22, -1, 0), 4096, 5)",
            ),
            "priority_inheritance": _counted("call('futex', 0, 6, 0, 0, 0, 0)", "call('futex', 0, 11, 0, 0, 0, 0)"),
            "calls_of_tomorrow": _counted("libc.syscall(600)", "libc.syscall(9999)"),
        },
    ),
    *_rows(
        VIOLATION,
        {
            name: _body(f"call({', '.join(repr(word) for word in words)})")
            for name, words in {
                "user_namespace": ("unshare", 0x10000000),
                "net_namespace": ("unshare", 0x40000000),
                "setns": ("setns", 3, 0),
                "sysv_shm": ("shmget", 1234, 4096, 0o1666),
                "sysv_msg": ("msgget", 1234, 0o1666),
                "sysv_sem": ("semget", 1234, 1, 0o1666),
                "posix_queue": ("mq_open", 0, 0o102, 0o666, 0),
                "keyring": ("keyctl", 0, -4, 1),
                "add_key": ("add_key", 0, 0, 0, 0, -4),
                "io_uring": ("io_uring_setup", 8, 0),
                "bpf": ("bpf", 0, 0, 0),
                "perf": ("perf_event_open", 0, 0, -1, -1, 0),
                "userfaultfd": ("userfaultfd", 0),
                "module": ("init_module", 0, 0, 0),
                "reboot": ("reboot", 0, 0, 0),
                "clock_settime": ("clock_settime", 0, 0),
                "swapon": ("swapon", 0, 0),
                "landlock": ("landlock_create_ruleset", 0, 0, 1),
                "kernel_log": ("syslog", 3, 0, 0),
            }.items()
        },
    ),
    *_rows(
        RAISED | CRASHED | VIOLATION,
        {"shellcode": _body("page = mmap.mmap(-1, 4096, prot=7)", "page.write(b'\\xcd\\x80\\xc3')", "return 1.0")},
    ),
    *_rows(
        CRASHED,
        {
            "null": _body("ctypes.string_at(0)"),
            "wild_array": _body("return np.lib.stride_tricks.as_strided(x, (2,), (1 << 40,)).sum()"),
            "abort": _body("os.abort()"),
        },
    ),
]  # fmt: skip
if platform.machine() == "x86_64":
    NETWORK_AND_KERNEL += _rows(
        VIOLATION,
        {
            "x32": _body("libc.syscall(ctypes.c_long(0x40000000 + 1), 1, b'x', 1)"),
            "iopl": _body("call('iopl', 3)"),
            "modify_ldt": _body("call('modify_ldt', 1, 0, 0)"),
        },
    )
FORGED = "struct.pack('<4sBBHIQ', b'QKVR', 1, 0, 0, {number}, 64) + struct.pack('<4sBBHQ4Q2d', b'QKVF', 1, 1, 0, 16, 2, 0, 0, 0, 1, 2)"
END = "struct.pack('<4sBBHIQ', b'QKVR', 6, 0, 0, 1, 0)"

GRADING = [
    *_rows(
        HARMLESS,
        {
            "frames": _body(
                "found, frame = 0, sys._getframe()",
                "while frame:",
                "    names = {**frame.f_globals, **frame.f_locals}",
                "    found += any(word in name for name in names for word in ('expected', 'answer_key', 'solution', 'secret'))",
                "    frame = frame.f_back",
                "return float(found)",
            ),
            "collected_objects": _body(
                "names = {k for o in gc.get_objects() if type(o) is dict for k in list(o) if type(k) is str}",
                "return float(bool(names & {'expected', 'reference_answer', 'SECRET_KEY', 'DATABASE_URL', 'broker_url'}))",
            ),
            "descriptors_beyond": _body("return sum(works(lambda: os.lseek(n, 0, 1) + 1) for n in (3, *range(5, 1024)))"),
            "speak_to_the_keeper": _body("return sum(works(lambda: os.write(n, b'go')) for n in (0, 3, *range(5, 64)))"),
            "read_back": _counted("os.pread(4, 1, 0)", "os.pread(1, 1, 0)", "libc.mmap(None, 4096, 1, 1, 4, 0)"),
            "change_files": _counted(
                "os.ftruncate(4, 0) or True", "os.ftruncate(1, 0) or True", "fcntl.fcntl(4, fcntl.F_SETFL, 0) + 1",
                "fcntl.fcntl(4, fcntl.F_SETOWN, 1) + 1", "fcntl.fcntl(4, 1033, 15) + 1", "fcntl.flock(4, 2) or True",
                "fcntl.lockf(4, 2) or True",
            ),
            "files_not_overwritten": _body("os.write(1, b'a')", "os.lseek(1, 0, 0)", "os.write(1, b'b')", "return 0.0"),
        },
    ),
    *_rows(
        RETURNED,
        {
            "patched_allclose": _body("np.allclose = np.array_equal = np.isclose = lambda *a, **k: True", "return x * 0"),
            "equal_to_all": "class Same:\n    def __eq__(self, other): return True\ndef f(x): return Same()\n",
            "subclass": (
                "class Same(np.ndarray):\n"
                "    def __eq__(self, other): return True\n"
                "    def __array_finalize__(self, other): np.done = True\n"
                "    def __array_function__(self, f, t, a, k): return True\n"
                "    def __reduce__(self): return (os.system, ('true',))\n"
                "def f(x): return np.zeros(2).view(Same)\n"
            ),
            "not_a_number": _body("return x * np.nan"),
            "changed_inputs": _body("x[:] = 0", "return x"),
            "forged_and_left": _body(f"os.write(4, {FORGED.format(number=0)} + {END})", "os._exit(0)"),
            "no_way_out": _body("os._exit = sys.exit = lambda *a: None", "return x"),
            "at_exit": _body("import atexit", "atexit.register(os.write, 4, b'late')", "return x"),
            "destructor_writes": "class A:\n    def __del__(self): os.write(4, b'late')\na = A()\ndef f(x): return x\n",
            "hooks": _body("sys.excepthook = sys.unraisablehook = sys.displayhook = lambda *a: os._exit(0)", "return x"),
        },
    ),
    *_rows(
        RAISED,
        {
            "evil_protocol": "class A:\n    def __array__(self, *a, **k): raise SystemExit\ndef f(x): return A()\n",
            "exit": _body("sys.exit(0)"),
            "exit_at_import": "sys.exit(0)\n",
            "evil_text": "class E(BaseException):\n    def __str__(self): raise E\ndef f(x): raise E\n",
            "endless_text": _body("raise ValueError('x' * 10**8)"),
            "interrupt": _body("raise KeyboardInterrupt"),
        },
    ),
    *_rows(
        CRASHED,
        {
            "leave_at_once": _body("os._exit(0)"),
            "leave_at_import": "os._exit(0)\n",
            "two_records": _body(f"os.write(4, {FORGED.format(number=0)})", "return x"),
            "record_of_another_case": _body(f"os.write(4, {FORGED.format(number=1)} + {END})", "os._exit(0)"),
            "garbage": _body("os.write(4, os.urandom(4096))", "return x"),
            "pickle": _body("import pickle", "os.write(4, pickle.dumps(x))", "os._exit(0)"),
            "spoilt_modules": _body("for m in (np, os, struct, time): m.__dict__.clear()", "return 1.0"),
            "closed_result": _body("os.close(4)", "return x"),
        },
    ),
    *_rows(
        RETURNED | RAISED | CRASHED,
        {
            "patched_builtins": _body(
                "import builtins", "for n in ('abs', 'all', 'any', 'max', 'len', 'zip', 'isinstance'):",
                "    setattr(builtins, n, lambda *a, **k: True)", "return x * 0",
            ),
            "tracing_the_harness": (
                "def trace(frame, event, argument):\n    raise SystemExit\n"
                "def f(x):\n"
                "    frame = sys._getframe()\n"
                "    while frame:\n        frame.f_trace = trace; frame = frame.f_back\n"
                "    sys.settrace(trace); sys.setprofile(trace)\n"
                "    return x\n"
            ),
            "tracing_the_way_out": (
                "def trace(frame, event, argument):\n"
                "    if 'leave' in frame.f_locals: frame.f_locals['leave'] = print\n"
                "    return trace\n"
                "def f(x):\n"
                "    frame = sys._getframe()\n"
                "    while frame:\n        frame.f_trace = trace; frame = frame.f_back\n"
                "    sys.settrace(trace)\n"
                "    return x\n"
            ),
        },
    ),
]  # fmt: skip

# What must be tried in every tier and by every kind of user. The calls that end the process are refused by one and the
# same filter everywhere, time and output are measured by one keeper, and a reply is read by one parser.
ONE_OF_EACH = frozenset(
    {"ptrace_attach", "user_namespace", "keyring", "spin", "sleep", "handlers_for_all_signals", "flood"}
)
SAME_EVERYWHERE = VIOLATION | TIME | OUTPUT
ATTACKS = (*PROCESSES, *RESOURCES, *FILES, *NETWORK_AND_KERNEL, *GRADING)

TRIED_EVERYWHERE = tuple(
    attack
    for attack in ATTACKS
    if attack.name in ONE_OF_EACH
    or attack.expects == HARMLESS
    or (attack not in GRADING and not attack.expects & SAME_EVERYWHERE)
)
