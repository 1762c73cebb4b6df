"""Lists that grow come in pages: a bounded number of rows, and the address of the next ones.

A page is found by the last row of the one before it, not by counting rows: what is added meanwhile neither repeats nor
hides a row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core import signing
from rest_framework.request import Request
from rest_framework.response import Response

from exercises.api import words
from exercises.api.problems import Refusal, refuse

PARAMETERS = frozenset({"cursor", "limit"})
USUAL_LIMIT = 50
MOST_LIMIT = 200
SALT = "exercises.api.cursor"


@dataclass(frozen=True, slots=True)
class Window:
    """Which part of a list is asked for: at most `limit` rows after the row with this key."""

    after: int
    limit: int


def read_window(request: Request) -> Window:
    """What `cursor` and `limit` ask for. Raises Refusal."""
    limit = request.query_params.get("limit", str(USUAL_LIMIT))
    if not (limit.isascii() and limit.isdecimal() and len(limit) < len(str(MOST_LIMIT)) + 1):
        raise _wrong_limit()
    if not 1 <= int(limit) <= MOST_LIMIT:
        raise _wrong_limit()
    cursor = request.query_params.get("cursor")
    return Window(after=0 if cursor is None else _key(request, cursor), limit=int(limit))


def answer_page(request: Request, rows: Sequence[Any] | Mapping[str, Any], next_after: int | None) -> Response:
    """A page in its envelope, with the address of the next one in the body and in a Link header."""
    if next_after is None:
        return Response({"results": rows, "next": None})
    # A cursor belongs to its list: it opens no other.
    cursor = signing.dumps(next_after, salt=f"{SALT}:{request.path}")
    query = request.query_params.copy()
    query["cursor"] = cursor
    address = request.build_absolute_uri(f"{request.path}?{query.urlencode()}")
    return Response({"results": rows, "next": address}, headers={"Link": f'<{address}>; rel="next"'})


def _key(request: Request, cursor: str) -> int:
    try:
        return int(signing.loads(cursor, salt=f"{SALT}:{request.path}"))
    except signing.BadSignature:
        raise refuse(400, "invalid_cursor", words.CURSOR_WRONG) from None


def _wrong_limit() -> Refusal:
    return refuse(400, "invalid_limit", words.LIMIT_WRONG.fill(most=str(MOST_LIMIT)))
