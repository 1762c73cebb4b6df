from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from exercises.models import Course


def run(*arguments):
    output = StringIO()
    call_command("synthetic_cohort", *arguments, stdout=output)
    return output.getvalue()


def test_a_class_is_made_and_removed(curriculum):
    assert "simulated learners added: 5" in run("--students", "5")
    assert Course.objects.get(slug="synthetic").enrollments.count() == 5
    assert run("--remove") == "simulated learners deleted: 5\n"
    assert not Course.objects.exists()


def test_a_prediction_stores_nothing_and_names_each_item(curriculum):
    told = run("--predict", "--students", "30")
    assert "by-hand: facility 0." in told
    assert not Course.objects.exists()


def test_a_course_with_real_students_is_refused(ada, course):
    with pytest.raises(CommandError, match="has real students"):
        run("--course", course.slug, "--students", "1")


def test_without_content_there_is_nothing_to_sit(db):
    with pytest.raises(CommandError, match="load_content"):
        run()
