"""The addresses of /api/v1."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path, re_path
from drf_spectacular.views import SpectacularAPIView

from exercises.api import answering, helping, reading, running
from exercises.api.missing import missing

ITEM = "courses/<slug:course_slug>/items/<slug:item_slug>/"
ATTEMPT = f"{ITEM}attempts/<uuid:attempt_id>/"

views: list[URLPattern | URLResolver] = [
    path("me/", reading.Me.as_view(), name="me"),
    path("courses/", reading.Courses.as_view(), name="courses"),
    path("courses/<slug:course_slug>/", reading.Course.as_view(), name="course"),
    path("courses/<slug:course_slug>/items/", reading.Items.as_view(), name="items"),
    path("courses/<slug:course_slug>/grades/", reading.Grades.as_view(), name="grades"),
    path(ITEM, reading.Item.as_view(), name="item"),
    path(f"{ITEM}attempts/", answering.Attempts.as_view(), name="attempts"),
    path(ATTEMPT, answering.Attempt.as_view(), name="attempt"),
    path(f"{ATTEMPT}submissions/", answering.Submit.as_view(), name="submit"),
    path(f"{ATTEMPT}help/", helping.Help.as_view(), name="help"),
    path(f"{ATTEMPT}hints/", helping.Hints.as_view(), name="hints"),
    path(f"{ATTEMPT}solution/", helping.Solution.as_view(), name="solution"),
    path(f"{ITEM}submissions/", answering.Submissions.as_view(), name="submissions"),
    path(f"{ITEM}runs/", running.Runs.as_view(), name="runs"),
    path("runs/<uuid:run_id>/", running.Run.as_view(), name="run"),
    path("submissions/<uuid:submission_id>/", answering.Submission.as_view(), name="submission"),
    path("schema/", SpectacularAPIView.as_view(permission_classes=[], authentication_classes=[]), name="schema"),
    re_path(r"^(?P<rest>[\s\S]*)\Z", missing),
]

urlpatterns: list[URLPattern | URLResolver] = [path("api/v1/", include((views, "api")))]
