from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import CommandError
from django.db import OperationalError
from pytest_django import Settings

from exercises.models import User
from qkvcourse.serve import prepare


@pytest.mark.django_db
def test_a_site_with_demo_accounts_is_not_opened_to_others() -> None:
    User.objects.create(username="demo", is_demo=True)

    with pytest.raises(CommandError) as error:
        prepare.refuse_demo_accounts()

    assert str(error.value).startswith("HOST opens the site to others while demo accounts exist")


@pytest.mark.django_db
def test_a_site_without_demo_accounts_may_be_opened() -> None:
    User.objects.create(username="ines")

    prepare.refuse_demo_accounts()


def test_static_files_are_collected_again_only_after_a_change(tmp_path: Path, settings: Settings) -> None:
    settings.STATIC_ROOT = tmp_path / "static"
    prepare.collect_static_files()
    collected = tmp_path / "static" / "exercises" / "site.css"
    collected.write_text("mine")

    prepare.collect_static_files()
    kept = collected.read_text()
    (tmp_path / "static" / prepare.STAMP_NAME).write_text("of another version")
    prepare.collect_static_files()

    assert kept == "mine"
    assert collected.read_text() != "mine"


@pytest.mark.parametrize(
    "error", [OperationalError("database or disk is full"), OSError(28, "No space left on device")]
)
def test_a_full_disk_is_one_sentence(error: Exception, settings: Settings) -> None:
    assert prepare.sentence(error) == (
        f"the disk that holds {settings.DATA_DIR} is full; free some space or set QKV_DATA_DIR"
    )


def test_a_database_that_is_away_is_one_sentence() -> None:
    error = OperationalError('connection to server at "db" failed:\n\tIs the server running?')

    assert prepare.sentence(error) == (
        'the database cannot be used: connection to server at "db" failed: Is the server running?'
    )


def test_any_other_reason_is_told_as_it_is() -> None:
    assert prepare.sentence(CommandError("content/x.toml: line 3: no slug")) == "content/x.toml: line 3: no slug"
