"""One factory for each model that tests make by hand; content comes from files, by `content_load`.

No surprises: nothing is created that the caller did not ask for or that a foreign key does not need.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from decimal import Decimal

import factory
from django.utils import timezone
from factory.django import DjangoModelFactory

from exercises.enums import GradingProgress, ItemKind, MarkedBy, Role, Verdict
from exercises.models import ApiToken, Attempt, Course, Enrollment, Mark, Submission, User

PASSWORD = "correct horse battery staple"


class UserFactory(DjangoModelFactory):
    class Meta:
        model = User
        skip_postgeneration_save = True

    username = factory.Sequence(lambda number: f"user-{number}")
    password = factory.django.Password(PASSWORD)


class CourseFactory(DjangoModelFactory):
    class Meta:
        model = Course

    slug = factory.Sequence(lambda number: f"course-{number}")
    title = factory.LazyAttribute(lambda course: {"zh-hans": f"课程 {course.slug}", "en": f"Course {course.slug}"})


class EnrollmentFactory(DjangoModelFactory):
    class Meta:
        model = Enrollment

    user = factory.SubFactory(UserFactory)
    role = Role.STUDENT


class AttemptFactory(DjangoModelFactory):
    class Meta:
        model = Attempt

    item_version = factory.LazyAttribute(lambda attempt: attempt.item.current_version)
    number = factory.Sequence(lambda number: number + 1)
    seed = 1
    variant = factory.LazyAttribute(lambda attempt: {"seed": attempt.seed})


class SubmissionFactory(DjangoModelFactory):
    """A code submission that waits in the queue, sent long enough ago for the sweeper to look at it."""

    class Meta:
        model = Submission

    kind = ItemKind.CODE
    raw_response = factory.Sequence(lambda number: {"code": f"x = {number}"})
    response_digest = factory.LazyAttribute(lambda row: hashlib.sha256(str(row.raw_response).encode()).hexdigest())
    grading_progress = GradingProgress.PENDING
    ticket = factory.LazyFunction(lambda: secrets.token_hex(32))
    sends = 1
    sent_at = factory.LazyFunction(lambda: timezone.now() - timedelta(minutes=1))


class MarkFactory(DjangoModelFactory):
    class Meta:
        model = Mark

    by = MarkedBy.AUTO
    verdict = Verdict.INCORRECT
    score = Decimal(0)
    max_score = Decimal(3)


class ApiTokenFactory(DjangoModelFactory):
    """Its secret is its name."""

    class Meta:
        model = ApiToken

    name = factory.Sequence(lambda number: f"token-{number}")
    prefix = "token-"
    digest = factory.LazyAttribute(lambda token: ApiToken.digest_of(token.name))
    expires_at = factory.LazyFunction(lambda: timezone.now() + timedelta(days=1))
