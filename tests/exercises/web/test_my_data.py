from __future__ import annotations

import json
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from django.apps import apps
from django.test import Client

from exercises.models import HintTaken, Mark, User
from exercises.services.mark_by_instructor import mark_by_instructor
from exercises.services.submission_create import submission_create
from tests.exercises.conftest import AttemptBy
from tests.exercises.responses import half_right_numbers, right_numbers
from tests.exercises.web.conftest import SignedIn

# What hangs on a person and is in no file of the archive, with the reason.
LEFT_OUT = {
    "IdempotencyKey": "a digest of a request, forgotten after a day",
    "MisconceptionSighting": "repeats what the marks name",
    "Permission": "what the admin may do, and nothing about a person",
    "LogEntry": "the operators' book of what was changed in the admin",
    "EmailAddress": "allauth's copy of the account's address",
    "EmailConfirmation": "a secret",
    "Activation": "a digest of a code that is gone once it is used",
    "CourseCode": "the course's, whoever made it",
    "SocialToken": "a secret, and never stored",
    "MarkDraft": "an instructor's words that were not given",
    "StockComment": "the course's, whoever wrote it first",
    "Regrade": "the course's, whoever began it",
    "AuditEntry": "the course's book of what its instructors did",
    "StudentNote": "what instructors keep in mind, between themselves",
    "KeptBack": "only since when a mark is news",
    "RegradeLine": "what it came to stands in the marks",
}
WRITTEN = {
    "User",
    "Enrollment",
    "Attempt",
    "Submission",
    "Mark",
    "HintTaken",
    "Run",
    "ApiToken",
    "Draft",
    "SelfMark",
    "SecondLook",
    "SentBack",
    "Question",
    "Reply",
    "Consent",
    "UserSession",
    "Authenticator",
    "SocialAccount",
    "Extension",
    "Exemption",
    "Override",
}


def data_of(browser: Client) -> dict[str, Any]:
    response = browser.get("/en/my-data/")
    with ZipFile(BytesIO(response.content)) as archive:
        return {name: json.loads(archive.read(name)) for name in archive.namelist()}


def test_the_file_holds_what_i_sent_and_what_was_said(
    ada: User, ben: User, ines: User, attempt: AttemptBy, as_user: SignedIn
) -> None:
    mine = attempt(ada, "in-words")
    HintTaken.objects.create(attempt=mine, rung=1)
    sent = submission_create(attempt=mine, raw_response={"text": "它在找。"}).submission
    submission_create(attempt=attempt(ben, "in-words"), raw_response={"text": "Ben's own words"})
    mark_by_instructor(instructor=ines, submission=sent, score=sent.attempt.item.max_score, comment="好。")

    data = data_of(as_user(ada))

    assert [row["raw_response"] for row in data["answers.json"]] == [{"text": "它在找。"}]
    assert [row["comment"] for row in data["marks.json"]] == ["好。"]
    assert (data["account.json"][0]["username"], data["hints.json"][0]["rung"]) == ("ada", 1)
    assert "Ben" not in json.dumps(data)


def test_a_mark_claims_no_sum_with_tries_that_may_be_marked_again(
    ada: User, attempt: AttemptBy, as_user: SignedIn
) -> None:
    numbers = attempt(ada, "by-hand")
    for respond in (half_right_numbers, right_numbers):
        submission_create(attempt=numbers, raw_response=respond(numbers))
    assert all(mark.feedback["credit"] for mark in Mark.objects.all())

    marks = data_of(as_user(ada))["marks.json"]

    assert [row["score"] for row in marks] == ["1.000", "2.000"]
    assert all("credit" not in row["feedback"] and row["feedback"]["fields"] for row in marks)


def test_it_tells_no_secret(ada: User, as_user: SignedIn) -> None:
    assert ada.password not in json.dumps(data_of(as_user(ada)))


def test_every_table_about_a_person_is_in_the_file_or_left_out_for_a_reason() -> None:
    about = {User.__name__}
    grows = True
    while grows:
        found = {
            model.__name__
            for model in apps.get_models()
            for field in model._meta.get_fields()
            if field.concrete and field.is_relation and getattr(field.related_model, "__name__", "") in about
        }
        grows = not found <= about
        about |= found

    assert about - WRITTEN - set(LEFT_OUT) == set()


def test_nobody_gets_it_without_signing_in(db: None) -> None:
    assert Client().get("/en/my-data/").status_code == 302
