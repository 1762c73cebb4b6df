"""Programs that want a second process, or reach for one that is there."""

from __future__ import annotations

from tests.grader.sandbox.attacks.program import (
    HARMLESS,
    ITS_OWN,
    RAISED,
    RETURNED,
    TIME,
    body,
    calls,
    counted,
    each,
    rows,
)

HEADING = "Processes and signals"
CLONE3 = "born('clone3', ref(struct.pack('<11Q', {flags}, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0)), 88)"
STARTING = [
    *rows(HEADING, RAISED, "a second process or another program", {
        "execve_shell": ("becomes a shell", body("os.execv('/bin/sh', ['sh'])")),
        "subprocess": ("starts a program", body("import subprocess", "subprocess.check_output('id')")),
        "setsid_daemon": ("leaves the session, forks and spins", body("os.setsid(); os.fork()", "while True: pass")),
        "daemon_by_two_forks": ("forks twice to be nobody's child", body(
            "if os.fork() == 0:", "    if os.fork() == 0:", "        while True: pass", "    os._exit(0)", "return x"
        )),
        "pool": ("starts a pool of processes", body("import multiprocessing", "multiprocessing.Pool(4)")),
        "thread_outlive": ("returns while a thread goes on", body(
            "threading.Thread(target=lambda: time.sleep(9)).start()", "return 0.0"
        )),
        "executor": ("starts a pool of threads", body(
            "import _thread", "_thread.start_new_thread(time.sleep, (9,))", "return 0.0"
        )),
    }),
    *rows(HEADING, TIME, "a run that outlives its limit", {
        "handlers_for_all_signals": ("handles every signal and spins", body(
            "for s in set(signal.valid_signals()) - {9, 19}:", "    try: signal.signal(s, lambda *_: None)",
            "    except (OSError, ValueError): pass", "while True: pass",
        )),
        "block_all_signals": ("blocks every signal and spins", body(
            "signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())", "while True: pass"
        )),
        "ignore_term_and_sleep": ("ignores the request to end and sleeps", body(
            "signal.signal(15, signal.SIG_IGN)", "while True: time.sleep(60)"
        )),
    }),
    *rows(HEADING, HARMLESS, "a second process or another program", {
        "os_system": ("runs a command by every way there is", counted(
            "os.system('true') == 0", "libc.system(b'true') == 0", "os.posix_spawn('/bin/true', ['true'], {})",
            "os.popen('true').close()",
        )),
        "exec_of_a_descriptor": ("executes an open file", each(
            "n", "FILES", "os.execve(n, ['x'], {})", "call('execveat', n, ref(bytes(1)), 0, 0, 0x1000)"
        )),
        "fork_raw": ("forks past Python", counted(
            "born('fork')", "born('clone', 17, 0, 0, 0, 0)", "born('vfork')", "born('clone', 0x4111, 0, 0, 0, 0)",
            CLONE3.format(flags=0),
        )),
        "clone_new_user": ("clones into a new user namespace", counted(
            "born('clone', 0x10000000 | 17, 0, 0, 0, 0)", "born('clone', 0x30000000 | 17, 0, 0, 0, 0)",
            "born('clone', 0x7e020000 | 17, 0, 0, 0, 0)", CLONE3.format(flags="0x30000000"),
        )),
        "clone_thread": ("makes a thread past Python", counted(
            "call('clone', 0x10f00, page() + 4096 - 64, 0, 0, 0)", CLONE3.format(flags="0x10f00")
        )),
        "clone_of_the_parent": ("makes a sibling instead of a child", counted(
            "born('clone', 0x8000 | 17, 0, 0, 0, 0)", "born('clone', 0x20008000 | 17, 0, 0, 0, 0)"
        )),
    }),
    *rows(HEADING, HARMLESS, "a signal that arrives", {
        "kill_parent": ("kills the parent, the group and all", counted(
            "os.kill(os.getppid(), 9)", "os.kill(-1, 9)", "call('kill', -1, 9)", "call('kill', 1, 9)"
        )),
        "kill_many": ("signals every low pid", each("n", "range(2, 5000)", "os.kill(n, 0)", "os.kill(n, 23)")),
        "kill_by_thread": ("signals low pids by the calls for threads and with values", each(
            "n", "range(1, 200)", "call('tgkill', n, n, 23)", "call('tkill', n, 23)",
            "call('rt_sigqueueinfo', n, 23, ref(struct.pack('iii', 23, 0, -1) + bytes(116)))",
            "call('rt_tgsigqueueinfo', n, n, 23, ref(struct.pack('iii', 23, 0, -1) + bytes(116)))",
        )),
        "signal_itself": ("ends itself by a signal", counted(
            "os.kill(os.getpid(), 15)", "signal.raise_signal(31)", "os.kill(os.getpid(), 9)",
            "call('tgkill', os.getpid(), os.getpid(), 9)", "call('tkill', os.getpid(), 24)",
        )),
    }),
    *calls(HEADING, "a look into another process", {
        "ptrace_traceme": "'ptrace', 0, 0, 0, 0",
        "ptrace_attach": "'ptrace', 16, 1, 0, 0",
        "ptrace_seize": "'ptrace', 0x4206, os.getpid(), 0, 0",
        "process_vm_readv": "'process_vm_readv', 1, ref(struct.pack('QQ', ref(bytes(8)), 8)), 1, "
        "ref(struct.pack('QQ', page(), 8)), 1, 0",
        "process_vm_writev": "'process_vm_writev', 1, ref(struct.pack('QQ', ref(bytes(8)), 8)), 1, "
        "ref(struct.pack('QQ', page(), 8)), 1, 0",
        "process_madvise": "'process_madvise', 3, ref(struct.pack('QQ', page(), 4096)), 1, 21, 0",
        "process_mrelease": "'process_mrelease', 3, 0",
        "pidfd_open": "'pidfd_open', 1, 0",
        "pidfd_getfd": "'pidfd_getfd', 3, 0, 0",
        "pidfd_send_signal": "'pidfd_send_signal', 3, 15, 0, 0",
        "pidfd_send_signal_information": "'pidfd_send_signal', 3, 9, page(), 0",
        "kcmp": "'kcmp', 1, 1, 0, 0, 0",
        "no_randomised_addresses": "'personality', 0x0040000",
        "move_pages": "'move_pages', 1, 0, 0, 0, 0, 0",
        "migrate_pages": "'migrate_pages', 1, 64, ref(b'\\1' + bytes(7)), ref(b'\\1' + bytes(7))",
        "wait_by_futexes": "'futex_waitv', 0, 0, 0, 0, 0",
    }),
    *rows(HEADING, RETURNED, "a write after the end", {
        "at_exit": ("writes once more at exit", body("import atexit", "atexit.register(os.write, RESULT, b'late')",
            "return x")),
        "destructor_writes": ("writes once more in a destructor", (
            "class A:\n    def __del__(self): os.write(RESULT, b'late')\na = A()\ndef f(x): return x\n"
        )),
    }),
]  # fmt: skip

