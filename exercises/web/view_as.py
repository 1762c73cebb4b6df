"""Looking at a course as one of its students sees it: the pages are the student's, and nothing of it is ever stored.

While an instructor looks, the pages of that course are answered for the student, in a transaction that is undone: even
a page that would begin an attempt leaves no trace. Whatever would change something is refused. Every other page is the
instructor's own. Beginning to look is noted down.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Manager
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from exercises.access import enrollment_for_instructor, student_for_staff
from exercises.enums import Act, Role
from exercises.models import Enrollment, Run, Submission
from exercises.services.audit_record import note
from exercises.services.terms_check import NotOpenAnyMore, NotOpenYet
from exercises.web.open_hours import not_now
from exercises.web.requests import MemberRequest, signed_in

KEY: Final = "view_as"
LONGEST: Final = timedelta(minutes=30)
SAFE: Final = ("GET", "HEAD")
# What a student has of a course. Pages of the account are nobody else's.
OF_THE_COURSE: Final = frozenset({"course", "lesson", "item", "skills", "review", "glossary"})
OF_ONE: Final[Mapping[str, tuple[Manager[Any], str]]] = {
    "submission": (Submission.objects, "submission_id"),
    "result": (Submission.objects, "submission_id"),
    "run": (Run.objects, "run_id"),
}


@require_POST
@signed_in
def begin(request: MemberRequest, course_slug: str, member_id: int) -> HttpResponse:
    """Begin to look; who only assists may not."""
    course = enrollment_for_instructor(user=request.user, course_slug=course_slug).course
    student = student_for_staff(user=request.user, course_slug=course_slug, member_id=member_id)
    note(actor=request.user, course=course, act=Act.VIEW_AS, subject=student, detail={"student": str(student.user)})
    request.session[KEY] = {"member": student.pk, "since": timezone.now().timestamp()}
    return redirect("course", course_slug=course_slug)


@require_POST
@signed_in
def leave(request: MemberRequest) -> HttpResponse:
    """Look with one's own eyes again."""
    seen = request.session.pop(KEY, None)
    student = Enrollment.objects.select_related("course").filter(pk=seen["member"]).first() if seen else None
    if student is None:
        return redirect("home")
    return redirect(reverse("student", args=[student.course.slug, student.pk]))


class ViewAsMiddleware:
    """Answers the pages of a course for the student whom an instructor looks at."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Nothing to do before the address is known."""
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        """The page as the student sees it, or None for all that is the instructor's own."""
        name = request.resolver_match.url_name if request.resolver_match else None
        if not request.session.get(KEY) or name in {"leave_view", None}:
            return None
        student = _student(request)
        if student is None:
            del request.session[KEY]
            return None
        request.viewing = student  # type: ignore[attr-defined]
        if request.method not in SAFE:
            return render(request, "exercises/instructor/viewing_refused.html", status=403)
        if not _is_of(student, str(name), kwargs):
            return None
        request.user = student.user
        return _undone(request, lambda: view(request, *args, **kwargs))


def _undone(request: HttpRequest, answer: Callable[[], HttpResponse]) -> HttpResponse | None:
    """The answer, with nothing kept of what it has written."""
    try:
        with transaction.atomic():
            response = answer()
            transaction.set_rollback(True)
    except (NotOpenYet, NotOpenAnyMore) as error:
        # No other middleware is asked about what a view raises within this one.
        return not_now(request, error)
    return response


def _student(request: HttpRequest) -> Enrollment | None:
    """Whom the instructor looks at: for half an hour, and for as long as both are in the course."""
    seen = request.session[KEY]
    if not request.user.is_authenticated or timezone.now().timestamp() - seen["since"] > LONGEST.total_seconds():
        return None
    student = Enrollment.objects.select_related("user", "course").filter(pk=seen["member"], role=Role.STUDENT).first()
    if student is None:
        return None
    teaches = Enrollment.objects.filter(course=student.course, user=request.user, role=Role.INSTRUCTOR).exists()
    return student if teaches else None


def _is_of(student: Enrollment, name: str, kwargs: Mapping[str, Any]) -> bool:
    """Whether the page is one of the student's in that course."""
    if name in OF_THE_COURSE:
        return bool(kwargs.get("course_slug") == student.course.slug)
    own = OF_ONE.get(name)
    if own is None:
        return False
    rows, key = own
    return bool(rows.filter(public_id=kwargs[key], attempt__enrollment=student).exists())
