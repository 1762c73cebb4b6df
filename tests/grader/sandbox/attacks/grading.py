"""Programs that want to be right without being so, to be nobody's fault, or to see what judges them."""

from __future__ import annotations

import struct

from grader.sandbox import wire
from tests.grader.sandbox.attacks.program import (
    CRASHED,
    HARMLESS,
    ITS_OWN,
    MEMORY,
    OUTPUT,
    RAISED,
    RETURNED,
    TIME,
    VIOLATION,
    Programs,
    body,
    counted,
    each,
    rows,
)

HEADING = "Grading integrity"


def record(
    payload: bytes = b"", *, kind: int = wire.KIND_RETURNED, magic: bytes = wire.RECORD_MAGIC, flag: int = 0,
    zero: int = 0,
    number: int = 0, more: int = 0, printed: int = 0,
) -> bytes:  # fmt: skip
    """One record of a reply, right unless told otherwise; `more` is added to the length that it claims."""
    return wire.RECORD.pack(magic, kind, flag, zero, number, len(payload) + more, printed) + payload


def array(
    *, magic: bytes = wire.FRAME_MAGIC, dtype: int = 1, dimensions: int = 1, layout: int = 0, more: int = 0,
    sizes: tuple[int, int, int, int] = (2, 0, 0, 0), name: bytes = b"ndarray", zero: int = 0, name_more: int = 0,
) -> bytes:  # fmt: skip
    """What a function returned, right unless told otherwise: two numbers in an array."""
    data = struct.pack("<2d", 1, 2)
    head = wire.FRAME.pack(magic, dtype, dimensions, layout, len(data) + more, *sizes)
    return wire.KIND.pack(len(name) + name_more, zero) + name + head + data


def fault(*, stage: int = 3, zero: int = 0, line: int = 1, more: int = 0) -> bytes:
    """An exception, right unless told otherwise."""
    return wire.FAULT.pack(stage, zero, 1 + more, 0, 0, 0, line) + b"E"


END = record(kind=wire.KIND_END, number=1)
GOOD = record(array()) + END
# The record LOADED stands before these already: the harness wrote it when the code was loaded.
MALFORMED = {
    "bad_magic": record(array(), magic=b"QKVX") + END,
    "bad_kind": record(array(), kind=99) + END,
    "kind_zero": record(array(), kind=0) + END,
    "bad_flag": record(array(), flag=2) + END,
    "bad_zero": record(array(), zero=1) + END,
    "another_case": record(array(), number=1) + END,
    "huge_case": record(array(), number=wire.NO_CASE) + END,
    "case_twice": record(array()) + record(array()) + END,
    "case_missing": END,
    "loaded_twice": record(kind=wire.KIND_LOADED, number=wire.NO_CASE) + GOOD,
    "not_loaded_late": record(fault(stage=1), kind=wire.KIND_NOT_LOADED, number=wire.NO_CASE)
    + record(kind=wire.KIND_END, number=wire.NO_CASE),
    "longer_than_said": record(array() + b"x") + END,
    "shorter_than_said": record(array(), more=1),
    "length_beyond_reason": record(array(), more=1 << 62) + END,
    "printed_beyond_the_end": record(array(), printed=5) + record(kind=wire.KIND_END, number=1, printed=5),
    "end_with_payload": record(array()) + record(b"x", kind=wire.KIND_END, number=1),
    "end_with_flag": record(array()) + record(kind=wire.KIND_END, number=1, flag=1),
    "end_of_another_count": record(array()) + record(kind=wire.KIND_END, number=2),
    "bytes_after_the_end": GOOD + b"x",
    "two_ends": GOOD + END,
    "no_end": record(array()),
    "half_a_header": record(array()) + END[:-1],
    "frame_magic": record(array(magic=b"QKVX")) + END,
    "frame_dtype": record(array(dtype=9)) + END,
    "frame_without_dtype": record(array(dtype=0)) + END,
    "frame_dimensions": record(array(dimensions=5)) + END,
    "frame_dimensions_unsaid": record(array(dimensions=0)) + END,
    "frame_layout": record(array(layout=1)) + END,
    "frame_length": record(array(more=8)) + END,
    "frame_shape": record(array(sizes=(3, 0, 0, 0))) + END,
    "frame_shape_of_overflow": record(array(dimensions=2, sizes=((1 << 63) + 1, 2, 0, 0))) + END,
    "frame_unused_size": record(array(sizes=(2, 0, 0, 7))) + END,
    "frame_huge_sizes": record(array(dimensions=4, sizes=(1 << 62, 1 << 62, 1 << 62, 0))) + END,
    "frame_tuple_unasked": record(array(dtype=wire.TUPLE)) + END,
    "name_zero": record(array(zero=1)) + END,
    "name_too_long": record(array(name_more=60_000)) + END,
    "name_beyond_its_cap": record(array(name=b"n" * 5000)) + END,
    "fault_stage": record(fault(stage=99), kind=wire.KIND_RAISED) + END,
    "fault_zero": record(fault(zero=1), kind=wire.KIND_RAISED) + END,
    "fault_line": record(fault(line=-5), kind=wire.KIND_RAISED) + END,
    "fault_length": record(fault(more=9), kind=wire.KIND_RAISED) + END,
    "wrong_kind_beyond_its_cap": record(b"k" * 5000, kind=wire.KIND_WRONG_KIND) + END,
    "too_large_with_payload": record(b"x", kind=wire.KIND_TOO_LARGE) + END,
}


