"""What a learner can do by now: the skills with their evidence, and the review of what is due."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from exercises.access import enrollment_for_user, item_for_user
from exercises.queries.review import review_queue
from exercises.queries.skills import skill_standings
from exercises.services.review_start import review_start
from exercises.web.glossary_view import course_cards, course_reference
from exercises.web.preferences import preferences_of
from exercises.web.requests import MemberRequest, signed_in
from exercises.web.skill_view import skill_view


@require_safe
@signed_in
def skills(request: MemberRequest, course_slug: str) -> HttpResponse:
    """Every skill of the course, and the answers that speak for it."""
    enrollment = enrollment_for_user(user=request.user, course_slug=course_slug)
    standings = skill_standings([enrollment])[enrollment.pk]
    course = enrollment.course
    shown = {
        "course": course,
        "skills": tuple(map(skill_view, standings)),
        "queue": review_queue(standings),
        "reference": course_reference(course),
        "symbol_cards": course_cards(course, preferences_of(request).layout),
    }
    return render(request, "exercises/student/skills.html", shown)


@require_safe
@signed_in
def review(request: MemberRequest, course_slug: str) -> HttpResponse:
    """What is due, as a sitting of five minutes."""
    enrollment = enrollment_for_user(user=request.user, course_slug=course_slug)
    standings = skill_standings([enrollment])[enrollment.pk]
    coming = min((each.due_on for each in standings if each.due_on and not each.is_due), default=None)
    shown = {"course": enrollment.course, "queue": review_queue(standings), "coming": coming}
    return render(request, "exercises/student/review.html", shown)


@require_POST
@signed_in
def review_next(request: MemberRequest, course_slug: str) -> HttpResponse:
    """Go to the next due item, on new numbers; back to the review where nothing is due."""
    enrollment = enrollment_for_user(user=request.user, course_slug=course_slug)
    queue = review_queue(skill_standings([enrollment])[enrollment.pk])
    if not queue.sitting:
        return redirect("review", course_slug=course_slug)
    slug = queue.sitting[0].item.slug
    found = item_for_user(user=request.user, course_slug=course_slug, item_slug=slug)
    attempt = review_start(enrollment=enrollment, item=found.item, convention=preferences_of(request).layout)
    return redirect(f"{reverse('item', args=[course_slug, slug])}?seed={attempt.seed}&review=1")
