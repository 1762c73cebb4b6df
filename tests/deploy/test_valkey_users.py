"""The users of Valkey: the sandbox worker does all of its work with the few rights it has, and nothing else."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from celery import Celery, chain, signature
from kombu import Connection
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError, NoPermissionError
from redis.retry import Retry

from exercises import dispatch
from grader import sandbox
from grader.bank import read_content
from qkvcourse.serve import processes
from qkvcourse.serve.valkey import valkey_binary
from scripts.deploy_secrets import make_secrets
from tests.deploy.compose import ROOT, services
from tests.exercises.responses import RIGHT_CODE

CONTENT = ROOT / "tests" / "exercises" / "content"
TICKET = "a" * 64
PATIENCE_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Broker:
    """A Valkey with the users that docker-compose.yml gives it."""

    directory: Path
    port: int

    def url(self, user: str) -> str:
        """The address for a user, here instead of in the container's network."""
        told = (self.directory / f"{user}_redis_url").read_text().strip()
        return told.replace("@valkey:6379", f"@127.0.0.1:{self.port}")

    def client(self, user: str) -> Redis:
        """A connection of that user."""
        return Redis.from_url(self.url(user), decode_responses=True)


@pytest.fixture(scope="module")
def broker_with_users(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    directory = tmp_path_factory.mktemp("users")
    make_secrets(directory)
    with socket.create_server(("127.0.0.1", 0)) as free:
        broker = Broker(directory, free.getsockname()[1])
    told = services()["valkey"]["command"][1:]
    command = [word.replace("/run/secrets/", f"{directory}/").replace("/data", str(directory)) for word in told]
    address = ["--port", str(broker.port), "--bind", "127.0.0.1", "--loglevel", "warning"]
    program = processes.Program(name="valkey", command=[valkey_binary(), *command, *address], environment={})
    service = processes.start(program, output=subprocess.DEVNULL)
    wait_until(lambda: answers(broker.port))
    yield broker
    processes.stop(service)


@pytest.fixture
def emptied(broker_with_users: Broker) -> Broker:
    with broker_with_users.client("site") as site:
        for key in site.scan_iter():
            site.delete(key)
    return broker_with_users


def answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            connection.sendall(b"PING\r\n")
            return connection.recv(16) == b"+PONG\r\n"
    except OSError:
        return False


def wait_until(holds) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


def send_job(broker: Broker) -> None:
    """Queue a submission as the site does, with the rights that the site has."""
    items = [item for lesson in read_content(CONTENT)[0].lessons for item in lesson.items]
    definition = next(item.definition for item in items if item.slug == "program")
    job = dispatch.GradeCodeJob(ticket=TICKET, definition=definition, seed=1, code=RIGHT_CODE)
    app = Celery("site", broker=broker.url("site"), set_as_current=False)
    steps = (
        signature(dispatch.GRADE_CODE, args=[job], app=app).set(queue=dispatch.INTERACTIVE),
        signature(dispatch.RECORD_OUTCOME, app=app).set(queue=dispatch.RESULTS),
    )
    chain(*steps, app=app).apply_async()
    app.close()


def transport_options(broker: Broker) -> dict[str, Any]:
    """What the worker tells kombu. Asked in a process of its own: its Celery application would become this one's."""
    show = "import json, grader.worker as w; print(json.dumps(w.app.conf.broker_transport_options))"
    environment = {"REDIS_URL": broker.url("grader"), "PYTHONPATH": str(ROOT)}
    shown = subprocess.run([sys.executable, "-c", show], env=environment, capture_output=True, check=True)
    return json.loads(shown.stdout)


@pytest.mark.jail
def test_sandbox_worker_of_the_compose_file_does_a_job_with_its_own_rights(emptied):
    if sandbox.describe().tier < 1:
        pytest.skip("no tier of the sandbox holds here: `python -m grader.sandbox check` says why")
    command = [sys.executable, "-m", *services()["grader"]["command"]]
    log = emptied.directory / "worker.log"
    environment = {"REDIS_URL": emptied.url("grader"), "SANDBOX_MIN_TIER": "1", "PYTHONPATH": str(ROOT)}
    with log.open("wb") as output, emptied.client("site") as site:
        service = processes.start(
            processes.Program(name="grader", command=command, environment=environment), output=output.fileno()
        )
        send_job(emptied)
        wait_until(lambda: site.llen(dispatch.RESULTS) == 1)
        wait_until(lambda: site.exists("grader:unacked") == 0)
        wait_until(lambda: any(site.scan_iter("heartbeat:*")))
        processes.stop(service)
        assert '"task": "exercises.record_outcome"' in site.lindex(dispatch.RESULTS, 0)
        assert site.llen(dispatch.INTERACTIVE) == 0
        assert 0 < site.ttl(f"held:{TICKET}") <= 30
    assert b"ermission" not in log.read_bytes()


def test_job_of_a_worker_that_died_is_put_back_with_the_same_rights(emptied):
    options = {**transport_options(emptied), "visibility_timeout": 0}
    send_job(emptied)
    with Connection(emptied.url("grader"), transport_options=options) as connection, emptied.client("site") as site:
        channel = connection.default_channel
        channel.basic_consume(dispatch.INTERACTIVE, no_ack=False, callback=print, consumer_tag="dies")
        connection.drain_events(timeout=2)
        assert (site.llen(dispatch.INTERACTIVE), site.hlen("grader:unacked")) == (0, 1)
        channel.qos.restore_visible(start=0, num=10, interval=1)
        assert (site.llen(dispatch.INTERACTIVE), site.hlen("grader:unacked")) == (1, 0)


FORBIDDEN = [
    ["RPOP", "results"],
    ["LRANGE", "results", "0", "-1"],
    ["DEL", "results"],
    ["LPUSH", "site", "x"],
    ["HGETALL", "unacked"],
    ["HGET", "unacked", "x"],
    ["RPUSH", f"wake:{TICKET}", "1"],
    ["SET", "wake:x", "1"],
    ["GET", "anything"],
    ["GET", "heartbeat:x"],
    ["DEL", "heartbeat:x"],
    ["KEYS", "*"],
    ["SCAN", "0"],
    ["PUBLISH", "/0.celery.pidbox", "shutdown"],
    ["SUBSCRIBE", "/0.celery.pidbox"],
    ["SADD", "_kombu.binding.celery.pidbox", "x"],
    ["FLUSHALL"],
    ["CONFIG", "GET", "*"],
    ["ACL", "LIST"],
    ["ACL", "WHOAMI"],
    ["CLIENT", "LIST"],
    ["CLIENT", "KILL", "USER", "site"],
    ["SHUTDOWN"],
    ["MONITOR"],
    ["SAVE"],
    ["EVAL", "return redis.call('RPOP', 'results')", "0"],
    ["EVAL", "return redis.call('GET', KEYS[1])", "1", "held:x"],
]


@pytest.mark.parametrize("words", FORBIDDEN, ids=" ".join)
def test_sandbox_workers_user_may_do_nothing_else(emptied, words):
    with emptied.client("site") as site, emptied.client("grader") as grader:
        site.lpush(dispatch.RESULTS, "an outcome")
        site.hset("unacked", "x", "y")
        with pytest.raises(Exception, match=r"(?i)permission|can't access|NOPERM") as refusal:
            grader.execute_command(*words)
        assert isinstance(refusal.value, NoPermissionError) or "EVAL" in words
        assert (site.llen(dispatch.RESULTS), site.hlen("unacked")) == (1, 1)


def test_whoever_has_no_password_may_only_ask_whether_it_is_there(emptied):
    once = Retry(NoBackoff(), 0)
    with Redis(port=emptied.port, retry=once) as stranger:
        assert stranger.ping() is True
        for words in (["GET", "x"], ["LLEN", "interactive"], ["INFO"], ["KEYS", "*"]):
            with pytest.raises(NoPermissionError):
                stranger.execute_command(*words)
    guesser = Redis(port=emptied.port, username="site", password="guess", retry=once)
    with guesser, pytest.raises(AuthenticationError):
        guesser.ping()


def test_sites_user_does_all_that_the_site_does(emptied):
    with emptied.client("site") as site:
        site.set(f"held:{TICKET}", "1")
        site.rpush(f"wake:{TICKET}", "1")
        assert site.expire(f"wake:{TICKET}", 60)
        assert site.blpop([f"wake:{TICKET}"], timeout=1) == (f"wake:{TICKET}", "1")
        assert (site.exists(f"held:{TICKET}"), site.lindex("interactive", -1), site.llen("results")) == (1, None, 0)
        with pytest.raises(NoPermissionError):
            site.flushall()


def test_site_worker_of_the_compose_file_answers_its_health_check(emptied):
    environment = os.environ | {"REDIS_URL": emptied.url("site"), "HOSTNAME": socket.gethostname()}
    told = [word for word in services()["site-worker"]["command"] if not word.startswith(("--beat", "--schedule"))]
    deadline = time.monotonic() + PATIENCE_SECONDS
    check = services()["site-worker"]["healthcheck"]["test"][1].replace("$$", "$")
    with (emptied.directory / "site-worker.log").open("wb") as output:
        service = processes.start(
            processes.Program(name="site", command=[sys.executable, "-m", *told], environment=environment),
            output=output.fileno(),
        )
        in_shell = ["sh", "-c", f"{sys.executable} -m {check}"]
        checked = subprocess.run(in_shell, env=environment, cwd=ROOT, capture_output=True, check=False)
        while checked.returncode and time.monotonic() < deadline:
            checked = subprocess.run(in_shell, env=environment, cwd=ROOT, capture_output=True, check=False)
        processes.stop(service)
    assert checked.returncode == 0, checked.stderr
