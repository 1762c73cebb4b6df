from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from exercises.models import Item, Snapshot
from exercises.services.predictions_keep import (
    PREDICTED,
    predictions_bring_up_to_date,
    predictions_kept,
    predictions_warm,
)
from exercises.services.snapshot_refresh import CHEAP_MS, MAKING, Figures, overview_kept, snapshot_bring_up_to_date
from exercises.services.snapshot_warm import snapshot_warm
from exercises.tasks import refresh_figures
from tests.exercises.figures import bare_course, enroll, send
from tests.factories import CourseFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def busy():
    course, items = bare_course("busy", 1)
    send(enroll(course, "ada"), items[0], 1.0)
    return course


def kept_for(course, age, cost_ms=CHEAP_MS + 1):
    Snapshot.objects.filter(course=course).update(made_at=timezone.now() - age, cost_ms=cost_ms)


def warm_all():
    return [kept.name for _ in range(len(Figures) + 1) if (kept := snapshot_warm())]


def test_figures_that_nobody_asked_for_are_there_before_somebody_looks(busy):
    bare_course("nobody-has-sent-anything", 1)
    assert warm_all() == sorted(Figures)
    assert set(Snapshot.objects.values_list("course__slug", flat=True)) == {"busy"}


def test_dear_figures_are_made_anew_the_oldest_first_once_an_hour(busy):
    warm_all()
    kept_for(busy, timedelta(minutes=59))
    assert snapshot_warm() is None
    kept_for(busy, timedelta(hours=2))
    Snapshot.objects.filter(name=Figures.BOARD).update(made_at=timezone.now() - timedelta(hours=3))
    assert warm_all()[0] == Figures.BOARD
    assert snapshot_warm() is None


def test_the_dearer_figures_are_the_more_seldom_they_are_made(busy):
    warm_all()
    kept_for(busy, timedelta(hours=2), cost_ms=120_000)
    assert snapshot_warm() is None
    kept_for(busy, timedelta(hours=4), cost_ms=120_000)
    assert snapshot_warm() is not None


def test_figures_of_a_course_that_is_over_and_cheap_ones_are_left(busy):
    warm_all()
    kept_for(busy, timedelta(hours=2), cost_ms=CHEAP_MS)
    assert snapshot_warm() is None
    kept_for(busy, timedelta(hours=2))
    busy.archived_at = timezone.now()
    busy.save()
    assert snapshot_warm() is None


def test_one_worker_at_a_time_makes_figures_and_a_page_waits_for_none(busy):
    cache.add(MAKING, 1, timeout=60)
    assert snapshot_warm() is None
    assert not snapshot_bring_up_to_date(course_id=busy.pk, name=Figures.OVERVIEW)
    assert overview_kept(course=busy).figures.started == 1
    cache.delete(MAKING)
    assert snapshot_warm() is not None
    assert cache.get(MAKING) is None


def test_predictions_are_made_once_for_each_state_of_the_content(curriculum):
    course = CourseFactory(curriculum=curriculum)
    assert predictions_warm().course == course
    assert predictions_warm() is None
    Item.objects.filter(slug="by-hand").update(is_active=False)
    assert predictions_warm().course == course


def test_nobody_waits_for_predictions_within_a_request(curriculum):
    course = CourseFactory(curriculum=curriculum)
    assert predictions_kept(course=course) is None
    refresh_figures(course.pk, PREDICTED)
    assert not predictions_bring_up_to_date(course_id=course.pk)
    assert not predictions_bring_up_to_date(course_id=0)
    assert [each.slug for each in predictions_kept(course=course).figures.items] == ["by-hand", "pick", "in-words"]
