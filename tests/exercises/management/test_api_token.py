from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from exercises.models import ApiToken


def made(capsys, *words: str) -> str:
    call_command("api_token", "create", "--user", "ada", "--name", "grade book", *words)
    return capsys.readouterr().out.strip()


def test_token_is_printed_once_and_opens_the_api(capsys, client, ada, course):
    secret = made(capsys, "--scope", "items:read", "--scope", "grades:read", "--course", "spring", "--days", "7")
    body = client.get("/api/v1/me/", headers={"Authorization": f"Bearer {secret}"}).json()
    assert (body["username"], body["scopes"], body["course"]) == ("ada", ["grades:read", "items:read"], "spring")
    lifetime = ApiToken.objects.get().expires_at - timezone.now()
    assert timedelta(days=6, hours=23) < lifetime <= timedelta(days=7)
    assert secret not in str(ApiToken.objects.values_list())


def test_list_shows_everything_but_the_secret(capsys, ada, ben):
    secret = made(capsys, "--scope", "items:read")
    call_command("api_token", "list")
    listed = capsys.readouterr().out
    until = f"{timezone.now() + timedelta(days=90):%Y-%m-%d}"
    assert listed == f"{secret[:10]}  ada  all courses  items:read  until {until}  never used  grade book\n"
    call_command("api_token", "list", "--user", "ben")
    assert capsys.readouterr().out == ""


def test_revoked_token_opens_nothing(capsys, client, ada):
    secret = made(capsys, "--scope", "items:read")
    call_command("api_token", "revoke", secret[:10])
    call_command("api_token", "revoke", secret[:10])
    said = capsys.readouterr().out.splitlines()
    assert said == [f"grade book ({secret[:10]}…): revoked", f"grade book ({secret[:10]}…): was revoked before"]
    assert client.get("/api/v1/me/", headers={"Authorization": f"Bearer {secret}"}).status_code == 401
    call_command("api_token", "list")
    assert "revoked" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["create", "--user", "nobody", "--name", "x", "--scope", "items:read"], "there is no user 'nobody'"),
        (
            ["create", "--user", "ada", "--name", "x", "--scope", "items:read", "--course", "y"],
            "there is no course 'y'",
        ),
        (["create", "--user", "ada", "--name", "x", "--scope", "everything"], "invalid choice: 'everything'"),
        (["create", "--user", "ada", "--name", "x", "--scope", "items:read", "--days", "0"], "from 1 to 3650"),
        (["create", "--user", "ada", "--name", "x", "--scope", "items:read", "--days", "9" * 5000], "from 1 to 3650"),
        (["revoke", "qkv_nobody"], "0 tokens begin with 'qkv_nobody'"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(ada, words, sentence):
    with pytest.raises(CommandError, match=sentence):
        call_command("api_token", *words)
    assert ApiToken.objects.count() == 0
