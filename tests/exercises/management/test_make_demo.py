from __future__ import annotations

import json
import stat

import pytest
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command

from exercises.models import Course, Enrollment, User


@pytest.fixture
def data_dir(tmp_path, settings):
    settings.DATA_DIR = tmp_path / "data"
    return settings.DATA_DIR


def made(capsys):
    call_command("make_demo")
    return capsys.readouterr().out


def test_the_demo_is_made_with_log_ins_in_a_private_file(curriculum, data_dir, capsys):
    printed = made(capsys)
    file = data_dir / "demo-logins.json"
    logins = json.loads(file.read_text())
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in data_dir.iterdir()] == ["demo-logins.json"]
    assert sorted(logins) == ["demo-instructor", "demo-student-1", "demo-student-2"]
    assert len(set(logins.values())) == 3
    assert all(len(password) >= 16 for password in logins.values())
    assert f"student: demo-student-1 {logins['demo-student-1']}" in printed.splitlines()
    assert authenticate(username="demo-instructor", password=logins["demo-instructor"]) is not None


def test_a_second_run_changes_nothing_and_prints_the_same(curriculum, data_dir, capsys):
    first = made(capsys)
    before = (list(User.objects.order_by("id").values()), list(Enrollment.objects.order_by("id").values()))
    assert made(capsys) == first
    assert (list(User.objects.order_by("id").values()), list(Enrollment.objects.order_by("id").values())) == before


def test_lost_log_ins_are_made_anew(curriculum, data_dir, capsys):
    first = made(capsys)
    (data_dir / "demo-logins.json").unlink()
    second = made(capsys)
    password = json.loads((data_dir / "demo-logins.json").read_text())["demo-student-2"]
    assert first != second
    assert User.objects.get(username="demo-student-2").check_password(password)


def test_without_content_the_command_says_what_to_do(db, data_dir):
    with pytest.raises(CommandError, match="load_content"):
        call_command("make_demo")
    assert Course.objects.count() == 0
