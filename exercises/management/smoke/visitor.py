"""A browser without a window: cookies, redirects, forms with their hidden fields."""

from __future__ import annotations

import http.client
import http.cookiejar
import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

from exercises.management.smoke.page import Node, Page, Surprise, parse

PATIENCE_SECONDS = 20.0
CHECKED_ONLY = frozenset({"radio", "checkbox"})
NO_VALUE = frozenset({"submit", "button", "image", "file", "reset"})


class Visitor:
    """One person at one browser; `origin` is the address of the site."""

    def __init__(self, origin: str) -> None:
        if urlsplit(origin).scheme not in {"http", "https"}:
            raise Surprise(f"{origin!r} is no address of a site: it should begin with http:// or https://")
        self._origin = origin.rstrip("/") + "/"
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self._opener = urllib.request.build_opener(cookies)

    def get(self, path: str) -> Page:
        """Open a page of the site, by its path or its whole address."""
        return self._page(urllib.request.Request(urljoin(self._origin, path)))  # noqa: S310 -- the scheme was checked

    def get_json(self, path: str) -> Mapping[str, Any]:
        """Ask for an answer made for machines; whether it is a refusal is for the caller to read out of it."""
        request = urllib.request.Request(urljoin(self._origin, path))  # noqa: S310 -- the scheme was checked
        _url, body = self._open(request, accepts_refusal=True)
        try:
            answer = json.loads(body)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise Surprise(f"{request.full_url} should answer with JSON and does not")
        return answer

    def submit(
        self, page: Page, form: Node, values: Mapping[str, str], *, headers: Mapping[str, str] | None = None
    ) -> Page:
        """Send a form with these values in its fields. Raises Surprise where it has no such field."""
        fields = _fields(form)
        unknown = values.keys() - fields.keys()
        if unknown:
            raise Surprise(f"the form at {page.url} should have a field {min(unknown)!r} and has none")
        filled = {name: value for name, value in (fields | dict(values)).items() if value is not None}
        request = urllib.request.Request(  # noqa: S310 -- the scheme was checked
            urljoin(page.url, form.attributes.get("action", "")),
            data=urlencode(filled).encode(),
            headers={"Referer": page.url, **(headers or {})},
        )
        return self._page(request)

    def _page(self, request: urllib.request.Request) -> Page:
        url, body = self._open(request)
        return Page(url, parse(body.decode("utf-8", "replace")))

    def _open(self, request: urllib.request.Request, *, accepts_refusal: bool = False) -> tuple[str, bytes]:
        try:
            with self._opener.open(request, timeout=PATIENCE_SECONDS) as response:
                return response.url, response.read()
        except urllib.error.HTTPError as refusal:
            body = refusal.read()
            if accepts_refusal:
                return request.full_url, body
            raise Surprise(_refused(request, refusal.code, body)) from None
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", "") or error
            raise Surprise(f"nothing answered at {request.full_url}: {reason}") from None


def _refused(request: urllib.request.Request, status: int, body: bytes) -> str:
    heading = parse(body.decode("utf-8", "replace")).all("h1")
    words = f" ({heading[0].text()})" if heading else ""
    return f"{request.get_method()} {request.full_url} answered {status}{words}"


def _fields(form: Node) -> dict[str, str | None]:
    """The names of a form's fields, each with what it holds; None for one that holds nothing that would be sent."""
    fields: dict[str, str | None] = {}
    for node in form.all():
        name, kind = node.attributes.get("name", ""), node.attributes.get("type", "text")
        if not name or kind in NO_VALUE:
            continue
        if node.tag == "textarea":
            fields[name] = node.raw_text()
        elif node.tag == "input" and kind not in CHECKED_ONLY:
            fields[name] = node.attributes.get("value", "")
        elif node.tag == "input":
            chosen = node.attributes.get("value", "on") if "checked" in node.attributes else None
            fields[name] = chosen or fields.get(name)
    return fields
