from __future__ import annotations

import json
import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from exercises import dispatch
from exercises.models import Snapshot
from exercises.queries.class_grades import class_grades
from exercises.queries.item_analysis import course_analysis
from exercises.queries.item_tries import WhichTry
from exercises.queries.overview import overview
from exercises.queries.unexplained import UnexplainedAnswers
from exercises.services.snapshot_refresh import (
    CHEAP_MS,
    Figures,
    analysis_kept,
    board_kept,
    class_kept,
    grades_kept,
    overview_kept,
    snapshot_bring_up_to_date,
    snapshot_refresh,
    unexplained_kept,
)
from tests.exercises.figures import bare_course, enroll, send


@pytest.fixture
def bare(db):
    course, items = bare_course("kept", 2)
    send(enroll(course, "ada"), items[0], 1.0)
    return course, items


def make_dear(age=timedelta(0)):
    Snapshot.objects.update(cost_ms=CHEAP_MS + 1, made_at=timezone.now() - age)


def test_what_is_kept_reads_back_as_it_was_worked_out(bare):
    course, _items = bare
    assert overview_kept(course=course).figures == overview(course)
    for which in WhichTry:
        assert analysis_kept(course=course, which=which).figures == course_analysis(course, which)
    assert board_kept(course=course).figures.seen == ()
    assert class_kept(course=course).figures.students[0].solved == 1
    assert grades_kept(course=course).figures == class_grades(course)
    assert unexplained_kept(course=course).figures == UnexplainedAnswers((), 0)
    assert set(Snapshot.objects.values_list("name", flat=True)) == set(Figures)


def test_cheap_figures_are_never_old(bare):
    course, items = bare
    assert overview_kept(course=course).figures.started == 1
    send(enroll(course, "ben"), items[0], 0.0)
    kept = overview_kept(course=course)
    assert (kept.figures.started, kept.is_old) == (2, False)


def test_dear_figures_are_read_as_they_were_and_asked_for_anew_when_old(
    bare, valkey, django_capture_on_commit_callbacks
):
    course, items = bare
    overview_kept(course=course)
    send(enroll(course, "ben"), items[0], 0.0)
    make_dear()
    with django_capture_on_commit_callbacks(execute=True):
        assert overview_kept(course=course).figures.started == 1
    assert valkey.llen(dispatch.SITE) == 0
    make_dear(timedelta(minutes=2))
    with django_capture_on_commit_callbacks(execute=True):
        kept = overview_kept(course=course)
    assert (kept.figures.started, kept.is_old) == (1, True)
    message = json.loads(valkey.lindex(dispatch.SITE, 0))
    assert message["headers"]["task"] == dispatch.REFRESH_FIGURES
    assert snapshot_bring_up_to_date(course_id=course.pk, name="overview")
    assert Snapshot.objects.get().figures["started"] == 2


def test_figures_stay_readable_while_the_broker_is_away(bare, broker_away, django_capture_on_commit_callbacks):
    course, _items = bare
    overview_kept(course=course)
    make_dear(timedelta(minutes=2))
    with django_capture_on_commit_callbacks(execute=True):
        assert overview_kept(course=course).is_old


def test_the_job_does_nothing_for_fresh_figures_or_a_course_that_is_gone(bare):
    course, _items = bare
    assert snapshot_bring_up_to_date(course_id=course.pk, name="overview")
    assert not snapshot_bring_up_to_date(course_id=course.pk, name="overview")
    assert not snapshot_bring_up_to_date(course_id=0, name="overview")


def test_older_figures_never_take_the_place_of_newer_ones(bare):
    course, _items = bare
    snapshot_refresh(course=course, name=Figures.OVERVIEW)
    newer = timezone.now() + timedelta(minutes=1)
    Snapshot.objects.update(made_at=newer, figures={"newer": True})
    snapshot_refresh(course=course, name=Figures.OVERVIEW)
    kept = Snapshot.objects.get()
    assert (kept.made_at, kept.figures) == (newer, {"newer": True})


def test_figures_that_an_earlier_release_kept_in_another_form_are_made_anew(bare):
    course, _items = bare
    overview_kept(course=course)
    Snapshot.objects.update(figures={"strange": 1}, cost_ms=CHEAP_MS + 1, made_at=timezone.now() - timedelta(hours=1))
    assert overview_kept(course=course).figures.started == 1


def send_all(some, items):
    """Each of some students fails three times at each item, and then solves it."""
    try:
        for number in range(4):
            for student in some:
                for item in items:
                    send(student, item, float(number == 3), minutes=number)
    finally:
        connection.close()


def look_while(threads, course):
    """Refresh the figures again and again while a class sends; what is seen at one moment agrees with itself."""
    for _ in range(200):
        if not any(thread.is_alive() for thread in threads):
            return
        snapshot_refresh(course=course, name=Figures.OVERVIEW)
        seen = overview_kept(course=course).figures
        # A submission is stored before its mark: never more marked answers than answers.
        assert sum(each.answers for each in seen.hard) <= sum(day.answers for day in seen.days)


@pytest.mark.django_db(transaction=True)
def test_figures_agree_with_themselves_while_a_class_sends_and_with_all_that_was_sent_at_the_end():
    course, items = bare_course("busy", 2)
    students = [enroll(course, f"learner-{number}") for number in range(6)]
    threads = [threading.Thread(target=send_all, args=(students[place::2], items)) for place in range(2)]
    for thread in threads:
        thread.start()
    look_while(threads, course)
    for thread in threads:
        thread.join(timeout=60)
    for name in Figures:
        snapshot_refresh(course=course, name=name)
    assert overview_kept(course=course).figures == overview(course)
    assert sum(day.answers for day in overview(course).days) == 6 * 4 * 2
    assert analysis_kept(course=course, which=WhichTry.BEST).figures.items[0].figures.facility == 1.0
