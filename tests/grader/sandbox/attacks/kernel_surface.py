"""Programs that reach for the network, for parts of the kernel that no honest program needs, or for lost rights."""

from __future__ import annotations

import platform

from tests.grader.sandbox.attacks.program import (
    CRASHED,
    HARMLESS,
    RAISED,
    VIOLATION,
    body,
    calls,
    counted,
    each,
    rows,
)

NETWORK = [
    *rows("Network and IPC", HARMLESS, "a socket", {
        "tcp": ("connects to the broker and the metadata service", counted(
            "socket.create_connection(('127.0.0.1', 6379), 1)", "socket.create_connection(('169.254.169.254', 80), 1)",
        )),
        "udp": ("sends a packet", counted("socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('8.8.8.8', "
            "53))")),
        "names": ("looks a name up", counted(
            "socket.getaddrinfo('example.org', 80)", "socket.gethostbyname('localhost')",
            "__import__('urllib.request', fromlist='x').urlopen('http://127.0.0.1')",
        )),
        "listen": ("listens", counted("socket.create_server(('127.0.0.1', 0))", "socket.create_server(('', 8000))")),
        "abstract_socket": ("binds a name that no directory holds", counted(
            "socket.socket(socket.AF_UNIX).bind('\\0x')", "socket.socket(socket.AF_UNIX).connect('\\0x')",
        )),
        "pair_of_sockets": ("makes a pair of sockets",
            counted("socket.socketpair()", "call('socketpair', 1, 1, 0, ref(bytes(8)))")),
        "families": ("asks for a socket of every family and kind", body(
            "return sum(works(lambda: call('socket', n, kind, 0)) for n in range(48) for kind in (1, 2, 3, 5))"
        )),
        "kernel_crypto": ("uses the kernel's ciphers", counted(
            "socket.socket(38, socket.SOCK_SEQPACKET).bind(('hash', 'sha256'))", "socket.socket(16, 3, 0)",
            "socket.socket(40, 1, 0)",
            "socket.socket(17, 3, 0)", "socket.socket(29, 3, 1)",
        )),
        "sockets_inherited": ("talks over whatever it holds", each(
            "n", "range(64)", "socket.socket(fileno=n).send(b'x')", "call('sendto', n, ref(b'x'), 1, 0, 0, 0)",
            "call('recvfrom', n, ref(bytes(8)), 8, 0x40, 0, 0)", "call('recvmsg', n, ref(bytes(56)), 0x40)",
            "call('sendmsg', n, ref(bytes(56)), 0)", "call('getsockopt', n, 1, 17, ref(bytes(12)), "
                "ref(b'\\x0c\\0\\0\\0'))",
            "call('shutdown', n, 2)",
        )),
        "system_log": ("writes to the system's log",
            counted("open('/dev/log')", "__import__('logging.handlers', fromlist='x').SysLogHandler()")),
    }),
]  # fmt: skip

