"""The Run button: what it shows beside the form, and that nothing of it is a try."""

from __future__ import annotations

import re
import threading
import time
from datetime import timedelta
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from exercises.models import Attempt, Run, Submission, User
from exercises.services.run_record import run_record
from exercises.services.submission_create import submission_create
from tests.exercises.conftest import AttemptBy
from tests.exercises.outcomes import broken_run, reported
from tests.exercises.responses import RIGHT_CODE
from tests.exercises.web.conftest import SignedIn, submit_address
from tests.exercises.web.test_answering import SCRIPTED, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def program(ada: User, attempt: AttemptBy) -> Attempt:
    return attempt(ada, "program")


@pytest.fixture
def no_wait(settings: Settings) -> None:
    """Nobody works on the queue here, so a page that waits for a worker only costs time."""
    settings.RESULT_WAIT_SECONDS = 0.01


def run_address(attempt: Attempt, language: str = "en") -> str:
    return submit_address(attempt, language=language).replace("/submit/", "/run/")


def press_run(
    browser: Client, attempt: Attempt, *, scripted: bool = True, language: str = "en", **form
) -> HttpResponse:
    headers = SCRIPTED if scripted else {}
    return browser.post(run_address(attempt, language), {"code": RIGHT_CODE, **form}, headers=headers)


@pytest.mark.django_db(transaction=True)
def test_a_run_answers_in_one_round_trip_beside_the_form(
    ada: User, program: Attempt, as_user: SignedIn, broker: str, settings: Settings
) -> None:
    settings.RESULT_WAIT_SECONDS = 60

    def settle() -> None:
        deadline = time.monotonic() + 50
        while (row := Run.objects.first()) is None:
            assert time.monotonic() < deadline, "nothing was run"
            time.sleep(0.01)
        run_record(outcome=reported(row, stdout="<i>hello</i>"))
        connection.close()

    worker = threading.Thread(target=settle)
    worker.start()
    response = press_run(as_user(ada), program)
    worker.join()

    html = response.content.decode()
    assert (response.status_code, html.count('id="run-program"'), "<textarea" in html) == (200, 1, False)
    assert ("not counted" in words(response), "1 of 1 case passed" in words(response)) == (True, True)
    assert ("&lt;i&gt;hello&lt;/i&gt;" in html, "hx-get" in html) == (True, False)
    assert Submission.objects.count() == 0


def test_a_run_that_waits_is_asked_for_again_until_it_is_there(
    ada: User, program: Attempt, as_user: SignedIn, broker: str, no_wait: None
) -> None:
    browser = as_user(ada)
    waiting = press_run(browser, program).content.decode()
    address = re.search(r'hx-get="([^"]+)"', waiting)[1]

    again = browser.get(address, headers=SCRIPTED).content.decode()
    run_record(outcome=reported(Run.objects.get()))
    there = browser.get(address.replace("looks=0", "looks=x"), headers=SCRIPTED)

    assert ("delay:500ms" in waiting, "delay:1000ms" in again, "looks=1" in again) == (True, True, True)
    assert ("hx-get" in there.content.decode(), "1 of 1 case passed" in words(there)) == (False, True)


@pytest.mark.parametrize(("language", "said"), [("en", "on our side"), ("zh-hans", "我们这边出了问题")])
def test_a_failure_of_ours_is_said_to_be_ours(
    language: str, said: str, ada: User, program: Attempt, as_user: SignedIn, broker: str, no_wait: None
) -> None:
    browser = as_user(ada)
    press_run(browser, program)
    run = Run.objects.get()
    run_record(outcome=broken_run(run))

    assert said in words(browser.get(f"/{language}/runs/{run.public_id}/result/"))


def test_a_run_that_never_came_back_says_so_and_is_not_asked_for_again(
    ada: User, program: Attempt, as_user: SignedIn, broker: str, no_wait: None
) -> None:
    browser = as_user(ada)
    press_run(browser, program)
    Run.objects.update(created_at=timezone.now() - timedelta(minutes=5))

    response = browser.get(f"/en/runs/{Run.objects.get().public_id}/result/")

    assert ("did not come back" in words(response), "hx-get" in response.content.decode()) == (True, False)


def test_without_scripts_a_run_is_a_page_that_keeps_code_and_call(
    ada: User, program: Attempt, as_user: SignedIn, broker: str, no_wait: None
) -> None:
    browser = as_user(ada)
    sent = press_run(browser, program, scripted=False, call="project(1, 2)")
    run = Run.objects.get()
    waiting = browser.get(sent["Location"]).content.decode()
    run_record(outcome=reported(run))
    there = browser.get(sent["Location"])

    assert (sent.status_code, sent["Location"]) == (302, f"/en/runs/{run.public_id}/")
    assert '<noscript><meta http-equiv="refresh" content="2"></noscript>' in waiting
    assert (RIGHT_CODE in unescape(there.content.decode()), 'value="project(1, 2)"' in there.content.decode()) == (
        True,
        True,
    )
    assert ("1 of 1 case passed" in words(there), "refresh" in there.content.decode()) == (True, False)


