"""The smoke walk against a site that was really started, and against what else may stand at its address."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from bench.site import Site
from exercises.management.smoke.numbers import givens_of, in_cells, product
from exercises.management.smoke.page import Page, Surprise, parse
from exercises.management.smoke.visitor import Visitor

READY = '{"status": "ready", "checks": {"database": true, "broker": true}}'


@pytest.fixture
def logins(tmp_path: Path) -> Path:
    path = tmp_path / "logins.json"
    path.write_text(json.dumps({"demo-student-2": "s", "demo-instructor": "i"}))
    return path


def smoke(url: str, logins: Path, *options: str) -> list[str]:
    """The lines that the command prints."""
    out = io.StringIO()
    call_command("smoke", "--url", url, "--logins", str(logins), *options, stdout=out)
    return out.getvalue().splitlines()


@contextmanager
def stranger(answers: dict[str, tuple[int, str]]) -> Iterator[str]:
    """A server with these answers by path; everything else is 404."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body = answers.get(self.path, (404, "<h1>Nothing here</h1>"))
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.e2e
@pytest.mark.jail
@pytest.mark.xdist_group("serve")
def test_walk_goes_through_in_both_languages_and_not_with_another_password(started_site: Site, logins: Path):
    chinese = smoke(started_site.url, started_site.logins)
    english = smoke(started_site.url, started_site.logins, "--language", "en")

    assert [len(lines) for lines in (chinese, english)] == [13, 13]
    assert [lines[-1].split("  ")[-1] for lines in (chinese, english)] == ["in all: everything is as it should be"] * 2
    assert chinese[3].endswith("wrong numbers are named: 用错了矩阵")
    assert english[3].endswith("wrong numbers are named: The wrong matrix")
    assert english[5].endswith("wrong code is named: The bias is missing")
    with pytest.raises(CommandError, match="demo-student-2 is not let in; is the password still"):
        smoke(started_site.url, logins)


def test_address_where_nobody_listens_is_told(logins: Path):
    with pytest.raises(CommandError, match=r"nothing answered at http://127\.0\.0\.1:1/health/ready: .*refused"):
        smoke("http://127.0.0.1:1", logins)


def test_address_that_is_none_is_told(logins: Path):
    with pytest.raises(CommandError, match="'ftp://x' is no address of a site"):
        smoke("ftp://x", logins)


def test_site_that_is_not_ready_says_what_is_missing(logins: Path):
    broken = '{"status": "unready", "checks": {"database": true, "broker": false}}'
    with (
        stranger({"/health/ready": (503, broken)}) as url,
        pytest.raises(CommandError, match="not as it should be: broker"),
    ):
        smoke(url, logins)


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ({"/health/ready": (200, "hello")}, "/health/ready should answer with JSON and does not"),
        ({"/health/ready": (200, "{}")}, "/health/ready should tell of its checks and does not"),
        ({"/health/ready": (200, READY)}, r"GET http://.*/zh-hans/ answered 404 \(Nothing here\)"),
        ({"/health/ready": (200, READY), "/zh-hans/": (200, "<p>hi")}, "should ask a stranger to sign in and does not"),
    ],
)
def test_something_else_at_the_address_is_told(answers: dict[str, tuple[int, str]], words: str, logins: Path):
    with stranger(answers) as url, pytest.raises(CommandError, match=words):
        smoke(url, logins)


@pytest.mark.parametrize("text", ["", "[1]", "{}"])
def test_file_without_log_ins_is_told(text: str, tmp_path: Path):
    path = tmp_path / "logins.json"
    path.write_text(text)
    with pytest.raises(CommandError, match=r"logins\.json"):
        smoke("http://127.0.0.1:1", path)


def test_file_of_log_ins_that_is_missing_is_told_with_what_writes_it(tmp_path: Path):
    with pytest.raises(CommandError, match=r"`manage\.py make_demo` writes that file"):
        smoke("http://127.0.0.1:1", tmp_path / "none.json")


def test_page_is_searched_by_tag_class_and_attribute():
    root = parse('<ul class="a b"><li id="one">x <b>y</b><br> z<li id="two"></ul><p>after</p>')
    assert root.one("ul", css="b").one(id="one").text() == "x y z"
    assert root.has("li", id="two")
    assert [node.text() for node in root.all("p")] == ["after"]
    with pytest.raises(Surprise, match=r'the page should hold p\.c\[id="one"\] and does not'):
        root.one("p", css="c", id="one")


def test_numbers_are_read_from_formulas_multiplied_and_laid_into_cells():
    matrix = "<mtable><mtr><mtd><mo>\N{MINUS SIGN}</mo><mn>1</mn></mtd><mtd><mn>0.5</mn></mtd></mtr></mtable>"
    box = f'<div class="givens"><div role="group" aria-label="Given x"><math>{matrix}</math></div></div>'
    given = givens_of(parse(box))
    assert given == {"x": [[Decimal(-1), Decimal("0.5")]]}
    assert in_cells({"q": product(given["x"], [[Decimal(2)], [Decimal(10)]])}) == {"q-0-0": "3"}


def test_given_that_is_no_number_is_a_surprise():
    box = '<div class="givens"><p role="group" aria-label="x"><mtable><mtr><mtd>1/</mtd></mtr></mtable></p></div>'
    with pytest.raises(Surprise, match="should hold a number, and holds '1/'"):
        givens_of(parse(box))


def test_form_without_the_field_that_is_filled_in_is_a_surprise():
    page = Page(
        "http://127.0.0.1:1/", parse('<form><input name="kept" value="1"><input name="sent" type="submit"></form>')
    )
    with pytest.raises(Surprise, match="should have a field 'sent' and has none"):
        Visitor(page.url).submit(page, page.root.one("form"), {"kept": "2", "sent": "x"})
