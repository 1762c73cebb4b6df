"""The only way from a name or an id to an object, on behalf of a user.

Unknown and forbidden answer alike, with Http404: nobody learns from an answer what exists. What a user may see
follows from enrollments; being staff opens the admin and nothing here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import Model, Q, QuerySet
from django.http import Http404
from django.utils import timezone

from exercises.enums import STAFF, Role
from exercises.models import (
    ApiToken,
    Attempt,
    Course,
    CourseCode,
    Enrollment,
    Extension,
    GradeLayout,
    Item,
    Lesson,
    Question,
    Regrade,
    Run,
    Submission,
    User,
)

NOT_FOUND = "Nothing here, or nothing for you."

Row = TypeVar("Row", bound=Model)

_is_writing: ContextVar[bool] = ContextVar("is_writing", default=False)


class CourseIsOver(PermissionDenied):
    """Something was to be changed in a course that is over."""


@contextmanager
def for_writing() -> Iterator[None]:
    """Within, nothing of a course that is over can be reached: whoever reaches it would change it."""
    before = _is_writing.set(True)
    try:
        yield
    finally:
        _is_writing.reset(before)


@dataclass(frozen=True, slots=True)
class LessonAccess:
    """A lesson, and the enrollment through which it may be read."""

    enrollment: Enrollment
    lesson: Lesson


@dataclass(frozen=True, slots=True)
class ItemAccess:
    """An item, and the enrollment through which it may be answered."""

    enrollment: Enrollment
    item: Item


@dataclass(frozen=True, slots=True)
class QuestionAccess:
    """A question, and whether it is reached as one of the staff who answer."""

    question: Question
    is_staff: bool


def memberships(user: User) -> QuerySet[Enrollment]:
    """All that a user is in. A former member is in nothing any more, and neither is a guest of a course that was closed."""
    closed = Q(role=Role.GUEST, course__is_open=False)
    return Enrollment.objects.filter(user=user).exclude(closed | Q(role=Role.FORMER))


def enrollment_for_user(*, user: User, course_slug: str) -> Enrollment:
    """The user's membership of a course."""
    found = _only(Enrollment.objects.filter(user=user, course__slug=course_slug).select_related("course__curriculum"))
    found.user = user
    _refuse_who_is_gone(found)
    _refuse_change(found)
    _keep_its_time(found.course)
    return found


def enrollment_for_reopening(*, user: User, course_slug: str) -> Enrollment:
    """An instructor's membership of a course that is over: the one change that it still takes is to go on."""
    enrollments = Enrollment.objects.select_related("course__curriculum", "user")
    return _only(enrollments.filter(course__slug=course_slug, user=user, role=Role.INSTRUCTOR))


def enrollment_for_instructor(*, user: User, course_slug: str) -> Enrollment:
    """The same, for a course that the user teaches."""
    enrollment = enrollment_for_user(user=user, course_slug=course_slug)
    if enrollment.role != Role.INSTRUCTOR:
        raise Http404(NOT_FOUND)
    return enrollment


def enrollment_for_staff(*, user: User, course_slug: str) -> Enrollment:
    """The same, for a course that the user teaches or assists in."""
    enrollment = enrollment_for_user(user=user, course_slug=course_slug)
    if enrollment.role not in STAFF:
        raise Http404(NOT_FOUND)
    return enrollment


def member_for_instructor(*, user: User, course_slug: str, member_id: int) -> Enrollment:
    """Anybody's membership of a course that the user teaches."""
    course = enrollment_for_instructor(user=user, course_slug=course_slug).course
    return _only(Enrollment.objects.select_related("course", "user").filter(course=course, pk=member_id))


def student_for_staff(*, user: User, course_slug: str, member_id: int) -> Enrollment:
    """A student of a course that the user teaches or assists in."""
    course = enrollment_for_staff(user=user, course_slug=course_slug).course
    students = Enrollment.objects.select_related("course__curriculum", "user").filter(role=Role.STUDENT)
    return _only(students.filter(course=course, pk=member_id))


def code_for_instructor(*, user: User, course_slug: str, code_id: int) -> CourseCode:
    """A course code of a course that the user teaches."""
    course = enrollment_for_instructor(user=user, course_slug=course_slug).course
    return _only(CourseCode.objects.select_related("course").filter(course=course, pk=code_id))