@pytest.mark.parametrize(
    ("form", "said"),
    [({"code": " "}, "Write some code"), ({"call": "x" * 2001}, "too long"), ({"code": "a\x1a"}, "U+001A")],
)
@pytest.mark.parametrize("scripted", [True, False])
def test_what_is_refused_says_why_and_is_not_run(
    form: dict, said: str, scripted: bool, ada: User, program: Attempt, as_user: SignedIn
) -> None:
    response = press_run(as_user(ada), program, scripted=scripted, **form)

    assert (response.status_code, Run.objects.count()) == (422, 0)
    assert ("Not run yet." in words(response), said in words(response)) == (True, True)
    assert ("<textarea" in response.content.decode()) is not scripted
    assert f'href="#program-{"call" if "call" in form else "code"}"' in response.content.decode()


@pytest.mark.parametrize(("language", "said"), [("en", "try again in about 5 seconds"), ("zh-hans", "大约 5 秒后再试")])
def test_a_third_program_is_asked_to_wait_with_the_time(
    language: str, said: str, ada: User, program: Attempt, as_user: SignedIn, broker: str, no_wait: None
) -> None:
    browser = as_user(ada)
    press_run(browser, program)
    submission_create(attempt=program, raw_response={"code": RIGHT_CODE})

    # The first run waits in the queue and makes the time one second longer.
    response = press_run(browser, program, language=language)

    assert (response.status_code, response["Retry-After"], Run.objects.count()) == (429, "6", 1)
    assert said.replace("5", "6") in words(response)


@pytest.mark.parametrize(("scripted", "status"), [(True, 200), (False, 503)])
def test_without_a_broker_nothing_runs_and_submit_is_offered(
    scripted: bool, status: int, ada: User, program: Attempt, as_user: SignedIn, broker_away: None
) -> None:
    response = press_run(as_user(ada), program, scripted=scripted)

    assert (response.status_code, response["Retry-After"], Run.objects.count()) == (status, "10", 0)
    assert "Submit works all the same" in words(response)


def test_a_file_takes_the_place_of_the_box_and_is_shown_in_it(
    ada: User, program: Attempt, as_user: SignedIn, broker: str, no_wait: None
) -> None:
    code = "# 计算\r\nx = 1\r\n"
    file = SimpleUploadedFile("mine.py", code.encode("gbk"))

    response = press_run(as_user(ada), program, file=file)

    assert Run.objects.get().code == "# 计算\nx = 1\n"
    assert (response["HX-Retarget"], response["HX-Reswap"]) == ("#item-program", "outerHTML")
    assert "# 计算\nx = 1\n</textarea>" in response.content.decode().replace("\r\n", "\n")


def test_a_file_that_is_no_text_leaves_the_box_as_it_is(ada: User, program: Attempt, as_user: SignedIn) -> None:
    response = press_run(as_user(ada), program, scripted=False, file=SimpleUploadedFile("mine.py", b"\x80\xff\xff"))

    assert (response.status_code, "Save it as UTF-8" in words(response)) == (422, True)
    assert RIGHT_CODE in unescape(response.content.decode())


def test_a_submitted_file_is_the_try(ada: User, program: Attempt, as_user: SignedIn, broker_away: None) -> None:
    file = SimpleUploadedFile("mine.py", b"\xef\xbb\xbf" + RIGHT_CODE.replace("\n", "\r").encode())

    as_user(ada).post(submit_address(program), {"code": "x", "file": file}, headers=SCRIPTED)

    assert Submission.objects.get().raw_response == {"code": RIGHT_CODE}


def test_a_huge_file_is_refused_and_nothing_of_it_kept(ada: User, program: Attempt, as_user: SignedIn) -> None:
    response = press_run(as_user(ada), program, file=SimpleUploadedFile("mine.py", b"#" * 3_000_000))

    assert (response.status_code, "too long" in words(response)) == (422, True)


def test_only_programs_can_be_run(ada: User, attempt: AttemptBy, as_user: SignedIn) -> None:
    assert press_run(as_user(ada), attempt(ada, "by-hand")).status_code == 404


def test_a_run_is_its_authors_alone(
    ada: User, ben: User, ines: User, otto: User, program: Attempt, as_user: SignedIn, broker: str, no_wait: None
) -> None:
    press_run(as_user(ada), program)
    address = f"/en/runs/{Run.objects.get().public_id}/"

    for user in (ben, ines, otto):
        assert as_user(user).get(address).status_code == 404
        assert as_user(user).get(f"{address}result/").status_code == 404
        assert press_run(as_user(user), program).status_code == 404
    assert Client().get(address).status_code == 302


@pytest.mark.parametrize(
    ("chosen", "language", "said"),
    [
        ("", "en", False),
        ("row", "en", False),
        ("column", "en", "<code>x @ W</code> does here what W x does"),
        ("column", "zh-hans", "<code>x @ W</code> 相当于你的 W x"),
    ],
)
def test_who_reads_in_the_other_convention_is_told_what_the_function_wants(
    chosen: str, language: str, said: str | bool, ada: User, program: Attempt, as_user: SignedIn
) -> None:
    User.objects.filter(pk=ada.pk).update(convention=chosen)

    html = " ".join(as_user(ada).get(f"/{language}/courses/spring/items/program/").content.decode().split())

    assert (said in html) if said else ("<code>x @ W</code>" not in html)
