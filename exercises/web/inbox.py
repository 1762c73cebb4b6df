"""The inbox of a course: what learners have asked and reported, for whoever answers."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from exercises.access import enrollment_for_staff
from exercises.enums import QuestionState
from exercises.queries.threads import inbox as threads_of
from exercises.web.desk_frame import desk_frame
from exercises.web.requests import MemberRequest, signed_in, whole_number
from exercises.web.words import QUESTION_STATES

ALL = "all"


@require_safe
@signed_in
def inbox(request: MemberRequest, course_slug: str) -> HttpResponse:
    """What is open, or what is asked for: by state, by exercise, by learner."""
    enrollment = enrollment_for_staff(user=request.user, course_slug=course_slug)
    course, asked = enrollment.course, request.GET
    state = asked.get("state", QuestionState.OPEN)
    page = threads_of(
        course,
        state=state if state in QuestionState.values else "",
        item=asked.get("item", ""),
        learner=asked.get("learner", ""),
        page=whole_number(asked.get("page", "")) or 1,
    )
    choices = [*((value, label) for value, label in QuestionState.choices), (ALL, "")]
    shown = {
        **desk_frame(course, enrollment.role),
        "page": page,
        "signs": QUESTION_STATES,
        "states": choices,
        "state": state if state in QuestionState.values else ALL,
        "item": asked.get("item", ""),
        "learner": asked.get("learner", ""),
    }
    return render(request, "exercises/instructor/inbox.html", shown)