def forging(reply: bytes, *after: str) -> str:
    """Write a reply of one's own, then leave or do something else."""
    return body(f"os.write(RESULT, {reply!r})", *(after or ("os._exit(0)",)))


def _forged() -> Programs:
    return {
        f"reply_{name}": (f"forges a reply: {name.replace('_', ' ')}", forging(reply))
        for name, reply in MALFORMED.items()
    }


ANSWERS = [
    *rows(HEADING, HARMLESS, "a name or a value that tells the answer", {
        "frames": ("looks for the answer in every frame", body(
            "found, frame = 0, sys._getframe()", "while frame:", "    names = {**frame.f_globals, **frame.f_locals}",
            "    found += any(word in name for name in names for word in ('expected', 'answer_key', 'solution', "
            "'secret'))",
            "    frame = frame.f_back", "return float(found)",
        )),
        "collected_objects": ("looks for the answer in every object", body(
            "names = {k for o in gc.get_objects() if type(o) is dict for k in list(o) if type(k) is str}",
            "return float(bool(names & {'expected', 'reference_answer', 'SECRET_KEY', 'DATABASE_URL', 'broker_url', "
            "'hidden'}))",
        )),
        "functions_of_marking": ("looks for the reference core in every function", body(
            "found = [o for o in gc.get_objects() if str(getattr(o, '__module__', '')).startswith(('grader.', "
            "'exercises', 'django'))",
            "         and not str(o.__module__).startswith('grader.sandbox')]", "return float(len(found))",
        )),
        "descriptors_beyond": ("reads every descriptor",
            each("n", "range(5, 1024)", "os.lseek(n, 0, 1)", "os.read(n, 1)")),
        "speak_to_the_keeper": ("writes to every descriptor but its own",
            each("n", "(0, 3, *range(5, 64))", "os.write(n, b'go')")),
        "read_back": ("reads what it wrote", counted(
            "os.pread(RESULT, 1, 0)", "os.pread(1, 1, 0)", "os.read(RESULT, 1)", "mmap.mmap(RESULT, 4096, prot=1)",
            "libc.mmap(ctypes.c_void_p(0), ctypes.c_size_t(4096), 1, 1, RESULT, ctypes.c_long(0))",
        )),
        "other_cases": ("reads the arguments of later cases",
            counted("os.pread(REQUEST, 1, 0)", "os.read(REQUEST, 1)")),
    }),
    *rows(HEADING, RETURNED, "an answer taken for right that is not, or its code run outside", {
        "patched_allclose": ("says that all arrays are equal", body(
            "np.allclose = np.array_equal = np.isclose = np.testing.assert_allclose = lambda *a, **k: True",
            "return x * 0"
        )),
        "equal_to_all": ("is equal to everything",
            "class Same:\n    def __eq__(self, other): return True\ndef f(x): return Same()\n"),
        "subclass": ("returns an array with functions of its own", (
            "class Same(np.ndarray):\n    def __eq__(self, other): return True\n"
            "    def __array_finalize__(self, other): np.done = True\n    def __array_function__(self, f, t, a, k): "
            "return True\n"
            "    def __array_ufunc__(self, *a, **k): return True\n    def __reduce__(self): return (os.system, "
            "('true',))\n"
            "def f(x): return np.zeros(2).view(Same)\n"
        )),
        "generator": ("returns a generator", body("yield 1.0")),
        "text_result": ("returns a text", body("return '1.0 2.0'")),
        "nothing_result": ("returns nothing", body("return None")),
        "complex_result": ("returns complex numbers", body("return x * 1j")),
        "object_result": ("returns an array of objects", body("return np.array([x, print], dtype=object)")),
        "structured_result": ("returns an array of records",
            body("return np.zeros(2, dtype=[('a', 'f8'), ('b', 'O')])")),
        "not_a_number": ("returns NaN", body("return x * np.nan")),
        "infinite": ("returns infinity", body("return x + np.inf")),
        "five_dimensions": ("returns five dimensions", body("return np.zeros((1, 1, 1, 1, 1))")),
        "endless_nesting": ("returns a list that holds itself", body("a = [1.0]", "a.append(a)", "return a")),
        "changed_inputs": ("changes its arguments", body("x[:] = 0", "return x")),
        "lying_shape": ("returns an array that lies about its shape", (
            "class Liar(np.ndarray):\n    shape = (10**9,)\n    size = nbytes = -1\n    def tobytes(self, *a): "
            "return b''\n"
            "def f(x): return np.zeros(2).view(Liar)\n"
        )),
    }),
    *rows(HEADING, ITS_OWN, "its code run outside, or a fault of ours", {
        "evil_protocol": ("raises when it is made an array", (
            "class A:\n    def __array__(self, *a, **k): raise SystemExit\ndef f(x): return A()\n"
        )),
        "evil_length": ("lies about its length", (
            "class A(list):\n    def __len__(self): return 1 << 40\n    def __getitem__(self, i): raise "
            "SystemExit\ndef f(x): return A()\n"
        )),
        "evil_class": ("has a class that answers for another, and a name that raises", (
            "class M(type):\n    @property\n    def __name__(cls): raise SystemExit\n"
            "class A(metaclass=M):\n    @property\n    def __class__(self): return np.ndarray\ndef f(x): return A()\n"
        )),
        "evil_text": ("raises an error whose text raises", (
            "class E(BaseException):\n    def __str__(self): raise E\n    __repr__ = __str__\ndef f(x): raise E\n"
        )),
        "evil_traceback": ("raises an error with a ring of causes", body(
            "a, b = ValueError(), ValueError()", "a.__cause__, b.__cause__ = b, a", "raise a"
        )),
    }),
    *rows(HEADING, RAISED | MEMORY, "a message without end", {
        "endless_text": ("raises an error of 100 MB", body("raise ValueError('x' * 10**8)")),
        "endless_name": ("raises an error with an endless name", body("raise type('E' * 10**6, (Exception,), {})")),
        "endless_traceback": ("raises from deep within", (
            "def deep(n):\n    if n: deep(n - 1)\n    raise ValueError\ndef f(x): deep(900)\n"
        )),
    }),
]  # fmt: skip