def extension_for_instructor(*, user: User, course_slug: str, extension_id: int) -> Extension:
    """Somebody's more time in a course that the user teaches."""
    course = enrollment_for_instructor(user=user, course_slug=course_slug).course
    extensions = Extension.objects.select_related("assignment", "enrollment__user", "label")
    return _only(extensions.filter(assignment__course=course, pk=extension_id))


def layout_for_instructor(*, user: User, course_slug: str, layout_id: int) -> GradeLayout:
    """A score sheet's columns of a course that the user teaches."""
    course = enrollment_for_instructor(user=user, course_slug=course_slug).course
    return _only(GradeLayout.objects.filter(course=course, pk=layout_id))


def open_course(*, course_slug: str) -> Course:
    """A course that anybody may read, for somebody who may not even be signed in."""
    return _only(Course.objects.select_related("curriculum").filter(slug=course_slug, is_open=True))


def lesson_for_user(*, user: User, course_slug: str, lesson_slug: str) -> LessonAccess:
    """An active lesson of a course that the user is in."""
    enrollment = enrollment_for_user(user=user, course_slug=course_slug)
    lessons = Lesson.objects.select_related("current_version").defer("current_version__source")
    lesson = _only(lessons.filter(curriculum=enrollment.course.curriculum, slug=lesson_slug, is_active=True))
    return LessonAccess(enrollment, lesson)


def item_for_user(*, user: User, course_slug: str, item_slug: str) -> ItemAccess:
    """An active item of a course that the user is in."""
    enrollment = enrollment_for_user(user=user, course_slug=course_slug)
    items = Item.objects.select_related("current_version", "lesson")
    item = _only(items.filter(curriculum=enrollment.course.curriculum, slug=item_slug, is_active=True))
    return ItemAccess(enrollment, item)


def item_for_staff(*, user: User, course_slug: str, item_slug: str) -> ItemAccess:
    """The same, in a course that the user teaches or assists in."""
    found = item_for_user(user=user, course_slug=course_slug, item_slug=item_slug)
    if found.enrollment.role not in STAFF:
        raise Http404(NOT_FOUND)
    return found


def answers_for_staff(*, course: Course, item: Item, submission_ids: Iterable[UUID]) -> list[Submission]:
    """Those of the submissions that are answers to this item in this course; others are left out, as if unknown."""
    submissions = Submission.objects.select_related(
        "attempt__enrollment__course", "attempt__item__curriculum", "attempt__item_version", "standing_mark"
    )
    found = submissions.filter(public_id__in=list(submission_ids), attempt__item=item)
    return list(found.filter(attempt__enrollment__course=course))


def attempt_for_user(*, user: User, course_slug: str, item_slug: str, attempt_id: UUID) -> Attempt:
    """The user's own attempt, if it belongs to that very item in that very course."""
    attempts = Attempt.objects.select_related("enrollment__course__curriculum", "item__lesson", "item_version")
    attempt = _only(attempts.filter(public_id=attempt_id, enrollment__user=user))
    attempt.enrollment.user = user
    _refuse_who_is_gone(attempt.enrollment)
    if attempt.enrollment.course.slug != course_slug:
        raise Http404(NOT_FOUND)
    if attempt.item.slug != item_slug:
        raise Http404(NOT_FOUND)
    _refuse_change(attempt.enrollment)
    _keep_its_time(attempt.enrollment.course)
    return attempt


def submission_for_user(*, user: User, submission_id: UUID) -> Submission:
    """The user's own submission, or any of a course that the user teaches or assists in."""
    own = Q(attempt__enrollment__in=memberships(user))
    taught = Q(attempt__enrollment__course__in=_courses_taught(user))
    return _submission(submission_id, own | taught)


def own_submission_for_user(*, user: User, submission_id: UUID) -> Submission:
    """The user's own submission, and nobody else's."""
    return _submission(submission_id, Q(attempt__enrollment__in=memberships(user)))


