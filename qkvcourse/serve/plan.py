"""What one installation looks like: read from the environment once, checked before anything starts."""

from __future__ import annotations

import errno
import ipaddress
import os
import secrets
import socket
from dataclasses import dataclass
from pathlib import Path

from qkvcourse import addresses, env
from qkvcourse.serve.processes import StartError

ROOT = Path(__file__).resolve().parents[2]
LEAST_FREE_BYTES = 64 * 1024**2
FULL_ISOLATION_TIER = 3


@dataclass(frozen=True, slots=True)
class Plan:
    """Where the site listens, where its state lies, and which parts are ours to start."""

    host: str
    port: int
    data_dir: Path
    redis_url: str
    embedded_valkey: bool
    minimum_tier: int
    web_processes: int
    web_threads: int
    grader_processes: int

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach the site."""
        return is_loopback(self.host)

    @property
    def url(self) -> str:
        """The address to print."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"


def read_plan() -> Plan:
    """The plan that the environment asks for; a bad value ends the process with its sentence."""
    data_dir = env.directory("QKV_DATA_DIR", ROOT / "var").resolve()
    redis_url = env.text("REDIS_URL")
    cores = os.cpu_count() or 1
    return Plan(
        host=env.text("HOST", "127.0.0.1"),
        port=env.whole_number("PORT", 8000, lowest=1, highest=65535),
        data_dir=data_dir,
        redis_url=redis_url or addresses.unix_url(addresses.valkey_socket(data_dir)),
        embedded_valkey=not redis_url,
        minimum_tier=env.whole_number("SANDBOX_MIN_TIER", FULL_ISOLATION_TIER, lowest=1, highest=FULL_ISOLATION_TIER),
        web_processes=env.whole_number("WEB_PROCESSES", min(cores, 2), lowest=1, highest=64),
        web_threads=env.whole_number("WEB_THREADS", 16, lowest=2, highest=256),
        grader_processes=env.whole_number("GRADER_PROCESSES", min(cores, 4), lowest=1, highest=64),
    )


def check_plan(plan: Plan) -> None:
    """Refuse, in one sentence, what cannot work or must not be."""
    if not plan.is_loopback and plan.minimum_tier < FULL_ISOLATION_TIER:
        raise StartError("SANDBOX_MIN_TIER below 3 is accepted on this machine alone: leave HOST unset, or drop it")
    if not plan.is_loopback and not env.text("SITE_URL"):
        raise StartError("HOST opens the site to others: set SITE_URL to the address they will type")
    check_port(plan.host, plan.port)


def check_port(host: str, port: int) -> None:
    """Bind the port once and let it go again."""
    try:
        with socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET):
            return
    except PermissionError as error:
        raise StartError(f"port {port} needs root; set PORT to one above 1023") from error
    except OSError as error:
        number = error.errno or 0
        if number < 0 or number == errno.EADDRNOTAVAIL:  # below zero: the name could not be looked up
            raise StartError(f"HOST names {host!r}, which is no address of this machine") from error
        reason = os.strerror(number).lower()
        raise StartError(f"port {port} on {host} cannot be used ({reason}); set PORT to another one") from error


def prepare_data_directory(data_dir: Path) -> None:
    """Make the directory of the installation's state, private to its owner."""
    try:
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        disk = os.statvfs(data_dir)
        if disk.f_bavail * disk.f_frsize < LEAST_FREE_BYTES:
            raise StartError(f"the disk that holds {data_dir} is full; free some space or set QKV_DATA_DIR")
        make_secret_key(data_dir / "secret-key")
    except OSError as error:
        raise StartError(f"{data_dir} cannot hold the site's data ({error.strerror}); set QKV_DATA_DIR") from error


def make_secret_key(path: Path) -> None:
    """Write this installation's own random key, once."""
    if path.exists() and path.stat().st_size:
        return
    draft = path.with_suffix(".new")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
        file.write(f"{secrets.token_urlsafe(48)}\n")
    draft.replace(path)


def is_loopback(host: str) -> bool:
    """Whether an address reaches this machine only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
