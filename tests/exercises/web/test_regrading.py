from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from exercises.enums import MarkedBy, RegradeState, Role
from exercises.models import Course, Mark, Regrade, Submission, User
from exercises.services.outcome_record import outcome_record
from exercises.services.regrade_step import regrade_step
from exercises.services.submission_create import submission_create
from tests.exercises.conftest import AttemptBy, ItemBySlug
from tests.exercises.mended import mended, right_is_the_other_one
from tests.exercises.outcomes import marked
from tests.exercises.web.conftest import SignedIn
from tests.factories import EnrollmentFactory, UserFactory

BANK = "/en/courses/spring/items/"
PICK = f"{BANK}pick/regrades/"
FORM = {"action": "remark", "reason": "The key <was> wrong."}


def words(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def get(browser: Client, address: str) -> str:
    return browser.get(address).content.decode()


@pytest.fixture
def adas(ada: User, attempt: AttemptBy) -> Submission:
    return submission_create(attempt=attempt(ada, "pick"), raw_response={"chosen": ["a"]}).submission


def run() -> None:
    regrade = Regrade.objects.get()
    for _step in range(20):
        if not regrade_step(regrade_id=regrade.pk):
            return


def test_bank_lists_every_item_with_what_can_be_done(
    course: Course, ines: User, as_user: SignedIn, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    browser = as_user(ines)
    browser.get(BANK)
    with django_assert_num_queries(5):
        said = words(get(browser, BANK))

    assert "Which one is learned The first lesson Choose 1 Look closely Put before the class Mark again" in said
    assert "Write project The first lesson Write code 1 Look closely Put before the class Similar programs" in said


def test_regrade_is_tried_looked_at_and_applied_and_the_student_reads_why(
    ada: User,
    ines: User,
    adas: Submission,
    item: ItemBySlug,
    as_user: SignedIn,
) -> None:
    mended(item("pick"), right_is_the_other_one)
    browser = as_user(ines)
    response = browser.post(f"{PICK}new/", FORM)
    address = response["Location"]
    assert "Being tried" in words(get(browser, address))
    run()

    preview = get(browser, address)
    assert "Waiting for your decision" in words(preview)
    assert re.search(r"Ada 1 · Correct 0 · Incorrect .* Would change", words(preview))
    assert ("Change 1 mark" in words(preview), Mark.objects.count()) == (True, 1)

    browser.post(f"{address}decide/", {"act": "apply"})
    run()
    assert "Applied" in words(get(browser, address))
    page = get(as_user(ada), f"/en/submissions/{adas.public_id}/")
    assert "it was 1 before" in words(page)
    assert "The key &lt;was&gt; wrong." in page
    assert "Not yet correct" in words(page)
    assert Mark.objects.latest("pk").by == MarkedBy.REGRADE


@pytest.mark.parametrize(
    ("acts", "state", "is_paused"),
    [
        (["pause"], RegradeState.TRYING, True),
        (["pause", "go_on"], RegradeState.TRYING, False),
        (["abandon"], RegradeState.ABANDONED, False),
        (["apply"], RegradeState.TRYING, False),
        (["nothing"], RegradeState.TRYING, False),
    ],
)
def test_decisions_hold_only_when_it_is_their_moment(
    acts: list[str], state: str, is_paused: bool, ines: User, adas: Submission, as_user: SignedIn
) -> None:
    browser = as_user(ines)
    address = browser.post(f"{PICK}new/", FORM)["Location"]

    for act in acts:
        browser.post(f"{address}decide/", {"act": act})

    regrade = Regrade.objects.get()
    assert (regrade.state, regrade.is_paused) == (state, is_paused)
    assert browser.get(address).status_code == 200
    assert "The key &lt;was&gt; wrong." in get(browser, PICK)


def test_refused_regrade_says_why_and_keeps_what_was_typed(ines: User, as_user: SignedIn) -> None:
    response = as_user(ines).post(f"{PICK}new/", {"action": "award", "reason": "Because."})
    html = response.content.decode()

    assert (response.status_code, "There is no graded answer yet." in html) == (422, True)
    assert "Because.</textarea>" in html
    assert re.search(r'value="award"\s+checked', html)


def test_item_is_taken_out_of_the_grades_and_counts_again(ines: User, as_user: SignedIn) -> None:
    browser = as_user(ines)
    out = browser.post(f"{BANK}pick/void/", {"act": "void"}, follow=True).content.decode()
    assert "does not count any more" in words(out)
    assert "Which one is learned does not count" in words(get(browser, BANK))

    back = browser.post(f"{BANK}pick/void/", {"act": "count"}, follow=True).content.decode()
    assert ("The exercise counts again." in words(back), "does not count" in words(get(browser, BANK))) == (True, False)


def test_programs_built_alike_stand_side_by_side(
    ada: User, ben: User, ines: User, attempt: AttemptBy, as_user: SignedIn, valkey: object
) -> None:
    one = "def project(x, W):\n    out = x @ W\n    if out is None:\n        out = x * 2 + 1\n    return out + 0 * x[0, 0] - 3\n"
    other = one.replace("out", "result").replace("# ", "")
    for user, code in ((ada, one), (ben, other)):
        sent = submission_create(attempt=attempt(user, "program"), raw_response={"code": code}).submission
        outcome_record(outcome=marked(sent))

    said = words(get(as_user(ines), f"{BANK}program/similar/"))

    assert re.search(r"100 % alike: (Ada, Ben|Ben, Ada) (Ada|Ben) def project", said)
    assert "No two programs" in words(get(as_user(ines), f"{BANK}pick/similar/"))


@pytest.mark.parametrize("page", ["pick/regrades/", "pick/author/", "pick/class/", "pick/similar/", ""])
def test_pages_are_open_to_those_who_teach_alone(
    page: str, ada: User, ines: User, otto: User, as_user: SignedIn, client: Client
) -> None:
    statuses = [as_user(user).get(f"{BANK}{page}").status_code for user in (ada, ines, otto)]

    assert ([*statuses, client.get(f"{BANK}{page}").status_code]) == [404, 200, 404, 302]


def test_assistant_may_look_and_not_regrade(course: Course, ines: User, adas: Submission, as_user: SignedIn) -> None:
    assistant = UserFactory()
    EnrollmentFactory(user=assistant, course=course, role=Role.ASSISTANT)
    browser = as_user(assistant)
    address = as_user(ines).post(f"{PICK}new/", FORM)["Location"]

    posts = [
        browser.post(place, FORM).status_code for place in (f"{PICK}new/", f"{BANK}pick/void/", f"{address}decide/")
    ]

    assert (browser.get(BANK).status_code, browser.get(PICK).status_code, posts) == (200, 404, [404, 404, 404])
    assert "Mark again" not in get(browser, BANK)
    assert as_user(ines).get(address.replace("spring", "autumn")).status_code == 404