def submission_for_instructor(*, user: User, submission_id: UUID) -> Submission:
    """A submission that somebody made in a course that the user teaches or assists in."""
    return _submission(submission_id, Q(attempt__enrollment__course__in=_courses_taught(user)))


def question_for_user(*, user: User, question_id: UUID) -> QuestionAccess:
    """A question that the user asked, or any of a course that the user teaches or assists in."""
    questions = Question.objects.select_related(
        *("attempt__enrollment__course", "attempt__enrollment__user", "attempt__item__lesson", "attempt__item_version"),
        "submission",
    )
    taught = _courses_taught(user)
    allowed = Q(attempt__enrollment__in=memberships(user)) | Q(attempt__enrollment__course__in=taught)
    found = _only(questions.filter(allowed, public_id=question_id))
    enrollment = found.attempt.enrollment
    is_staff = enrollment.course_id in taught
    _refuse_change(enrollment)
    _keep_its_time(enrollment.course)
    return QuestionAccess(found, is_staff=is_staff and enrollment.user_id != user.pk)


def run_for_user(*, user: User, run_id: UUID) -> Run:
    """The user's own run, for as long as it is kept."""
    runs = Run.objects.select_related(
        "attempt__enrollment__course__curriculum",
        "attempt__enrollment__user",
        "attempt__item__lesson",
        "attempt__item_version",
    )
    run = _only(runs.filter(public_id=run_id, attempt__enrollment__in=memberships(user)))
    _refuse_change(run.attempt.enrollment)
    _keep_its_time(run.attempt.enrollment.course)
    return run


def regrade_for_instructor(*, user: User, course_slug: str, regrade_id: UUID) -> Regrade:
    """A regrade of a course that the user teaches."""
    course = enrollment_for_instructor(user=user, course_slug=course_slug).course
    regrades = Regrade.objects.select_related("course", "item__curriculum", "item_version", "by")
    return _only(regrades.filter(course=course, public_id=regrade_id))


def item_for_instructor(*, user: User, course_slug: str, item_slug: str) -> ItemAccess:
    """An active item of a course that the user teaches."""
    found = item_for_user(user=user, course_slug=course_slug, item_slug=item_slug)
    if found.enrollment.role != Role.INSTRUCTOR:
        raise Http404(NOT_FOUND)
    return found


def token_by_secret(secret: str) -> ApiToken | None:
    """The token that this secret opens, if it is still good and its user may still sign in."""
    token = ApiToken.objects.select_related("user", "course").filter(digest=ApiToken.digest_of(secret)).first()
    if token is None:
        return None
    if token.revoked_at is not None:
        return None
    if token.expires_at <= timezone.now():
        return None
    return token if token.user.is_active else None


def _submission(submission_id: UUID, allowed: Q) -> Submission:
    submissions = Submission.objects.select_related(
        "attempt__enrollment__course__curriculum",
        "attempt__enrollment__user",
        "attempt__item__lesson",
        "attempt__item_version",
        "standing_mark",
    )
    found = _only(submissions.filter(allowed, public_id=submission_id))
    _refuse_change(found.attempt.enrollment)
    _keep_its_time(found.attempt.enrollment.course)
    return found


def _only(rows: QuerySet[Row]) -> Row:
    """The one row that there is. In no order: a model's own order would join whatever stands in it."""
    row = rows.order_by().first()
    if row is None:
        raise Http404(NOT_FOUND)
    return row


def _refuse_who_is_gone(enrollment: Enrollment) -> None:
    """The rule of `memberships`, for a row that is here already."""
    if enrollment.role == Role.FORMER:
        raise Http404(NOT_FOUND)
    if enrollment.role == Role.GUEST and not enrollment.course.is_open:
        raise Http404(NOT_FOUND)


def _refuse_change(enrollment: Enrollment) -> None:
    if not _is_writing.get():
        return
    if enrollment.course.archived_at is not None:
        raise CourseIsOver


def _keep_its_time(course: Course) -> None:
    """Whoever goes through a door of a course reads the clock that hangs there, until the request ends."""
    timezone.activate(course.zone)


def _courses_taught(user: User) -> list[int]:
    taught = Enrollment.objects.filter(user=user, role__in=STAFF)
    return list(taught.values_list("course_id", flat=True))
