"""Ask about an item, answer, and close."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q

from exercises.enums import STAFF, QuestionKind, QuestionState
from exercises.models import Attempt, Course, Question, Reply, Submission, User
from exercises.services.learner_lock import lock_learner
from exercises.services.news_tell import news_tell
from exercises.services.storable import storable_text

LONGEST_TEXT = 4_000
MOST_OPEN = 20


class NothingSaid(ValueError):  # noqa: N818 -- shown to whoever wrote
    """A message needs words, at most `LONGEST_TEXT` characters of them."""


class TooManyOpen(Exception):  # noqa: N818 -- nothing went wrong
    """Of one learner in one course `MOST_OPEN` questions may wait for an answer."""


def question_ask(*, attempt: Attempt, submission: Submission | None, kind: QuestionKind, text: str) -> Question:
    """Ask about an attempt, with the response that was sent for it. Raises NothingSaid or TooManyOpen."""
    said = _said(text)
    enrollment = attempt.enrollment
    with transaction.atomic():
        lock_learner(user_id=enrollment.user_id)
        open_now = Question.objects.filter(attempt__enrollment=enrollment, state=QuestionState.OPEN)
        # A double click, or a form that was sent again after the answer to it got lost.
        same = open_now.filter(attempt=attempt, kind=kind, text=said).first()
        if same is not None:
            return same
        if open_now.count() >= MOST_OPEN:
            raise TooManyOpen
        question = Question.objects.create(attempt=attempt, submission=submission, kind=kind, text=said)
        news_tell(_staff_of(enrollment.course))
    return question


def question_reply(*, question: Question, author: User, is_from_staff: bool, text: str) -> Reply:
    """Say something to it. What staff say answers it, and what its author says opens it again. Raises NothingSaid."""
    said = _said(text)
    enrollment = question.attempt.enrollment
    with transaction.atomic():
        last = question.replies.last()
        if last is not None and last.author_id == author.pk and last.text == said:
            return last
        reply = Reply.objects.create(question=question, author=author, is_from_staff=is_from_staff, text=said)
        state = QuestionState.ANSWERED if is_from_staff else QuestionState.OPEN
        Question.objects.filter(pk=question.pk).update(state=state)
        news_tell(Q(pk=enrollment.user_id) if is_from_staff else _staff_of(enrollment.course))
    return reply


def question_close(*, question: Question) -> None:
    """Nothing is left to be said; a message of its author opens it again."""
    Question.objects.filter(pk=question.pk).update(state=QuestionState.CLOSED)


def _said(text: str) -> str:
    said = storable_text(text).strip()
    if not said or len(said) > LONGEST_TEXT:
        raise NothingSaid
    return said


def _staff_of(course: Course) -> Q:
    return Q(enrollments__course=course, enrollments__role__in=STAFF)
