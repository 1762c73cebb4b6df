"""Where the parts of an installation find each other, worked out from its data directory."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from urllib.parse import quote

# Linux keeps a socket's path in 108 bytes, the closing zero included.
LONGEST_SOCKET_PATH = 107
LONGEST_SOCKET_NAME = len("/valkey.sock")


def run_directory(data_dir: Path) -> Path:
    """The directory of an installation's sockets: inside its data, or a short private one where that path is too long."""
    inside = data_dir / "run"
    if len(os.fsencode(inside)) + LONGEST_SOCKET_NAME + len(".s.PGSQL.5432") <= LONGEST_SOCKET_PATH:
        return inside
    mark = hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"qkv-{os.geteuid()}-{mark}"


def valkey_socket(data_dir: Path) -> Path:
    """The socket of the embedded Valkey."""
    return run_directory(data_dir) / "valkey.sock"


def unix_url(socket: Path) -> str:
    """A socket path as redis-py's address."""
    return f"unix://{quote(str(socket))}?db=0"
