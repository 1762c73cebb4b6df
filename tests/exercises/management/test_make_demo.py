from __future__ import annotations

import json
import stat

import pytest
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command

from exercises.enums import Role
from exercises.models import Attempt, Course, Enrollment, User
from exercises.services.attempt_start import attempt_start


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


def test_removing_the_demo_takes_its_work_and_leaves_everybody_else(ada, attempt, item, data_dir, capsys):
    made(capsys)
    student = Enrollment.objects.get(user__username="demo-student-1")
    attempt_start(enrollment=student, item=item("by-hand"))
    mine = attempt(ada, "by-hand")

    call_command("make_demo", "--remove")

    assert capsys.readouterr().out == "demo accounts deleted: 3\n"
    assert not User.objects.filter(is_demo=True).exists()
    assert not Course.objects.filter(slug="demo").exists()
    assert list(Attempt.objects.all()) == [mine]
    assert not (data_dir / "demo-logins.json").exists()


def test_a_demo_course_that_others_are_in_stays(curriculum, ada, data_dir, capsys):
    made(capsys)
    Enrollment.objects.create(course=Course.objects.get(slug="demo"), user=ada, role=Role.STUDENT)

    call_command("make_demo", "--remove")

    assert [each.user for each in Enrollment.objects.filter(course__slug="demo")] == [ada]


def test_without_content_the_command_says_what_to_do(db, data_dir):
    with pytest.raises(CommandError, match="load_content"):
        call_command("make_demo")
    assert Course.objects.count() == 0
