"""Programs that take more than they may: memory, time, output, descriptors."""

from __future__ import annotations

from tests.grader.sandbox.attacks.program import (
    CRASHED,
    HARMLESS,
    MEMORY,
    OUTPUT,
    RAISED,
    RETURNED,
    TIME,
    body,
    calls,
    counted,
    each,
    rows,
)

HEADING = "Resources"
ATTACKS = [
    *rows(HEADING, RAISED, "a second process or thread", {
        "fork_bomb": ("forks for ever", body("while True: os.fork()")),
        "thread_bomb": (
            "starts threads for ever", body("while True: threading.Thread(target=time.sleep, args=(9,)).start()")
        ),
    }),
    *rows(HEADING, MEMORY, "memory beyond the limit", {
        "list_of_bytes": ("keeps byte arrays for ever",
            body("kept = []", "while True: kept.append(bytearray(1 << 22))")),
        "numpy_huge": ("fills an array of 8 TB", body("return np.ones((10**6, 10**6))")),
        "numpy_lazy_zeros": ("reserves 12 GB of untouched zeros", body("return np.zeros((12 << 30) // 8)[:1]")),
        "string_multiply": ("makes a string of 10 GB", body("return len('a' * 10**10)")),
        "endless_list": ("turns a range of 10**12 into a list", body("return len(list(range(10**12)))")),
        "unpacking_bomb": ("unpacks 150 MB of zeros from a few bytes", body(
            "import zlib", "packer = zlib.compressobj(1)",
            "packed = b''.join(packer.compress(bytes(1 << 20)) for _ in range(150)) + packer.flush()",
            "return len(zlib.decompress(packed))",
        )),
    }),
    *rows(HEADING, TIME | MEMORY, "memory or time beyond the limit", {
        "swallow_memory_errors": ("goes on after every MemoryError", body(
            "kept = []", "while True:", "    try: kept.append(bytearray(1 << 20))", "    except MemoryError: pass"
        )),
        "power_tower": ("computes 9**9**9 in C, where no bytecode is checked", body("return 9**9**9")),
    }),
    *rows(HEADING, TIME, "time beyond the limit", {
        "fork_bomb_swallow": ("forks for ever and catches every error", body(
            "while True:", "    try: os.fork()", "    except OSError: pass"
        )),
        "spin": ("spins in Python", body("while True: pass")),
        "spin_in_c": ("spins in C", body("return sum(range(10**12))")),
        "spin_in_numpy": ("multiplies matrices for ever", body("a = np.ones((400, 400))", "while True: a @ a")),
        "spin_in_the_kernel": ("makes page faults for ever", body(
            "room = mmap.mmap(-1, 1 << 22, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)", "while True:",
            "    room.write(bytes(1 << 22)); room.seek(0); room.madvise(4)"
        )),
        "spin_at_import": ("spins before there is a function", "while True: pass\n"),
        "regular_expression": ("lets a pattern backtrack", body("import re", "re.match('(a+)+$', 'a' * 64 + 'b')")),
        "hash_flood": ("fills a dict with equal hashes", (
            "class A:\n    def __hash__(self): return 1\ndef f(x):\n    return len({A() for _ in range(10**6)})\n"
        )),
        "sleep": ("sleeps for a minute", body("time.sleep(60)")),
        "wait_for_nothing": ("waits on no descriptor", body("select.select([], [], [])")),
        "deadlock": ("waits for a lock that it holds",
            body("lock = threading.Lock()", "lock.acquire(); lock.acquire()")),
        "flood_and_catch": ("prints past the cap and catches every error", body(
            "while True:", "    try: os.write(1, b'x' * 4096)", "    except OSError: pass"
        )),
        "clocks_stopped": ("stops Python's clocks and spins", body(
            "time.time = time.monotonic = time.perf_counter = time.process_time = lambda: 0", "while True: pass"
        )),
        "destructor_spins": ("spins in a destructor", (
            "class A:\n    def __del__(self):\n        while True: pass\ndef f(x):\n    A()\n"
        )),
        "collector_spins": ("spins in a callback of the collector", body(
            "def spin(*a):", "    while True: pass", "gc.callbacks.append(spin)", "gc.collect()"
        )),
        "restarting_after_every_error": ("catches whatever could end it", body(
            "while True:", "    try:", "        while True: time.sleep(9)", "    except BaseException: pass"
        )),
    }),
    *rows(HEADING, OUTPUT, "more output or result than the cap", {
        "flood": ("prints for ever", body("while True: print('x' * 999)")),
        "flood_of_errors": ("writes to standard error for ever", body("while True: sys.stderr.write('x' * 999)")),
        "flood_in_one_write": ("prints 8 MB at once", body("os.write(1, bytes(8 << 20))", "print('x' * (8 << 20))")),
        "flood_at_import": ("prints for ever before there is a function", "while True: print('x' * 999)\n"),
        "large_result": ("returns 8 MB", body("return np.zeros(1_000_000)")),
        "broadcast_result": ("returns an array of 8 GB made of one number",
            body("return np.broadcast_to(0.0, (10**9,))")),
    }),
    *rows(HEADING, RAISED, "another descriptor, or memory that nobody counts", {
        "descriptors": ("copies a descriptor for ever", body("while True: os.dup(0)")),
        "pipes": ("makes pipes for ever", body("kept = []", "while True: kept.append(os.pipe())")),
        "sockets": ("makes pairs of sockets for ever",
            body("kept = []", "while True: kept.append(socket.socketpair())")),
        "memory_file": ("makes a memory file", body("while True: os.ftruncate(os.memfd_create('x'), 1 << 30)")),
        "shared_map": ("maps 16 GB of shared memory", body("return len(mmap.mmap(-1, 16 << 30))")),
    }),
    *rows(HEADING, RAISED | MEMORY, "kernel memory without end", {
        "many_maps": ("makes maps of one page each, for ever", body(
            "kept = []", "while True: kept.append(mmap.mmap(-1, 4096, prot=1 + len(kept) % 2 * 2))"
        )),
    }),
    *rows(HEADING, RAISED, "a crash of the keeper", {"recursion": ("calls itself for ever", body("return f(x)"))}),
    *rows(HEADING, CRASHED, "a crash of the keeper", {
        "c_stack": ("overflows the stack in C", body(
            "sys.setrecursionlimit(10**6)", "g = lambda n: max([n], key=g)", "return g(0)"
        )),
    }),
    *calls(HEADING, "locked memory", {
        "mlock": "'mlock', page(), 4096", "mlock2": "'mlock2', page(), 4096, 0", "mlockall": "'mlockall', 2",
        "remap_file_pages": "'remap_file_pages', page(3, 0x21), 4096, 0, 0, 0",
    }),
    *rows(HEADING, HARMLESS, "memory that nobody counts, a raised limit, a timer", {
        "memory_files": ("makes files of memory", counted(
            "os.memfd_create('x')", "call('memfd_create', ref(b'x'), 0)", "os.eventfd(0)", "select.epoll()",
            "call('timerfd_create', 1, 0)", "call('signalfd4', -1, ref(bytes(8)), 8, 0)", "call('inotify_init1', 0)",
        )),
        "raised_limits": ("raises every limit", each(
            "n", "range(16)", "resource.setrlimit(n, (1 << 40, 1 << 40))", "resource.setrlimit(n, (-1, -1))",
            "call('prlimit64', 0, n, ref(struct.pack('QQ', 1 << 40, 1 << 40)), 0)",
            "call('setrlimit', n, ref(struct.pack('QQ', 1 << 40, 1 << 40)))",
        )),
        "lowered_limits": ("lowers a limit, which the keeper may need", each(
            "n", "range(16)", "resource.setrlimit(n, (0, 0))", "call('prlimit64', 0, n, ref(bytes(16)), 0)",
        )),
        "timers": ("starts timers", counted(
            "signal.setitimer(0, 9)", "call('timer_create', 1, 0, ref(bytes(8)))", "call('alarm', 9)",
        )),
        "reserve_without_memory": ("reserves a terabyte without rights, or by a swapless map", counted(
            "page(0, 0x4022, 1 << 40)", "page(3, 0x4022, 1 << 40)", "call('mremap', page(), 4096, 1 << 40, 1)",
            "call('brk', call('brk', 0) + (1 << 40)) > call('brk', 0)",
        )),
        "huge_pages_and_locks": ("maps huge, locked or growing memory", counted(
            "page(3, 0x40022, 1 << 21)", "page(3, 0x2022)", "page(3, 0x122)", "page(3, 0x8022)",
        )),
        "advice_for_the_host": ("gives advice on memory that only matters to the host", body(
            "at = page()",
            "return sum(works(lambda: call('madvise', at, 4096, n)) for n in (9, 10, 12, 16, 20, 21, 22, 23, 24, 25, "
            "100, 101))",
        )),
    }),
    *rows(HEADING, RETURNED, "a raised limit of the interpreter that matters outside", {
        "interpreter_limits": ("takes Python's own limits away", body(
            "sys.setrecursionlimit(10**9)", "sys.set_int_max_str_digits(0)", "sys.setswitchinterval(1e-9)", "return x"
        )),
    }),
]  # fmt: skip
