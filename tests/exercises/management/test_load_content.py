from __future__ import annotations

import shutil

import pytest
from django.core.management import CommandError, call_command

from exercises.models import Curriculum, Item
from tests.exercises.conftest import CONTENT


def loaded(capsys, directory=CONTENT):
    call_command("load_content", str(directory))
    return capsys.readouterr().out.splitlines()


def test_the_first_run_says_what_is_new_and_the_second_that_nothing_is(db, capsys):
    first = loaded(capsys)
    assert first[0] == "added: curriculum tiny"
    assert "added: item by-hand" in first
    assert loaded(capsys) == ["content unchanged"]


def test_the_installations_own_folder_is_the_default(db, capsys, settings):
    settings.CONTENT_DIRS = [CONTENT]
    call_command("load_content")
    assert Curriculum.objects.get().slug == "tiny"


def test_a_bad_file_is_named_with_key_line_and_reason_and_nothing_changes(curriculum, tmp_path):
    content = tmp_path / "content"
    shutil.copytree(CONTENT, content)
    items = content / "tiny" / "lessons" / "first" / "items.toml"
    items.write_text(items.read_text().replace('kind = "numeric"', 'kind = "numerical"'))
    with pytest.raises(CommandError) as refusal:
        call_command("load_content", str(content))
    message = str(refusal.value)
    assert f"{items}:3" in message
    assert "kind" in message
    assert "numerical" in message
    assert refusal.value.returncode == 1
    assert Item.objects.get(slug="by-hand").version.number == 1