RELATIONS = [
    *rows("Inherited relations", HARMLESS, "an effect on keeper, worker or neighbour", {
        "group": ("signals the group that it was born into", counted(
            "os.killpg(0, 23)", "os.kill(0, 23)", "call('kill', 0, 0)", "call('kill', -os.getpid(), 23)",
        )),
        "session": ("moves between groups and sessions", counted(
            "os.setsid()", "os.setpgid(0, 0)", "os.setpgid(0, os.getppid())", "os.setpgid(1, 1)", "os.tcsetpgrp(0, 1)",
        )),
        "priorities": ("sets priorities of parent, group and user", counted(
            *(f"call('setpriority', {which}, {who}, 19)" for which in (0, 1, 2) for who in (0, 1)), "os.nice(-1)",
            "os.nice(1)", "os.getpriority(2, 0)", "os.getpriority(1, 0)",
        )),
        "scheduling": ("changes how parent and itself are scheduled", each(
            "n", "(0, 1)", "os.sched_setscheduler(n, os.SCHED_FIFO, os.sched_param(1))",
            "os.sched_setscheduler(n, os.SCHED_IDLE, os.sched_param(0))", "os.sched_setparam(n, os.sched_param(0))",
            "os.sched_setaffinity(n, {0})", "call('sched_setattr', n, ref(struct.pack('IIQiIQQQ', 48, 5, 0, 0, 0, 0, "
                "0, 0)), 0)",
        )),
        "core_scheduling": ("shares a scheduling cookie with the parent", counted(
            "call('prctl', 62, 1, 0, 0, 0)", "call('prctl', 62, 2, 1, 0, 0)", "call('prctl', 62, 3, 1, 0, 0)"
        )),
        "limits_of_others": ("reads and sets limits of the parent", each(
            "n", "(1, 2, 3)", "resource.prlimit(n, 7)", "resource.prlimit(n, 0, (0, 0))",
            "call('prlimit64', n, 7, 0, ref(bytes(16)))",
        )),
        "questions_about_pids": ("asks about other pids", counted(
            "os.getpgid(1)", "os.getsid(1)", "os.getppid() > 0", "os.sched_getaffinity(1)", "os.sched_getscheduler(1)",
            "call('get_robust_list', 1, ref(bytes(8)), ref(bytes(8)))",
        )),
        "clocks_of_pids": ("reads the processor clock of every low pid", each(
            "n", "set(range(500)) - {0, os.getpid()}", "time.clock_gettime((~n << 3) | 2)",
            "time.clock_gettime((~n << 3) | 6)"
        )),
        "waiting_for_others": ("waits for children of the parent", counted(
            "os.waitpid(-1, 1)", "os.waitid(0, 0, os.WEXITED | os.WNOHANG)",
            "call('wait4', -1, 0, 0x60000001, 0)", "call('wait4', 1, 0, 1, 0)",
            "call('waitid', 0, 0, ref(bytes(128)), 0x61000005, 0)",
            "call('waitid', 1, 1, ref(bytes(128)), 0x61000005, 0)",
        )),
        "owner_of_descriptors": ("lets its files send signals", each(
            "n", "FILES", "fcntl.fcntl(n, fcntl.F_SETOWN, os.getpid())", "fcntl.fcntl(n, fcntl.F_SETOWN, 1)",
            "fcntl.fcntl(n, 15, struct.pack('ii', 1, 1))", "fcntl.fcntl(n, 10, 9)",
            "fcntl.ioctl(n, 0x5452, b'\\1\\0\\0\\0')",
            "fcntl.fcntl(n, 1026, 0x8000003f)", "fcntl.fcntl(n, fcntl.F_GETOWN)",
        )),
        "reaper": ("becomes the reaper of orphans", counted("call('prctl', 36, 1, 0, 0, 0)")),
        "outlive_the_keeper": ("takes back its death with the keeper", counted(
            "call('prctl', 1, 0, 0, 0, 0)", "call('prctl', 1, 23, 0, 0, 0)"
        )),
        "terminal_of_the_keeper": ("takes or feeds a terminal", each(
            "n", "FILES", "fcntl.ioctl(n, 0x5412, b'x')", "call('ioctl', n, 0x540e, 0)",
            "call('ioctl', n, 0x541c, ref(b'\\x03'))",
            "fcntl.ioctl(n, 0x541b, bytes(4))", "fcntl.ioctl(n, 0x5421, b'\\1\\0\\0\\0')",
        )),
    }),
    *calls("Inherited relations", "an effect on keeper, worker or neighbour", {
        "ioprio_of_the_group": "'ioprio_set', 2, 0, 3 << 13",
        "ioprio_of_itself": "'ioprio_set', 1, 0, 3 << 13",
        "ioprio_read": "'ioprio_get', 1, 1",
    }),
]  # fmt: skip

