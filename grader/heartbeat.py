"""A sign of life: while a sandbox worker lives, its key tells in which tier it runs code.

The site only shows it. No job waits for it, and none is sent again because of it.
"""

from __future__ import annotations

import logging
import os
from threading import Event, Thread

from redis import Redis
from redis.exceptions import RedisError

from grader.broker import redis_url_from_environment
from grader.sandbox import describe, minimum_tier_from

log = logging.getLogger(__name__)

LIFE_SECONDS = 30
BEAT_SECONDS = 10


class Heartbeat:
    """Sets `heartbeat:<name>` every ten seconds, from a thread of its own, until it is stopped."""

    def __init__(self, name: str) -> None:
        self._key = f"heartbeat:{name}"
        self._over = Event()
        self._thread = Thread(target=self._beat, name="heartbeat", daemon=True)

    def start(self) -> None:
        """Begin; finding out the tier takes a moment, and the worker need not wait for it."""
        self._thread.start()

    def stop(self) -> None:
        """End; the key is gone at the latest when its life is over."""
        self._over.set()

    def _beat(self) -> None:
        tier = str(tier_here())
        with Redis.from_url(redis_url_from_environment(), socket_timeout=5, socket_connect_timeout=2) as client:
            while True:
                self._set(client, tier)
                if self._over.wait(BEAT_SECONDS):
                    return

    def _set(self, client: Redis, tier: str) -> None:
        try:
            client.set(self._key, tier, ex=LIFE_SECONDS)
        except RedisError as error:
            log.warning("no heartbeat: %s", error)


def tier_here() -> int:
    """The tier in which this machine runs code; 0 where it is below SANDBOX_MIN_TIER, since none is run then."""
    tier = describe().tier
    return tier if tier >= minimum_tier_from(os.environ) else 0
