"""`python -m qkvcourse.serve`, behind `make serve`."""

from __future__ import annotations

import fcntl
import http.client
import os
import sys
import time
from pathlib import Path

from qkvcourse.serve.guard import start_guard
from qkvcourse.serve.output import say
from qkvcourse.serve.plan import Plan, check_plan, prepare_data_directory, read_plan
from qkvcourse.serve.processes import StartError
from qkvcourse.serve.services import (
    LOG_IN_MARK,
    plain_environment,
    prepare_program,
    sandbox_check_program,
    site_services,
)
from qkvcourse.serve.supervisor import Supervisor
from qkvcourse.serve.valkey import valkey_program, wait_for_valkey

LOCK_SECONDS = 15.0
READY_SECONDS = 60.0
# The sandbox's table ends with why a tier is not reached, and with what follows from that.
SANDBOX_SENTENCES = 2


def main() -> int:
    """Start everything, watch over it, and stop it in order."""
    try:
        plan = read_plan()
        check_plan(plan)
        prepare_data_directory(plan.data_dir)
        lock = take_lock(plan.data_dir / "serve.lock")
        supervisor = Supervisor(start_guard())
    except StartError as error:
        return refuse(error)
    supervisor.listen()
    try:
        run(supervisor, plan)
    except StartError as error:
        return refuse(error)
    finally:
        say("serve", "stopping")
        supervisor.stop_all()
        os.close(lock)
    say("serve", "stopped")
    return 0


def run(supervisor: Supervisor, plan: Plan) -> None:
    """The life of the site, from the broker's start to the request to stop."""
    if plan.embedded_valkey:
        service = supervisor.start(valkey_program(plan.data_dir, plain_environment()))
        wait_for_valkey(service, plan.data_dir)
    log_ins = prepare(supervisor, plan)
    notice = sandbox_notice(supervisor, plan)
    for program in site_services(plan):
        if supervisor.stop_requests:
            return
        supervisor.start(program)
    if wait_until_ready(supervisor, plan):
        announce(plan, [*notice, *log_ins])
    while not supervisor.stop_requests:
        supervisor.tick()


def prepare(supervisor: Supervisor, plan: Plan) -> list[str]:
    """Bring database and files up to date; return the demo log-ins to print."""
    say("serve", f"preparing {plan.data_dir}")
    status, lines = supervisor.run_once(prepare_program(plan))
    log_ins = [line.removeprefix(LOG_IN_MARK) for line in lines if line.startswith(LOG_IN_MARK)]
    events = [line for line in lines if not line.startswith(LOG_IN_MARK)]
    reason = events.pop() if status and events else "the database could not be prepared"
    for line in events:
        say("prepare", line)
    if status and not supervisor.stop_requests:
        raise StartError(reason)
    return log_ins


def sandbox_notice(supervisor: Supervisor, plan: Plan) -> list[str]:
    """Ask the sandbox what holds here; the site starts in any case, and says what code items lack."""
    status, lines = supervisor.run_once(sandbox_check_program(plan))
    if status and not supervisor.stop_requests:
        return [
            *lines[-SANDBOX_SENTENCES:],
            "Code items are closed until that is mended; everything else works.",
            *weaker_offer(plan),
        ]
    if plan.minimum_tier < 3:  # noqa: PLR2004 -- the full tier
        return [
            f"NOTICE: SANDBOX_MIN_TIER={plan.minimum_tier}: student code runs less isolated; for this machine alone."
        ]
    return []


def weaker_offer(plan: Plan) -> list[str]:
    """What may be done where the full isolation is not to be had."""
    if not plan.is_loopback or plan.minimum_tier == 1:
        return []
    return ["To try the site on this machine alone with weaker isolation: make serve SANDBOX_MIN_TIER=1"]


def wait_until_ready(supervisor: Supervisor, plan: Plan) -> bool:
    """Wait for the site's own word that it is ready; False when it is told to stop before that."""
    deadline = time.monotonic() + READY_SECONDS
    while not supervisor.stop_requests:
        supervisor.tick()
        if is_ready(plan):
            return True
        if time.monotonic() > deadline:
            raise StartError("the site was not ready within a minute; its last words are above")
    return False


def is_ready(plan: Plan) -> bool:
    """Whether /health/ready says so."""
    host = plan.host if plan.is_loopback else "127.0.0.1"
    connection = http.client.HTTPConnection(host, plan.port, timeout=5)
    try:
        connection.request("GET", "/health/ready")
        return connection.getresponse().status == http.HTTPStatus.OK
    except OSError:
        return False
    finally:
        connection.close()


def announce(plan: Plan, lines: list[str]) -> None:
    """Print where the site is and how to get in."""
    for line in [f"ready at {plan.url} (Ctrl-C stops it)", *lines]:
        say("serve", line)


def take_lock(path: Path) -> int:
    """Make sure that no other start uses this data directory; the last one's guard may need a moment to finish."""
    lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    deadline = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.read(lock, 32).decode("ascii", "replace").strip()
            os.lseek(lock, 0, os.SEEK_SET)
            if time.monotonic() > deadline or Path(f"/proc/{holder}").exists():
                raise StartError(f"the site already runs on {path.parent} (process {holder})") from error
            time.sleep(0.1)
        else:
            os.ftruncate(lock, 0)
            os.write(lock, f"{os.getpid()}\n".encode())
            return lock


def refuse(error: StartError) -> int:
    """Say why the site does not start."""
    sys.stderr.write(f"serve: {error}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