WAYS_OUT = [
    *rows("Ways out of the child", ITS_OWN, "the keeper's code behind the child's, or an internal error", {
        "no_way_out": ("replaces every way to exit", body(
            "os._exit = sys.exit = os.abort = os.kill = lambda *a: None", "return x"
        )),
        "no_way_out_deleted": ("deletes every way to exit",
            body("del os._exit, sys.exit, os.write, os.abort", "return x")),
        "exit_hooks": ("hooks every kind of exit", body(
            "import atexit, weakref", "def spin(*a): raise SystemExit", "atexit.register(spin)",
            "threading._register_atexit(spin)", "sys.exitfunc = spin", "KEPT.append(weakref.finalize(spin, spin))",
            "return x",
        )),
        "hooks": ("replaces the hooks for errors and display", body(
            "sys.excepthook = sys.unraisablehook = sys.displayhook = threading.excepthook = lambda *a: os._exit(0)",
            "return x"
        )),
        "audit_hook": ("vetoes whatever Python audits", body(
            "def veto(*a): raise KeyboardInterrupt", "sys.addaudithook(veto)", "return x"
        )),
        "tracing_the_harness": ("traces every frame and raises", (
            "def trace(frame, event, argument):\n    raise SystemExit\n"
            "def f(x):\n    frame = sys._getframe()\n"
            "    while frame:\n        frame.f_trace = trace; frame = frame.f_back\n"
            "    sys.settrace(trace); sys.setprofile(trace)\n    return x\n"
        )),
        "tracing_the_way_out": ("traces every frame and changes the locals of the harness", (
            "def trace(frame, event, argument):\n"
            "    for name in list(frame.f_locals): frame.f_locals[name] = print\n"
            "    ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), 0)\n    return trace\n"
            "def f(x):\n    frame = sys._getframe()\n"
            "    while frame:\n        frame.f_trace = trace; frame = frame.f_back\n"
            "    sys.settrace(trace)\n    return x\n"
        )),
        "clearing_globals_of_the_harness": ("empties the globals of every frame below", body(
            "frame = sys._getframe(1)", "while frame:", "    names, frame = frame.f_globals, frame.f_back",
            "    names.clear()",
            "return x",
        )),
        "changing_globals_of_the_harness": ("puts its own function for every name below", body(
            "frame = sys._getframe(1)", "while frame:", "    names, frame = frame.f_globals, frame.f_back",
            "    for name in list(names): names[name] = lambda *a, **k: None", "return x",
        )),
        "collector_callback": ("raises from the collector at any moment", body(
            "def veto(*a): raise SystemExit", "gc.callbacks.append(veto)", "gc.set_threshold(1)", "return [1.0, 2.0]"
        )),
        "destructor_of_a_local": ("raises from a destructor at the end of the call", (
            "class A:\n    def __del__(self): raise SystemExit\ndef f(x):\n    a = A()\n    return x\n"
        )),
        "signal_handler": ("lets a signal handler raise in the harness", body(
            "def veto(*a): raise SystemExit", "for s in (2, 14, 15, 17): signal.signal(s, veto)",
            "ctypes.pythonapi.PyErr_SetInterrupt()", "return x",
        )),
        "pending_call": ("leaves an exception pending for the harness", body(
            "make = ctypes.pythonapi.PyThreadState_SetAsyncExc",
            "make(ctypes.c_ulong(threading.get_ident()), ctypes.py_object(SystemExit))", "return x",
        )),
        "builtins_replaced": ("replaces every builtin", body(
            "import builtins", "for n in ('abs', 'all', 'any', 'max', 'len', 'zip', 'isinstance', 'list', 'tuple', "
                "'type',",
            "          'enumerate', 'memoryview', 'hasattr', 'print', 'iter', 'next', 'map', '__build_class__', "
            "'__import__'):",
            "    setattr(builtins, n, lambda *a, **k: True)", "return x * 0",
        )),
        "builtins_emptied": ("empties the builtins", body("import builtins", "builtins.__dict__.clear()", "return x")),
        "modules_emptied": ("empties the table of modules", body("sys.modules.clear()", "return x")),
        "spoilt_modules": ("empties the modules that the harness uses", body(
            "for m in (np, os, struct, time): m.__dict__.clear()", "return 1.0"
        )),
        "recursion_limit": ("leaves no depth for the harness",
            body("sys.setrecursionlimit(sys._getframe().f_lineno % 1 + 8)", "return x")),
        "streams_closed": ("closes Python's streams", body(
            "sys.stdout.close(); sys.stderr.close(); sys.stdin.close()", "return x"
        )),
        "streams_deleted": ("deletes Python's streams", body("del sys.stdout, sys.stderr, sys.stdin", "return x")),
        "frames_cleared": ("clears the generators and frames of the harness", body(
            "for o in gc.get_objects():", "    if type(o).__name__ == 'generator':", "        try: o.close()",
            "        except BaseException: pass", "return x",
        )),
        "interpreter_ended": ("ends the interpreter from within", body("ctypes.pythonapi.Py_FinalizeEx()", "return x")),
        "interpreter_exited": ("exits by the interpreter's own function", body("ctypes.pythonapi.Py_Exit(0)")),
        "exit_of_the_library": ("exits by the C library, with its hooks", body("libc.exit(0)")),
        "quick_exit": ("exits by the C library's other ways", body("libc.quick_exit(0)")),
        "thread_exit": ("ends only its thread", body("call('exit', 0)")),
        "pthread_exit": ("unwinds the thread in C", body("libc.pthread_exit(0)")),
        "leave_at_once": ("ends without a result", body("os._exit(0)")),
        "leave_at_import": ("ends while it is loaded", "os._exit(0)\n"),
        "exit": ("raises SystemExit", body("sys.exit(0)")),
        "exit_at_import": ("raises SystemExit while it is loaded", "sys.exit(0)\n"),
        "generator_exit": ("raises what closes generators", body("raise GeneratorExit")),
        "stop_iteration": ("raises what ends iterators", body("raise StopIteration")),
        "interrupt": ("raises KeyboardInterrupt", body("raise KeyboardInterrupt")),
        "jump_in_c": ("frees an object of the interpreter too often", body(
            "ctypes.pythonapi.Py_DecRef.argtypes = [ctypes.py_object]", "o = object()",
            "for _ in range(9): ctypes.pythonapi.Py_DecRef(o)", "return x",
        )),
        "code_of_the_harness": ("gives the functions of the harness other code", body(
            "frame = sys._getframe(1)", "code = (lambda *a, **k: None).__code__", "while frame:",
            "    for thing in list(frame.f_globals.values()):", "        try: thing.__code__ = code",
            "        except BaseException: pass", "    frame = frame.f_back", "return x",
        )),
    }),
]  # fmt: skip
PROCESSES = [*STARTING, *RELATIONS]
ATTACKS = [*PROCESSES, *WAYS_OUT]
