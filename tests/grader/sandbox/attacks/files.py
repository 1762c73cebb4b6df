"""Programs that look for files, make some, or leave something behind for the next run."""

from __future__ import annotations

from tests.grader.sandbox.attacks.program import HARMLESS, RAISED, VIOLATION, body, calls, counted, each, rows

HEADING = "Files and /proc"
LEFT = "State that outlives a run"
FILES = [
    *rows(HEADING, HARMLESS, "a file, a name or a byte of this machine", {
        "disk_fill": ("opens files for writing wherever there could be room", each(
            "where", "('/x', '/tmp/x', '/dev/shm/x', 'x', '/var/tmp/x', '/run/x', '/proc/x')", "open(where, 'w')",
            "os.open(where, os.O_CREAT | os.O_RDWR)", "os.open(where[:-1] or '.', 0o20200000 | os.O_RDWR)",
            "call('creat', ref(where.encode()), 0o600)",
        )),
        "passwords": ("reads passwords", counted(
            "open('/etc/passwd')", "open('/etc/shadow')", "os.stat('/etc/passwd')", "__import__('pwd').getpwuid(1)",
        )),
        "own_proc": ("reads about itself and others in /proc", each(
            "name", "('self/environ', '1/environ', 'self/maps', 'self/mem', 'self/status', '1/cmdline', 'version', "
                "'meminfo')",
            "open('/proc/' + name, 'rb')", "os.stat('/proc/' + name)",
        )),
        "proc_links": ("follows links in /proc", counted(
            "os.readlink('/proc/self/exe')", "os.readlink('/proc/1/fd/1')", "os.listdir('/proc')",
            "os.readlink('/proc/self/cwd')",
        )),
        "proc_descriptors": ("opens its own descriptors anew, with other rights", each(
            "n", "range(16)", "open(f'/proc/self/fd/{n}', 'rb')", "os.open(f'/dev/fd/{n}', os.O_RDWR)",
            "os.truncate(f'/proc/self/fd/{n}', 0)",
        )),
        "environment": ("reads the environment", counted(
            "dict(os.environ)['PATH']", "os.environb[b'HOME']", "bool(os.environ)", "libc.getenv(b'HOME') != 0",
        )),
        "environment_secrets": ("looks for secrets in the environment of the C library", body(
            "import re", "at = ctypes.POINTER(ctypes.c_char_p).in_dll(libc, 'environ')", "found, n = [], 0",
            "while at and at[n]:", "    found.append(at[n]); n += 1",
            "return float(sum(bool(re.search(rb'(?i)secret|django|redis|valkey|database|password|token|broker', w)) "
            "for w in found))",
        )),
        "list_root": ("lists what there is", counted(
            "os.listdir('/')", "os.scandir('.')", "os.getcwd()", "os.chdir('/')", "os.listdir('/proc/self/fd')",
            "__import__('glob').glob('/*')[0]",
        )),
        "path_oracle": ("asks which paths exist", each(
            "p", "('/', '/etc', '/root', '/home', '/nowhere')", "os.stat(p)", "call('access', ref(p.encode()), 0)",
            "call('faccessat2', -100, ref(p.encode()), 0, 0)",
            "call('statx', -100, ref(p.encode()), 0, 0xfff, ref(bytes(256)))",
            "call('readlink', ref(p.encode()), ref(bytes(64)), 64)",
            "call('readlink', ref(p.encode()), 0, 0) < 0 and ctypes.get_errno() != 1",
            "os.statvfs(p)", "os.pathconf(p, 'PC_NAME_MAX')",
        )),
        "reference": ("imports what knows the answers", each(
            "name", "('grader', 'grader.marking', 'exercises', 'django', 'celery', 'redis', 'qkvcourse', "
                "'qkvcourse.settings')",
            "__import__(name)",
        )),
        "devices": ("opens devices", each(
            "d", "('mem', 'kmsg', 'null', 'urandom', 'tty', 'ptmx', 'kvm', 'fuse', 'shm', 'mqueue', 'stdin')",
            "open('/dev/' + d)"
        )),
        "make_things": ("makes links, folders, pipes, devices and other rights", counted(
            "os.symlink('/etc', '/x')", "os.mkdir('/x')", "os.mknod('/x')", "os.mkfifo('/x')", "os.link('/a', '/b')",
            "os.chmod('/', 0o777)", "os.unlink('/x')", "os.rename('/a', '/b')", "os.rmdir('/')", "os.truncate('/x', 0)",
            "os.chown('/', 0, 0)",
        )),
        "openat2": ("opens by the newer calls", counted(
            "call('openat2', -100, ref(b'/'), ref(bytes(24)), 24)", "call('openat', -100, ref(b'/'), 0, 0)",
            "call('open', ref(b'/'), 0, 0)", "call('openat', -100, ref(b'/'), 0o10000000, 0)",
        )),
        "extended_attributes": ("reads and sets extended attributes", counted(
            "os.listxattr('/')", "os.setxattr('/', 'user.x', b'')", "os.removexattr('/', 'user.x')",
            *(f"os.setxattr({n}, 'user.x', b'1')" for n in (1, 4)), "os.listxattr(4)",
        )),
        "locale_files": ("makes the C library and gettext read files", counted(
            "__import__('gettext').translation('x', '/')", "libc.setlocale(6, b'zh_CN.UTF-8') != 0",
            "ctypes.CDLL('/lib/x86_64-linux-gnu/libutil.so.1')", "libc.iconv_open(b'GB18030', b'UTF-8')",
        )),
        "map_of_a_file": ("maps its files, or loads code from them", each(
            "n", "FILES", "mmap.mmap(n, 4096, prot=1)", "mmap.mmap(n, 4096, prot=3)",
            "libc.mmap(ctypes.c_void_p(0), ctypes.c_size_t(4096), 1, 1, n, ctypes.c_long(0))",
            "libc.mmap(ctypes.c_void_p(0), ctypes.c_size_t(4096), 3, 2, n, ctypes.c_long(0))",
        )),
    }),
    *rows(HEADING, RAISED, "a file", {
        "late_import": ("imports a module that is not in memory", body("import sqlite3")),
        "late_library": ("loads a library", body("ctypes.CDLL('libsqlite3.so.0')")),
    }),
    *calls(HEADING, "another root, a mount, a file by its handle", {
        "chroot": "'chroot', ref(b'.')",
        "mount": "'mount', ref(b'x'), ref(b'/'), ref(b'proc'), 0, 0",
        "umount": "'umount2', ref(b'/'), 2",
        "pivot_root": "'pivot_root', ref(b'.'), ref(b'.')",
        "open_by_handle": "'open_by_handle_at', 3, ref(struct.pack('II', 8, 1) + bytes(8)), 0",
        "name_to_handle": "'name_to_handle_at', 3, ref(b'.'), ref(struct.pack('II', 128, 0) + bytes(128)), "
            "ref(bytes(4)), 0x1000",
        "fsopen": "'fsopen', ref(b'tmpfs'), 0",
        "fspick": "'fspick', -100, ref(b'/'), 0",
        "fsconfig": "'fsconfig', 3, 6, 0, 0, 0",
        "fsmount": "'fsmount', 3, 0, 0",
        "open_tree": "'open_tree', -100, ref(b'/'), 0",
        "move_mount": "'move_mount', -100, ref(b'/'), -100, ref(b'/'), 0",
        "mount_setattr": "'mount_setattr', -100, ref(b'/'), 0, ref(bytes(32)), 32",
        "statmount": "'statmount', ref(struct.pack('IIQQ', 24, 0, 1, 1)), ref(bytes(512)), 512, 0",
        "listmount": "'listmount', ref(struct.pack('IIQQ', 24, 0, (1 << 64) - 1, 0)), ref(bytes(512)), 64, 0",
        "quotactl": "'quotactl', 0x80000100, 0, 0, ref(bytes(64))",
        "quotactl_fd": "'quotactl_fd', 1, 0x80000100, 0, ref(bytes(64))",
        "acct": "'acct', 0",
        "fanotify": "'fanotify_init', 0, 0",
        "vmsplice": "'vmsplice', 1, ref(struct.pack('QQ', page(), 4096)), 1, 0",
        "setxattr_at": "'setxattrat', 4, ref(bytes(1)), 0x1000, ref(b'user.x'), ref(struct.pack('QII', ref(b'1'), 1, "
            "0)), 16",
        "file_attributes": "'file_setattr', 4, ref(bytes(1)), ref(bytes(24)), 24, 0x1000",
    }),
]  # fmt: skip