EVIDENCE = "Evidence within reach"
JUDGED = [
    *rows(EVIDENCE, HARMLESS, "a change of what was written", {
        "truncate": ("cuts its files", each(
            "n", "FILES", "os.ftruncate(n, 0)", "os.ftruncate(n, 1 << 20)", "os.truncate(n, 0)",
            "call('ftruncate', n, 0)",
        )),
        "punch_holes": ("makes holes in its files, or reserves room", each(
            "n", "FILES", *(f"call('fallocate', n, {mode}, 0, 4096)" for mode in (0, 1, 3, 8, 16, 32)),
            "os.posix_fallocate(n, 0, 9)",
        )),
        "overwrite": ("writes at a place in its files", each(
            "n", "FILES", "os.pwrite(n, b'x', 0)", "os.pwritev(n, [b'x'], 0)",
            "call('pwritev2', n, ref(struct.pack('QQ', ref(b'x'), 1)), 1, 0, 0, 0x20)",
            "call('pwritev2', n, ref(struct.pack('QQ', ref(b'x'), 1)), 1, -1, -1, 0x20)",
        )),
        "append_switched_off": ("switches off that its files only grow", each(
            "n", "FILES", "fcntl.fcntl(n, fcntl.F_SETFL, 0)",
            "fcntl.fcntl(n, fcntl.F_SETFL, os.O_NONBLOCK | os.O_DIRECT)",
            "fcntl.ioctl(n, 0x5421, b'\\0\\0\\0\\0')",
        )),
        "copies_between_files": ("moves bytes between its files", each(
            "n", "FILES", "os.sendfile(n, RESULT, 0, 9)", "call('copy_file_range', n, 0, STDOUT, 0, 9, 0)",
            "call('splice', n, 0, STDOUT, 0, 9, 0)", "call('tee', n, STDOUT, 9, 0)",
        )),
        "descriptors_exchanged": ("puts one file in another's place", each(
            "n", "FILES", "os.dup2(n, RESULT)", "os.dup2(RESULT, n)", "call('dup3', n, STDOUT, 0)",
            "fcntl.fcntl(n, fcntl.F_DUPFD, 0)", "fcntl.fcntl(n, fcntl.F_DUPFD_CLOEXEC, 0)",
        )),
        "position_moved_back": ("writes over its output", body(
            "os.write(STDOUT, b'a')", "works(lambda: os.lseek(STDOUT, 0, 0))", "os.write(STDOUT, b'b')", "return 0.0"
        )),
    }),
    *rows(EVIDENCE, ITS_OWN | OUTPUT, "an internal error", {
        "closed_result": ("closes the file for its result", body("os.close(RESULT)", "return x")),
        "closed_everything": ("closes every descriptor", body("os.closerange(0, 64)", "return x")),
        "closed_output": ("closes its output", body("os.close(1); os.close(2)", "return x")),
        "closed_input": ("closes its input", body("os.close(0)", "return x")),
        "closed_at_import": ("closes every descriptor while it is loaded",
            "os.closerange(0, 64)\ndef f(x): return x\n"),
        "inheritable_result": ("marks its files as inheritable",
            body("for n in FILES: works(lambda: os.set_inheritable(n, True))", "return x")),
        "write_refused": ("lets every later write fail", body("os.write = lambda *a: 0 / 0", "return x")),
        "write_of_nothing": ("lets every later write take nothing", body(
            "os.write = lambda *a: len(a[1])", "return x"
        )),
        "result_at_the_cap": ("fills the file for its result to the cap", body(
            "while works(lambda: os.write(RESULT, bytes(1 << 16))): pass", "return x"
        )),
        "garbage_everywhere": ("writes garbage to every file", body(
            "for n in range(16): works(lambda: os.write(n, os.urandom(4096)))", "return x"
        )),
        "garbage_at_import": ("writes garbage while it is loaded",
            "os.write(RESULT, os.urandom(64))\ndef f(x): return x\n"),
        "half_a_result": ("ends in the middle of a record", forging(GOOD[:20])),
        "output_past_the_count": ("prints between the records and moves the end", body(
            "os.write(STDOUT, b'x' * 60000); works(lambda: os.lseek(STDOUT, 0, 0))", "return x"
        )),
    }),
    *rows(EVIDENCE, RETURNED, "more than an answer", {
        "forged_and_left": ("writes its own reply and leaves", forging(GOOD)),
    }),
    *rows("Malformed replies", CRASHED, "a reply that is taken for a good one", _forged()),
    *rows("Malformed replies", CRASHED, "a reply that is taken for a good one", {
        "two_records": ("writes a record before the harness does", forging(record(array()), "return x")),
        "garbage": ("writes garbage, then returns", body("os.write(RESULT, os.urandom(4096))", "return x")),
        "pickle": ("writes a pickle that would run code", body(
            "import pickle", "class A:\n        def __reduce__(self): return (os.system, ('true',))",
            "os.write(RESULT, pickle.dumps(x) + b'cos\\nsystem\\n(S\"true\"\\ntR.')", "os._exit(0)",
        )),
        "array_file": ("writes an array in numpy's own format", body(
            "import io", "room = io.BytesIO()", "np.save(room, x)",
            "os.write(RESULT, room.getvalue())", "os._exit(0)",
        )),
        "json_reply": ("writes JSON", body("os.write(RESULT, b'{\"status\": \"returned\", \"value\": [1, 2]}')",
            "os._exit(0)")),
    }),
]  # fmt: skip

