"""Request headers with a meaning of their own: Prefer (RFC 7240) and Idempotency-Key."""

from __future__ import annotations

import hashlib
import json
import re

from rest_framework.request import Request

from exercises.api import words
from exercises.api.problems import refuse

LONGEST_WAIT_SECONDS = 2.0
_WAIT = re.compile(r"(?:^|[,;])\s*wait\s*=\s*\"?([0-9]{1,4})\"?\s*(?=$|[,;])", re.IGNORECASE)
_KEY = re.compile(r"[\x21-\x7e]{1,255}")


def seconds_to_wait(request: Request) -> float:
    """How long the caller would wait for a verdict, two seconds at most. A preference that says nothing is no error."""
    found = _WAIT.search(request.headers.get("Prefer", ""))
    return min(float(found[1]), LONGEST_WAIT_SECONDS) if found else 0.0


def idempotency_key(request: Request) -> str | None:
    """The key, if the caller gives one. Raises Refusal for one that is malformed."""
    key = request.headers.get("Idempotency-Key")
    if key is not None and not _KEY.fullmatch(key):
        raise refuse(400, "invalid_idempotency_key", words.KEY_MALFORMED)
    return key


def fingerprint(request: Request) -> str:
    """What tells two requests apart: method, address and the value of the body."""
    body = json.dumps(request.data, sort_keys=True)
    return hashlib.sha256(f"{request.method} {request.path} {body}".encode("ascii", "backslashreplace")).hexdigest()
