"""docker-compose.yml without an engine: its form, its hardness, and that all it names exists in the code."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from celery.bin.worker import worker
from django.urls import resolve
from granian.cli import cli as granian

from exercises import dispatch
from tests.deploy.compose import FILE, INSIDE, ROOT, compose, environment_of, options_of, services

BIN = Path(sys.executable).parent
OURS = ["prepare", "web", "site-worker", "grader"]
CELERY = ["site-worker", "grader"]
# What is in each image: see deploy/Dockerfile.
PACKAGES = {"web": ["qkvcourse", "exercises", "grader"], "grader": ["grader"]}


def command_of(name: str) -> list[str]:
    return services()[name]["command"]


def target_of(name: str) -> str:
    return services()[name]["build"]["target"]


def test_form_is_that_of_the_compose_specification():
    subprocess.run([BIN / "check-jsonschema", "--builtin-schema", "vendor.compose-spec", FILE], check=True)


def test_linter_finds_nothing_worse_than_tags_without_digests():
    checked = subprocess.run(
        [BIN / "compose-lint", "check", "--format", "json", "--no-env", FILE], capture_output=True, check=True
    )
    assert {finding["rule_id"] for finding in findings(json.loads(checked.stdout))} <= {"CL-0019"}


def findings(report: object) -> list[dict]:
    if isinstance(report, dict):
        own = [report] if "rule_id" in report else []
        return own + [each for value in report.values() for each in findings(value)]
    return [each for value in report for each in findings(value)] if isinstance(report, list) else []


@pytest.mark.parametrize("name", services())
def test_every_service_is_hardened(name):
    service = services()[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert {"pids_limit", "mem_limit", "cpus", "networks"} <= service.keys()
    assert "privileged" not in service
    assert name == "prepare" or {"healthcheck", "stop_grace_period"} <= service.keys()


@pytest.mark.parametrize("name", OURS)
def test_what_we_build_runs_as_nobody_with_no_capability(name):
    service = services()[name]
    assert "cap_add" not in service
    assert re.fullmatch(r"(1000[12]):\1", service["user"])
    dockerfile = (ROOT / "deploy" / "Dockerfile").read_text("utf-8")
    stage = dockerfile.split(f" AS {target_of(name)}\n")[1].split("\nFROM")[0]
    assert f"USER {service['user']}\n" in stage


def test_grader_reaches_valkey_and_nothing_else():
    grader = services()["grader"]
    others = {name for name, service in services().items() if {"grading"} & set(service["networks"])}
    assert grader["networks"] == ["grading"]
    assert compose()["networks"]["grading"] == {"internal": True}
    assert others == {"grader", "valkey"}
    assert "volumes" not in grader
    assert "ports" not in grader


def test_grader_knows_no_secret_of_the_site():
    grader = services()["grader"]
    assert grader["secrets"] == ["grader_redis_url"]
    assert sorted(grader["environment"]) == ["REDIS_URL_FILE", "SANDBOX_MIN_TIER"]
    assert grader["environment"]["SANDBOX_MIN_TIER"] == "2"
    assert grader["security_opt"][1] == "seccomp=./deploy/seccomp-grader.json"
    assert (ROOT / "deploy" / "seccomp-grader.json").exists()


def test_only_the_web_server_is_published_and_only_to_this_machine():
    published = {name: service["ports"] for name, service in services().items() if "ports" in service}
    port = options_of(command_of("web"))["--port"]
    assert published == {"web": [f"127.0.0.1:${{PORT:-8000}}:{port}"]}


@pytest.mark.parametrize("name", services())
def test_secrets_are_files_that_are_granted_and_made(name, tmp_path):
    environment = environment_of(name, tmp_path) if "environment" in services()[name] else {}
    words = [
        *environment.values(),
        *(word.replace(INSIDE, f"{tmp_path}/") for word in services()[name].get("command", [])),
    ]
    used = {Path(word).name for word in words if word.startswith(f"{tmp_path}/")}
    assert used == set(services()[name].get("secrets", []))
    for secret in used:
        assert compose()["secrets"][secret] == {"file": f"./deploy/secrets/{secret}"}
        assert environment == {} or (tmp_path / secret).stat().st_mode & 0o777 == 0o444


@pytest.mark.parametrize("name", OURS)
def test_every_variable_is_read_by_the_code_of_its_image(name):
    sources = [path for package in PACKAGES[target_of(name)] for path in (ROOT / package).rglob("*.py")]
    code = "\n".join(path.read_text("utf-8") for path in sources)
    unread = [each for each in services()[name]["environment"] if f'"{each.removesuffix("_FILE")}"' not in code]
    assert unread == []


@pytest.mark.parametrize("name", ["web", "site-worker", "prepare"])
def test_settings_load_from_the_environment_of_the_service(name, tmp_path):
    environment = environment_of(name, tmp_path) | {"QKV_DATA_DIR": str(tmp_path)}
    environment = {key: re.sub(r"\$\{\w+:-(.*)\}", r"\1", value) for key, value in environment.items()}
    environment["SITE_URL"] = "https://course.example.org"
    show = (
        "import json, qkvcourse.settings as s; d = s.DATABASES['default'];"
        "print(json.dumps([d['HOST'], d['USER'], d['NAME'], s.CELERY_BROKER_URL.split(':')[1], s.PROXY_COUNT,"
        " s.WEB_THREADS, s.SECRET_KEY]))"
    )
    shown = subprocess.run([sys.executable, "-c", show], env=environment, cwd=ROOT, capture_output=True, check=True)
    secret_key = (tmp_path / "secret_key").read_text().strip()
    assert json.loads(shown.stdout) == ["postgres", "qkv", "qkv", "//site", 1, 16, secret_key]


def test_web_threads_are_what_the_settings_were_told():
    web = services()["web"]
    assert options_of(web["command"])["--blocking-threads"] == web["environment"]["WEB_THREADS"]


def test_every_module_exists():
    words = [word for name in OURS for word in module_words(command_of(name))]
    words += module_words(services()["grader"]["healthcheck"]["test"])
    assert words == ["qkvcourse.serve.prepare", "granian", "qkvcourse", "grader.worker", "grader.sandbox"]
    assert [word for word in words if importlib.util.find_spec(word) is None] == []


def module_words(command: list[str]) -> list[str]:
    return [command[place + 1] for place, word in enumerate(command) if word in {"-m", "-A"}]


def test_every_option_exists():
    known = {option for parameter in granian.params for option in [*parameter.opts, *parameter.secondary_opts]}
    assert options_of(command_of("web")).keys() - known == set()
    known = {option for parameter in worker.params for option in [*parameter.opts, *parameter.secondary_opts]}
    for name in CELERY:
        assert options_of(command_of(name)).keys() - known - {"--quiet"} == set()


def test_every_queue_is_served_once():
    served = [queue for name in CELERY for queue in options_of(command_of(name))["--queues"].split(",")]
    assert sorted(served) == sorted([dispatch.INTERACTIVE, dispatch.RESULTS, dispatch.SITE])
    assert options_of(command_of("grader"))["--queues"] == dispatch.INTERACTIVE


def test_health_check_asks_an_address_that_exists():
    asked = re.search(r"http://127\.0\.0\.1:(\d+)(/\S+?)\"", services()["web"]["healthcheck"]["test"][-1])
    assert asked[1] == options_of(command_of("web"))["--port"]
    assert resolve(asked[2]).url_name == "health_ready"


def test_workers_are_given_the_time_to_finish_a_task():
    grace = [services()[name]["stop_grace_period"] for name in CELERY]
    assert grace == ["70s", "70s"]  # task_time_limit is 60 s


def test_image_copies_what_exists_and_ignores_everything_else():
    copied = re.findall(r"^COPY (?!--from)(\S+)", (ROOT / "deploy" / "Dockerfile").read_text("utf-8"), re.MULTILINE)
    allowed = re.findall(r"^!(\S+)", (ROOT / "deploy" / "Dockerfile.dockerignore").read_text("utf-8"), re.MULTILINE)
    assert set(copied) == set(allowed)
    assert [name for name in copied if not (ROOT / name).exists()] == []
