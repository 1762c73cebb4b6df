"""What the serializers read from: one flat object for each answer, made from what the queries return."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from django.utils import timezone

from exercises.access import ItemAccess
from exercises.enums import ItemKind
from exercises.models import Attempt, Submission
from exercises.queries.definitions import attempt_content, item_content
from exercises.queries.help import shared_seed
from exercises.queries.item_list import item_row, item_standing
from exercises.queries.standings import Standing
from exercises.queries.submission_view import Stage, SubmissionView, submission_stage, submission_view
from exercises.queries.terms import terms_at
from exercises.services.terms_check import check_begun
from grader.marking.items import ChoiceItem, CodeItem, Entry, FreeTextItem, LabItem, Line, Option, PredictItem, Target
from grader.marking.policy import Policy
from grader.marking.text import Text
from grader.marking.variants import FieldShape, ShownArray, present


@dataclass(frozen=True, slots=True)
class ItemShown:
    """An item with its task."""

    slug: str
    lesson_slug: str
    title: Text
    kind: ItemKind
    max_score: Decimal
    standing: Standing
    prompt: Text
    multiple: bool | None
    signature: str | None
    starter: Text | None
    max_chars: int | None
    question: Text | None
    policy: Policy
    skill: str


@dataclass(frozen=True, slots=True)
class AttemptShown:
    """An attempt with what a learner may see before answering."""

    id: UUID
    course: str
    item: str
    kind: ItemKind
    number: int
    seed: int | None
    created_at: datetime
    prompt: Text
    convention: str
    givens: tuple[ShownArray, ...]
    fields: tuple[FieldShape, ...]
    options: tuple[Option, ...]
    entries: tuple[Entry, ...]
    targets: tuple[Target, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class SubmissionShown:
    """A submission as its author and the instructor see it."""

    view: SubmissionView
    stage: Stage
    attempt: UUID
    username: str
    is_repeat: bool


def show_item(found: ItemAccess) -> ItemShown:
    """One query more than the look-up. Raises NotOpenYet: titles are announced, tasks are not."""
    terms = terms_at(found.enrollment, [found.item])[found.item.pk]
    check_begun(terms=terms, now=timezone.now())
    row = item_row(found.item, item_standing(found.enrollment, found.item))
    content = item_content(found.item.version)
    return ItemShown(
        slug=row.slug,
        lesson_slug=row.lesson_slug,
        title=row.title,
        kind=row.kind,
        max_score=row.max_score,
        standing=row.standing,
        prompt=content.prompt,
        multiple=content.multiple if isinstance(content, ChoiceItem) else None,
        signature=content.signature if isinstance(content, CodeItem) else None,
        starter=content.starter if isinstance(content, CodeItem) else None,
        max_chars=content.max_chars if isinstance(content, FreeTextItem) else None,
        question=content.question if isinstance(content, PredictItem | LabItem) else None,
        policy=terms.policy(content.policy),
        skill=content.skill.slug if content.skill else "",
    )


def show_attempt(attempt: Attempt) -> AttemptShown:
    """The attempt in its own version of the item."""
    content = attempt_content(attempt)
    presentation = present(content, attempt.variant)
    return AttemptShown(
        id=attempt.public_id,
        course=attempt.enrollment.course.slug,
        item=attempt.item.slug,
        kind=ItemKind(content.kind),
        number=attempt.number,
        seed=shared_seed(attempt),
        created_at=attempt.created_at,
        prompt=content.prompt,
        convention=presentation.convention,
        givens=presentation.givens,
        fields=presentation.fields,
        options=presentation.options,
        entries=presentation.entries,
        targets=presentation.targets,
        lines=presentation.lines,
    )


def show_submission(submission: Submission, *, is_withheld: bool, is_repeat: bool = False) -> SubmissionShown:
    """The submission as it stands now, without its marks where they are withheld from whoever asks."""
    return SubmissionShown(
        view=submission_view(submission, is_withheld=is_withheld),
        stage=submission_stage(submission, is_withheld=is_withheld),
        attempt=submission.attempt.public_id,
        username=submission.attempt.enrollment.user.username,
        is_repeat=is_repeat,
    )