TWO = "Two rules broken in one run"
BOTH = [
    *rows(TWO, VIOLATION, "a lesser verdict", {
        "flood_then_violation": ("floods its output, then asks for ptrace", body(
            "works(lambda: os.write(1, bytes(1 << 20)))", "call('ptrace', 0, 0, 0, 0)", "return x"
        )),
        "memory_then_violation": ("runs out of memory, then asks for ptrace", body(
            "works(lambda: bytearray(1 << 40))", "call('ptrace', 0, 0, 0, 0)", "return x"
        )),
        "answer_then_violation": ("answers, then asks for ptrace", forging(GOOD, "call('ptrace', 0, 0, 0, 0)")),
        "violation_in_a_handler": ("asks for ptrace while the harness works", (
            "class A:\n    def __array__(self, *a, **k): call('ptrace', 0, 0, 0, 0)\ndef f(x): return A()\n"
        )),
        "violation_at_import": ("asks for ptrace while it is loaded",
            "call('ptrace', 0, 0, 0, 0)\ndef f(x): return x\n"),
    }),
    *rows(TWO, TIME, "a lesser verdict", {
        "answer_then_spin": ("answers, then spins", forging(GOOD, "while True: pass")),
        "flood_then_spin": ("floods its output, then spins", body(
            "for _ in range(99): works(lambda: os.write(1, bytes(1 << 16)))", "while True: pass"
        )),
        "memory_then_sleep": ("runs out of memory, then sleeps",
            body("works(lambda: bytearray(1 << 40))", "time.sleep(60)")),
    }),
    *rows(TWO, OUTPUT, "a lesser verdict", {
        "flood_then_crash": ("floods its output, then crashes", body(
            "for _ in range(99): works(lambda: os.write(1, bytes(1 << 16)))", "ctypes.string_at(0)"
        )),
        "flood_then_raise": ("floods its output, then raises", body(
            "for _ in range(99): works(lambda: os.write(1, bytes(1 << 16)))", "raise ValueError"
        )),
        "answer_and_flood": ("floods its output, then answers", body(
            "for _ in range(99): works(lambda: os.write(1, bytes(1 << 16)))", "return x"
        )),
    }),
    *rows(TWO, MEMORY, "a lesser verdict", {
        "memory_and_flood": ("floods its output, then runs out of memory", body(
            "for _ in range(99): works(lambda: os.write(1, bytes(1 << 16)))", "return bytearray(1 << 40)"
        )),
    }),
    *rows(TWO, CRASHED, "a lesser verdict, or a time limit that was none", {
        "spin_then_crash": ("spins for a while, then crashes", body(
            "end = time.process_time() + 0.1", "while time.process_time() < end: pass", "ctypes.string_at(0)"
        )),
        "answer_then_crash": ("answers, then crashes", forging(GOOD, "ctypes.string_at(0)")),
        "crash_by_a_caught_exit": ("raises, prints, and crashes in the destructor", (
            "class A:\n    def __del__(self): ctypes.string_at(0)\ndef f(x):\n    A()\n    raise ValueError\n"
        )),
    }),
    *rows(TWO, HARMLESS, "an end that looks like one of ours", {
        "killed_by_hand": ("sends itself the signal of a limit", counted(
            *(f"os.kill(os.getpid(), {number})" for number in (9, 24, 25, 31)), "signal.raise_signal(9)",
            "call('tgkill', os.getpid(), os.getpid(), 31)", "getattr(libc, 'raise')(9) == 0",
            "libc.pthread_kill(ctypes.c_ulong(threading.get_ident()), 9) == 0",
        )),
    }),
]  # fmt: skip

