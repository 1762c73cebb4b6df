"""The instructor's page of what was done in the course, and by whom."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from exercises.access import enrollment_for_instructor
from exercises.queries.audit_log import audit_log
from exercises.web.desk_frame import desk_frame
from exercises.web.requests import MemberRequest, signed_in

LAST_PAGE = 10_000


@require_safe
@signed_in
def log(request: MemberRequest, course_slug: str) -> HttpResponse:
    """The log, narrowed to a person or to a kind of act."""
    course = enrollment_for_instructor(user=request.user, course_slug=course_slug).course
    chosen = {name: request.GET.get(name, "") for name in ("actor", "act")}
    asked = request.GET.get("page", "")
    number = max(1, min(int(asked), LAST_PAGE)) if asked.isascii() and asked.isdigit() and len(asked) < 9 else 1  # noqa: PLR2004
    page = audit_log(course, **chosen, number=number)
    context = {**desk_frame(course), "page": page, "chosen": chosen}
    return render(request, "exercises/instructor/log.html", context)