KERNEL = [
    *rows("Kernel surface", HARMLESS, "a right that was given up, or a wall taken down", {
        "identity": ("takes another identity", counted(
            "os.setuid(0)", "os.setgid(0)", "os.setreuid(0, 0)", "os.setresuid(0, 0, 0)", "os.setresgid(0, 0, 0)",
            "os.setgroups([0])", "call('setfsuid', 0) == 0", "call('setfsgid', 0) == 0",
        )),
        "capabilities": ("takes capabilities back", counted(
            "call('capset', ref(struct.pack('Ii', 0x20080522, 0)), ref(b'\\xff' * 24))",
            "call('capset', ref(struct.pack('Ii', 0x20080522, 0)), ref(struct.pack('6I', 1 << 21, 1 << 21, 0, 0, 0, "
            "0)))",
            "call('prctl', 47, 2, 21, 0, 0)", "call('prctl', 8, 1, 0, 0, 0)", "call('prctl', 28, 0, 0, 0, 0)",
        )),
        "hardening_off": ("switches off what protects from it", counted(
            "call('prctl', 4, 1, 0, 0, 0)", "call('prctl', 38, 0, 0, 0, 0)", "call('prctl', 65, 0, 0, 0, 0)",
            "call('prctl', 22, 0, 0, 0, 0)", "call('prctl', 0x59616d61, -1, 0, 0, 0)", "call('prctl', 53, 0, 2, 0, 0)",
            "call('prctl', 26, 1, 0, 0, 0)", "call('prctl', 35, 8, page(), 0, 0)", "call('prctl', 59, 1, 0, 0, 0)",
        )),
        "self_description": ("gives itself another name", counted(
            "call('prctl', 15, ref(b'systemd'), 0, 0, 0)", "call('prctl', 0x53564d41, 0, page(), 4096, ref(b'x'))",
            "call('prctl', 29, 1, 0, 0, 0)", "call('prctl', 41, 1, 0, 0, 0)", "call('prctl', 67, 1, 0, 0, 0)",
            "call('prctl', 33, 1, 0, 0, 0)", "call('prctl', 57, 1, 0, 0, 0)",
        )),
        "filters_again": ("loads a filter of its own, or asks to supervise one", counted(
            "call('seccomp', 0, 0, 0)",
            *(
                f"call('seccomp', 1, {flags}, ref(struct.pack('HxxxxxxQ', 1, ref(struct.pack('HBBI', 6, 0, 0, "
                f"0x7fff0000)))))"
                for flags in (0, 1, 8)
            ),
        )),
        "thread_area": ("points the thread registers elsewhere, registers with the kernel", counted(
            "call('arch_prctl', 0x1001, page())", "call('arch_prctl', 0x1012, 0)", "call('rseq', page(), 32, 0, 0)",
            "call('set_robust_list', page(), 24)", "call('set_tid_address', page()) > 1 << 30",
            "call('membarrier', 1 << 3, 0, 0)",
        )),
        "executable_memory": ("makes memory that can be executed", counted(
            "page(7)", "page(5)", "call('mprotect', page(), 4096, 5)", "call('mprotect', page(), 4096, 7)",
            "call('mprotect', id(f) & ~4095, 4096, 7)", "call('mprotect', page(), 4096, 4)",
            "call('mmap', 0, 4096, 7, 0x21, -1, 0)",
        )),
        "executable_memory_by_key": ("makes it executable by a memory key",
            counted("call('mprotect', page(), 4096, 0x1000005)")),
        "priority_inheritance": ("uses the kinds of futex that no lock needs", body(
            "at = ref(bytes(64))",
            "return sum(works(lambda: call('futex', at, n | private, 1, 0, at + 32, 0)) for private in (0, 128)",
            "           for n in (2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 64))",
        )),
        "calls_of_tomorrow": ("makes calls that nobody knows yet",
            each("n", "(470, 500, 600, 1023, 9999, 1 << 29)", "libc.syscall(n)")),
    }),
    *calls("Kernel surface", "a new namespace or one of another process", {
        "user_namespace": "'unshare', 0x10000000",
        "mount_namespace": "'unshare', 0x00020000",
        "pid_namespace": "'unshare', 0x20000000",
        "net_namespace": "'unshare', 0x40000000",
        "files_unshared": "'unshare', 0x400",
        "setns": "'setns', 3, 0",
    }),
    *calls("Kernel surface", "a service of the kernel that no program needs", {
        "io_uring": "'io_uring_setup', 8, ref(bytes(120))",
        "io_uring_enter": "'io_uring_enter', 3, 0, 0, 0, 0, 0",
        "io_uring_register": "'io_uring_register', -1, 8, 0, 0",
        "old_io": "'io_setup', 8, ref(bytes(8))",
        "bpf": "'bpf', 0, ref(struct.pack('IIII', 1, 4, 4, 1) + bytes(56)), 72",
        "perf": "'perf_event_open', ref(struct.pack('IIQ', 1, 112, 0) + bytes(96)), 0, -1, -1, 0",
        "userfaultfd": "'userfaultfd', 1",
        "landlock": "'landlock_create_ruleset', ref(bytes(8)), 8, 0",
        "landlock_version": "'landlock_create_ruleset', 0, 0, 1",
        "landlock_restrict": "'landlock_restrict_self', 3, 0",
        "lsm": "'lsm_set_self_attr', 100, ref(bytes(64)), 64, 0",
        "kernel_log": "'syslog', 3, ref(bytes(64)), 64",
        "kernel_log_size": "'syslog', 10, 0, 0",
        "memory_keys": "'pkey_alloc', 0, 0",
        "memory_key_protection": "'pkey_mprotect', page(), 4096, 7, -1",
        "module": "'init_module', ref(bytes(8)), 8, ref(bytes(1))",
        "module_of_a_file": "'finit_module', 4, ref(bytes(1)), 0",
        "module_away": "'delete_module', ref(b'x'), 0x800",
        "another_kernel": "'kexec_load', 0, 0, 0, 0",
        "another_kernel_of_a_file": "'kexec_file_load', 3, 3, 0, 0, 0",
        "reboot": "'reboot', 0xfee1dead, 672274793, 0, 0",
        "clock_settime": "'clock_settime', 0, ref(bytes(16))",
        "clock_adjtime": "'clock_adjtime', 0, ref(struct.pack('I', 1) + bytes(204))",
        "settimeofday": "'settimeofday', ref(bytes(16)), 0",
        "swapon": "'swapon', ref(b'x'), 0",
        "swapoff": "'swapoff', ref(b'x')",
        "hangup": "'vhangup'",
        "cookies": "'lookup_dcookie', 0, 0, 0",
    }),
    *rows("Kernel surface", RAISED | CRASHED | VIOLATION, "code of its own", {
        "shellcode": ("writes machine code into memory and runs it", body(
            "room = mmap.mmap(-1, 4096, prot=7)", "room.write(b'\\xcd\\x80\\xc3')",
            "return float(ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(room)))())",
        )),
        "jump_into_data": ("runs what lies in writable memory", body(
            "at = ref(b'\\xb8\\x14\\0\\0\\0\\xcd\\x80\\xc3')", "return float(ctypes.CFUNCTYPE(ctypes.c_int)(at)())"
        )),
        "code_in_code": ("writes over the code of a library", body(
            "at = ctypes.cast(libc.getpid, ctypes.c_void_p).value", "ctypes.memset(at, 0x90, 1)", "return 1.0"
        )),
    }),
    *rows("Kernel surface", CRASHED, "a crash of anything else", {
        "null": ("reads the address 0", body("ctypes.string_at(0)")),
        "wild_array": ("reads far outside an array",
            body("return np.lib.stride_tricks.as_strided(x, (2,), (1 << 40,)).sum()")),
        "wild_write": ("writes far outside an array",
            body("np.lib.stride_tricks.as_strided(x, (2,), (1 << 40,))[:] = 1")),
        "abort": ("aborts", body("os.abort()")),
        "privileged_instruction_by_handler": ("handles the crash and crashes in the handler", body(
            "signal.signal(11, lambda *a: ctypes.string_at(0))", "import faulthandler",
            "libc.signal(11, ctypes.c_void_p(1))",
            "ctypes.string_at(0)",
        )),
    }),
]  # fmt: skip
if platform.machine() == "x86_64":
    KERNEL += rows("Kernel surface", VIOLATION, "a call that the filter did not see", {
        f"x32_{name}": (f"makes the call {name} by its number for x32", counted(
            f"libc.syscall(ctypes.c_long(0x40000000 + {number}), {arguments})"
        ))
        for name, number, arguments in (
            ("getpid", 39, "0"), ("open", 2, "b'/', 0, 0"), ("socket", 41, "2, 1, 0"),
            ("exec", 520, "b'/bin/sh', 0, 0"),
        )
    })  # fmt: skip
    KERNEL += calls("Kernel surface", "a service of the kernel that no program needs", {
        "iopl": "'iopl', 3",
        "ioperm": "'ioperm', 0x80, 1, 1",
        "modify_ldt": "'modify_ldt', 1, ref(struct.pack('IIII', 0, 0, 0xfffff, 0x51)), 16",
        "thread_area_32": "'set_thread_area', ref(bytes(16))",
        "shadow_stack": "'map_shadow_stack', 0, 4096, 0",
        "uselib": "'uselib', ref(b'x')",
        "sysfs": "'sysfs', 3",
        "ustat": "'ustat', 0, ref(bytes(32))",
    })  # fmt: skip