SEEN = "The harness shows itself"
SHOWN = [
    *rows(SEEN, HARMLESS, "a path of this machine, a name of ours, an input", {
        "paths_of_python": ("reads Python's own paths", body(
            "words = (*sys.path, *sys.argv, *sys.orig_argv, sys.executable, sys.exec_prefix, sys.base_prefix, "
            "os.__file__, np.__file__)",
            "return float(sum(str(w).startswith('/') and len(str(w)) > 1 for w in words))",
        )),
        "paths_of_modules": ("reads where every module came from", body(
            "found = [n for n, m in list(sys.modules.items()) for k in ('__file__', '__cached__', '__path__', "
            "'__spec__', '__loader__')",
            "         if any(w in str(getattr(m, k, '')) for w in ('/usr', '/home', '/root', '/work', '/opt', "
            "'/app', 'site-packages/../'))]",
            "return float(len(found))",
        )),
        "modules_of_the_harness": ("looks for our modules", body(
            "return float(sum(n.split('.')[0] in ('grader', 'exercises', 'qkvcourse', 'site', 'sitecustomize') for n "
            "in sys.modules))"
        )),
        "frames_of_the_harness": ("reads the file names of all code", body(
            "names = {o.__code__.co_filename for o in gc.get_objects() if type(o) is type(f)}",
            "frame = sys._getframe()",
            "while frame:", "    names.add(frame.f_code.co_filename); frame = frame.f_back",
            "return float(sum(n.startswith('/') or 'grader' in n for n in names))",
        )),
        "warnings_of_the_harness": ("lets warnings name the lines of their callers", body(
            "import warnings", "caught = warnings.catch_warnings(record=True)", "with caught as seen:",
            "    warnings.simplefilter('always')", "    for level in range(1, 9): warnings.warn('x', stacklevel=level)",
            "return float(sum(w.filename.startswith('/') or 'grader' in w.filename for w in seen))",
        )),
        "traceback_of_the_harness": ("prints the stack that called it", body(
            "import traceback", "text = ''.join(traceback.format_stack())",
            "return float('/' in text.replace('/3.', '') and ('grader' in text or '/usr' in text))"
        )),
        "standard_input": ("reads its standard input",
            counted("sys.stdin.read() != ''", "os.read(0, 9) != b''", "input() is not None")),
        "name_of_the_host": ("asks for names of machine and user", counted(
            "socket.gethostname() not in ('', 'sandbox')", "os.uname().nodename not in ('', 'sandbox')",
            "os.getlogin()",
            "__import__('getpass').getuser()", "__import__('platform').node() not in ('', 'sandbox')",
            "os.path.expanduser('~') not in ('~', '/')",
        )),
        "machine_at_large": ("measures the machine", counted(
            "os.getloadavg()", "os.sysconf('SC_PHYS_PAGES') > 0 and call('sysinfo', ref(bytes(128)))",
            "call('sysinfo', ref(bytes(128)))",
            "os.statvfs('/')",
        )),
        "hidden_case_number": ("asks how it was started",
            counted("bool(sys.flags.debug)", "len(sys._xoptions) > 1", "bool(sys.warnoptions)")),
    }),
]  # fmt: skip
ATTACKS = [*ANSWERS, *JUDGED, *BOTH, *SHOWN]