# Each of these looks for its own trace first and leaves it afterwards; it runs twice under one keeper.
LEAVING = [
    *rows(LEFT, HARMLESS, "a trace of the run before", {
        "shared_memory": ("leaves a file or a block of shared memory", counted(
            "__import__('multiprocessing.shared_memory', fromlist='x').SharedMemory('x', True, 64)",
            "open('/dev/shm/x', 'w')", "libc.shm_open(b'/x', 0o102, 0o600)",
            "libc.sem_open(b'/x', 0o100, 0o600, 1) or -1",
        )),
        "patched_modules": ("leaves marks in modules, builtins and classes", body(
            "import builtins, json, random", "marked = (np, os, json, random, builtins, sys, struct, threading.Thread)",
            "found = sum(hasattr(m, 'left') for m in marked)", "for m in marked: m.left = 1", "return float(found)",
        )),
        "poisoned_modules": ("breaks modules for the next one", body(
            "import json", "found = float(np.dot is None) + float(json.dumps is None) + float('numpy.linalg' not in "
                "sys.modules)",
            "np.dot = json.dumps = np.exp = np.matmul = None", "del sys.modules['numpy.linalg']", "return found",
        )),
        "random_state": ("leaves a seed", body(
            "import random", "found = float(np.random.get_state()[1][0] == 77)",
            "found += random.Random(5).random() == random.random()",
            "np.random.seed(77); random.seed(5)", "return float(found)",
        )),
        "memory_of_the_last_run": ("looks for the text of the last program in memory", body(
            "mark = bytes(reversed(b'elcirc dna elgnairt'))",
            "found = sum(mark in np.empty(1 << n, 'u1').tobytes() for n in range(5, 24))",
            "found += sum(type(o) is dict and 'left_here' in o for o in gc.get_objects())",
            "KEPT.extend(bytearray(mark * 9) for _ in range(9999)); KEPT.append({'left_' + 'here': 1}); os.left = KEPT",
            "return float(found - 1 if 'left_here' in globals() else found)",
        )),
        "handlers_left": ("leaves signal handlers, masks and an interpreter's limits", body(
            "found = float(callable(signal.getsignal(14))) + float(14 in signal.pthread_sigmask(0, ())) + "
            "(sys.getrecursionlimit() == 777)",
            "signal.signal(14, lambda *a: None); signal.pthread_sigmask(0, {14}); sys.setrecursionlimit(777)",
            "return float(found)",
        )),
        "time_bomb": ("behaves once and changes on its next run", body(
            "runs = getattr(sys, 'runs', 0)", "sys.runs = os.environ['RUNS'] = str(int(runs) + 1)", "return float(runs)"
        )),
        "positions": ("moves the position in its files", body(
            "found = sum(works(lambda: os.lseek(n, 0, 1) > 0) for n in (STDIN, STDOUT, REQUEST))",
            "for n in FILES: works(lambda: os.lseek(n, 5, 0))", "return found",
        )),
        "times_of_files": ("sets the times of its files and of the root", each(
            "n", "FILES", "os.utime(n, (7, 7))", "call('utimensat', n, 0, ref(struct.pack('4q', 7, 7, 7, 7)), 0)",
            "call('futimesat', n, 0, ref(bytes(32)))", "os.utime('/', (7, 7))",
            "call('utimensat', n, ref(bytes(1)), ref(bytes(32)), 0x1000)",
        )),
        "locks_and_leases": ("locks its files in every way", each(
            "n", "FILES", "fcntl.flock(n, 2 | 4)", "fcntl.lockf(n, 2 | 4)",
            "fcntl.fcntl(n, 37, struct.pack('hhqqi', 1, 0, 0, 0, 0))", "fcntl.fcntl(n, 1024, 1)",
            "fcntl.fcntl(n, 1025)",
        )),
        "seals_and_hints": ("seals its files and leaves hints on them", each(
            "n", "FILES", "fcntl.fcntl(n, 1033, 15)", "fcntl.fcntl(n, 1034)", "fcntl.fcntl(n, 1031, 1 << 20)",
            "fcntl.fcntl(n, 1032)",
            "fcntl.fcntl(n, 1036, struct.pack('Q', 2))", "fcntl.fcntl(n, 1038, struct.pack('Q', 2))",
            "fcntl.fcntl(n, fcntl.F_SETFL, os.O_NONBLOCK)", "fcntl.fcntl(n, 1030, 0)", "fcntl.fcntl(n, 0, 0)",
        )),
        "rights_of_files": ("changes mode, owner and attributes of its files", each(
            "n", "FILES", "os.fchmod(n, 0o777)", "os.fchown(n, -1, -1)",
            "call('fsetxattr', n, ref(b'user.x'), ref(b'1'), 1, 0)",
            "fcntl.ioctl(n, 0x40086602, bytes(8))", "call('fchmodat2', n, ref(bytes(1)), 0o777, 0x1000)",
        )),
        "memory_policy": ("sets a policy for memory", counted(
            "call('set_mempolicy', 1, ref(b'\\1' + bytes(7)), 64)",
            "call('mbind', page(), 4096, 1, ref(b'\\1' + bytes(7)), 64, 0)",
            "call('set_mempolicy_home_node', page(), 4096, 0, 0)", "call('get_mempolicy', ref(bytes(4)), 0, 0, 0, 0)",
        )),
        "hidden_in_the_root": ("keeps the empty root open, locked, watched or mapped", counted(
            "os.open('/', os.O_DIRECTORY)", "call('open', ref(b'/'), 0x10000, 0)", "os.fchdir(3)",
            "os.open('.', os.O_PATH)",
            "call('inotify_add_watch', 3, ref(b'/'), 2)",
        )),
        "umask_and_directory": ("changes umask and directory", counted("os.umask(0)", "os.chdir('/')", "os.fchdir(0)")),
    }, runs=2),
    *rows(LEFT, VIOLATION, "an object that the next run can find", {
        name: (f"leaves what {words.split(',')[0]} makes", counted(f"call({words})")) for name, words in {
            "sysv_shm": "'shmget', 1234, 4096, 0o1666",
            "sysv_msg": "'msgget', 1234, 0o1666",
            "sysv_sem": "'semget', 1234, 1, 0o1666",
            "sysv_shm_info": "'shmctl', 0, 14, ref(bytes(512))",
            "sysv_shm_remove": "'shmctl', 0, 0, 0",
            "sysv_sem_undo": "'semop', 0, ref(struct.pack('Hhh', 0, 1, 0x1000)), 1",
            "sysv_msg_send": "'msgsnd', 0, ref(struct.pack('q', 1) + bytes(8)), 8, 0x800",
            "posix_queue": "'mq_open', ref(b'x'), 0o102, 0o666, 0",
            "posix_queue_remove": "'mq_unlink', ref(b'x')",
            "keyring": "'keyctl', 0, -4, 1",
            "keyring_session": "'keyctl', 0, -3, 1",
            "keyring_persistent": "'keyctl', 22, -1, -2",
            "add_key": "'add_key', ref(b'user'), ref(b'x'), ref(b'1'), 1, -4",
            "request_key": "'request_key', ref(b'user'), ref(b'x'), 0, -4",
            "host_name": "'sethostname', ref(b'left'), 4",
            "domain_name": "'setdomainname', ref(b'left'), 4",
            "secret_memory": "'memfd_secret', 0",
        }.items()
    }),
]  # fmt: skip
ATTACKS = [*FILES, *LEAVING]
