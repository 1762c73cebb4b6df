"""What a load balancer, a supervisor or a monitor asks: is the process alive, can it serve?"""

from __future__ import annotations

from functools import cache

from django.conf import settings
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis import Redis
from redis.exceptions import RedisError

from exercises import dispatch

ANSWER_SECONDS = 1.0
CODE_WAITS = "code exercises wait: no sandbox worker lives that may run code"


@require_safe
@never_cache
def live(request: HttpRequest) -> JsonResponse:  # noqa: ARG001 -- the signature of a view
    """This process answers."""
    return JsonResponse({"status": "live"})


@require_safe
@never_cache
def ready(request: HttpRequest) -> JsonResponse:  # noqa: ARG001 -- the signature of a view
    """Database, schema and broker are there: 200, or 503 with what is missing.

    Without its broker or a sandbox worker the site still serves pages and marks numbers; only code submissions wait. So
    these are reported and do not make the site unready.
    """
    checks = {"database": database_answers(), "migrations": schema_is_current(), "broker": broker_answers()}
    is_ready = checks["database"] and checks["migrations"]
    tier = sandbox_tier()
    told = {"status": "ready" if is_ready else "not ready", "checks": checks, "sandbox_tier": tier}
    return JsonResponse(told if tier else {**told, "notice": CODE_WAITS}, status=200 if is_ready else 503)


def database_answers() -> bool:
    """Whether the database answers a query."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        return False
    return True


def schema_is_current() -> bool:
    """Whether every migration of this version is applied."""
    try:
        _require_current_schema()
    except (Error, SchemaBehindError):
        return False
    return True


def broker_answers() -> bool:
    """Whether Valkey answers a PING."""
    try:
        return bool(_client().ping())
    except RedisError:
        return False


def sandbox_tier() -> int | None:
    """The weakest tier in which a living sandbox worker runs code, since any may take the next job; None without one."""
    try:
        return min(filter(None, dispatch.sandbox_tiers()), default=None)
    except dispatch.BrokerAway:
        return None


class SchemaBehindError(Exception):
    """A migration of this version is not applied."""


@cache
def _require_current_schema() -> None:
    # The question is slow and a yes stays a yes, so a yes is kept; an exception is never kept.
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise SchemaBehindError


@cache
def _client() -> Redis:
    return Redis.from_url(settings.REDIS_URL, socket_connect_timeout=ANSWER_SECONDS, socket_timeout=ANSWER_SECONDS)
