"""A lab's tables worked out for what was typed: no try, and only the guess that opens it is kept."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from exercises.access import attempt_for_user
from exercises.queries.lesson_page import item_on_page
from exercises.services.guess_keep import guess_keep
from exercises.web.item_view import Feedback, item_view
from exercises.web.requests import MemberRequest, signed_in
from exercises.web.responses import read_response
from grader.marking.lab import lab_problems


@require_POST
@signed_in
def look(request: MemberRequest, course_slug: str, item_slug: str, attempt_id: UUID) -> HttpResponse:
    """Show the item with what was typed; what cannot be understood is shown with its place and the remedy."""
    attempt = attempt_for_user(user=request.user, course_slug=course_slug, item_slug=item_slug, attempt_id=attempt_id)
    response = guess_keep(attempt=attempt, raw_response=read_response(attempt, request.POST))
    page = item_on_page(attempt)
    problems = lab_problems(page.content, response)
    view = item_view(course_slug, page, Feedback(typed=response, problems=problems))
    template = "exercises/partials/item_part.html" if request.htmx else "exercises/student/item.html"
    shown = {"item": view, "lesson_slug": attempt.item.lesson.slug}
    return render(request, template, shown, status=422 if problems else 200)