KEEPERS_OWN = [
    *rows("Calls that the keeper needs", HARMLESS, "such a call with other arguments", {
        "clone_new_pid": ("uses the flags of the keeper itself", counted("born('clone', 0x20000000 | 17, 0, 0, 0, 0)")),
        "clone_flag_by_flag": ("adds each flag to those of the keeper", each(
            "n", "range(8, 40)", "born('clone', 0x20000000 | 17 | 1 << n, 0, 0, 0, 0)",
            "born('clone', 17 | 1 << n, 0, 0, 0, 0)"
        )),
        "clone_signals": ("asks for another signal at the end",
            each("n", "range(0, 64)", "born('clone', 0x20000000 | n, 0, 0, 0, 0)")),
        "clone_pointers": ("gives the keeper's flags other pointers", counted(
            "born('clone', 0x20000000 | 17, page() + 4032, 0, 0, 0)", "born('clone', 0x20100000 | 17, 0, page(), 0, 0)",
            "born('clone', 0x21200000 | 17, 0, 0, page(), 0)", "born('clone', 0x20001000 | 17, 0, page(), 0, 0)",
        )),
        "every_prctl": ("asks for every option that changes something", body(
            "changing = (4, 6, 8, 10, 14, 15, 20, 22, 24, 26, 28, 29, 31, 32, 33, 35, 36, 38, 41, 43, 45, 47, 50, "
            "53, 54, 57, 59,",
            "            62, 65, 67, 69, 71, 72, 0x59616d61, 0x53564d41)",
            "found = sum(works(lambda: call('prctl', n, v, 0, 0, 0)) for n in changing for v in (0, 1, 2, 9))",
            "return found + sum(works(lambda: call('prctl', 1, v, 0, 0, 0)) for v in (0, *range(1, 65)) if v != 9)",
        )),
        # Without a namespace of its own the stricter filter ends it at this very call: see pidfd_send_signal.
        "kill_by_descriptor": ("kills whatever its descriptors are", each(
            "n", "(range(-1, 64) if os.getpid() == 1 else ())", "call('pidfd_send_signal', n, 9, 0, 0)"
        )),
        "tell_of_walls": ("tells the keeper of other walls, or of none",
            each("n", "range(5, 64)", "os.write(n, b'\\0')")),
        "messages_of_the_keeper": ("takes the next packet and its descriptors", each(
            "n", "range(-1, 64)", "call('recvmsg', n, ref(struct.pack('QQQQQQQ', 0, 0, ref(struct.pack('QQ', page(), "
                "64)), 1, "
            "page(), 64, 0)), 0x40)",
        )),
        "every_limit": ("sets every limit to what it is",
            each("n", "range(16)", "resource.setrlimit(n, resource.getrlimit(n))")),
        "waiting": ("waits for children, and for signals without an end", counted(
            "os.wait()", "call('wait4', -1, 0, 1, 0)", "call('wait4', -1, 0, 0x40000001, 0)",
            "call('wait4', 0, ref(bytes(4)), 1, page())", "signal.sigpending()",
            "call('rt_sigtimedwait', ref(b'\\xff' * 8), 0, ref(bytes(16)), 8)",
        )),
        "copies_of_descriptors": ("copies and closes descriptors", each(
            "n", "FILES", "os.dup(n)", "os.dup2(n, 9)", "call('dup3', n, 9, 0)", "fcntl.fcntl(n, fcntl.F_DUPFD, 9)",
            "call('close_range', 20, 30, 0)",
        )),
    }),
]  # fmt: skip
ATTACKS = [*NETWORK, *KERNEL, *KEEPERS_OWN]
