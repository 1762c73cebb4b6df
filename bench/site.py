"""A site of one's own to measure: started as `make serve` starts it, in a temporary data directory, and ended."""

from __future__ import annotations

import json
import os
import socket
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from qkvcourse.serve.processes import Program, Service, start, stop

READY_SECONDS = 120.0
STOP_SECONDS = 60.0
READY_WORDS = "ready at"


@dataclass(frozen=True, slots=True)
class Site:
    """A running site, the file of its log-ins, and what it has printed so far."""

    url: str
    logins: Path
    log: Path

    def passwords(self) -> Mapping[str, str]:
        """The demo accounts."""
        return dict(json.loads(self.logins.read_text(encoding="utf-8")))


@contextmanager
def running_site(**variables: str) -> Iterator[Site]:
    """Start a site with these settings on a free port; nothing of it is left afterwards."""
    with tempfile.TemporaryDirectory(prefix="qkv-site-") as directory:
        data_dir, port = Path(directory) / "data", free_port()
        site = Site(f"http://127.0.0.1:{port}", data_dir / "demo-logins.json", Path(directory) / "log")
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}
        environment = {**kept, "QKV_DATA_DIR": str(data_dir), "PORT": str(port), **variables}
        program = Program(
            name="site",
            command=[sys.executable, "-m", "qkvcourse.serve"],
            environment=environment,
            patience_seconds=STOP_SECONDS,
        )
        with site.log.open("wb") as log:
            service = start(program, output=log.fileno())
        try:
            wait_until_ready(site, service)
            yield site
        finally:
            stop(service)


def wait_until_ready(site: Site, service: Service) -> None:
    """Return when the site says that it is ready. Raises RuntimeError with its words where it does not come to that."""
    deadline = time.monotonic() + READY_SECONDS
    while READY_WORDS not in (printed := site.log.read_text(encoding="utf-8", errors="replace")):
        if service.process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"the site did not start:\n{printed}")
        time.sleep(0.05)


def free_port() -> int:
    """A port that nobody uses at this moment."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])
