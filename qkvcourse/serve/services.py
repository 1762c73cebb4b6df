"""The site's services: their command lines, and what each may find in its environment."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from qkvcourse.serve.plan import Plan
from qkvcourse.serve.processes import Program

# A run of student code ends within seconds; a worker is given the time to finish it and to hand the outcome on.
WORKER_PATIENCE_SECONDS = 20.0
SITE_WORKER_PROCESSES = 2
# What the preparation prints with this in front is shown at the end of the start.
LOG_IN_MARK = "log-in: "
# Celery repeats at each start that it runs as root, or as a user without a name. The jail leaves either before any
# student's code runs.
QUIET = [
    *("-W", "ignore:You're running the worker with superuser privileges"),
    *("-W", "ignore:An entry for the specified gid or egid was not found"),
]
# Variables a sandbox worker may inherit. Everything else stays out: above all SECRET_KEY and DATABASE_URL.
GRADER_NAMES = frozenset({"PATH", "HOME", "LANG", "TMPDIR", "TZ", "PYTHONUNBUFFERED"})
GRADER_PREFIXES = ("LC_", "OPENBLAS_", "SANDBOX_")


def site_environment(plan: Plan) -> dict[str, str]:
    """What the processes with Django in them read."""
    environment = {**plain_environment(), "QKV_DATA_DIR": str(plan.data_dir), "REDIS_URL": plan.redis_url}
    # The address of the broker has been read already, from whichever of the two variables held it.
    environment.pop("REDIS_URL_FILE", None)
    environment.setdefault("SITE_URL", plan.url)
    environment.setdefault("LOG_FORMAT", "line")
    environment["DJANGO_SETTINGS_MODULE"] = "qkvcourse.settings"
    environment["WEB_THREADS"] = str(plan.web_threads)
    return environment


def grader_environment(plan: Plan) -> dict[str, str]:
    """What the sandbox worker reads: the broker's address and its own limits, no secret of the site."""
    inherited = {
        name: value
        for name, value in plain_environment().items()
        if name in GRADER_NAMES or name.startswith(GRADER_PREFIXES)
    }
    return {**inherited, "REDIS_URL": plan.redis_url, "SANDBOX_MIN_TIER": str(plan.minimum_tier)}


def plain_environment() -> dict[str, str]:
    """Our own environment, without the switch that would make every start compile every module anew."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def site_services(plan: Plan) -> Iterator[Program]:
    """The services that need a prepared database, in the order of their start."""
    yield Program(
        name="site",
        command=[
            *celery_worker("qkvcourse", "results,site", SITE_WORKER_PROCESSES),
            "--beat",
            f"--schedule={plan.data_dir / 'beat-schedule'}",
        ],
        environment=site_environment(plan),
        patience_seconds=WORKER_PATIENCE_SECONDS,
    )
    yield Program(
        name="grader",
        command=celery_worker("grader.worker", "interactive", plan.grader_processes),
        environment=grader_environment(plan),
        is_essential=False,
        patience_seconds=WORKER_PATIENCE_SECONDS,
    )
    yield web_program(plan, site_environment(plan))


def celery_worker(application: str, queues: str, processes: int) -> list[str]:
    """A prefork worker of an application on its queues."""
    return [
        *(sys.executable, *QUIET, "-m", "celery", "--quiet", "-A", application, "worker", "-P", "prefork"),
        *("-c", str(processes), "-Q", queues, "--without-mingle", "--without-gossip", "--loglevel=INFO"),
        f"--hostname={application}@%h",
    ]


def web_program(plan: Plan, environment: Mapping[str, str]) -> Program:
    """The web server. It prints no access log: the site writes one line for each request itself."""
    return Program(
        name="web",
        command=[
            *(sys.executable, "-m", "granian", "--interface", "wsgi", "--host", plan.host, "--port", str(plan.port)),
            *("--workers", str(plan.web_processes), "--blocking-threads", str(plan.web_threads)),
            *("--no-ws", "--respawn-failed-workers", "--workers-kill-timeout", "5", "--log-level", "error"),
            "qkvcourse.wsgi:application",
        ],
        environment=environment,
    )


def prepare_program(plan: Plan) -> Program:
    """The one-off process that brings database and static files up to date."""
    command: list[str | Path] = [sys.executable, "-m", "qkvcourse.serve.prepare"]
    if plan.is_loopback:
        command.append("--demo")
    return Program(name="prepare", command=command, environment=site_environment(plan))


def sandbox_check_program(plan: Plan) -> Program:
    """The sandbox's own self-test."""
    command = [sys.executable, "-m", "grader.sandbox", "check"]
    return Program(name="sandbox", command=command, environment=grader_environment(plan))
