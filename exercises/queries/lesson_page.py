"""All that a lesson's page shows, read in a number of queries that does not grow with the items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from itertools import zip_longest
from uuid import UUID

from django.db.models import OuterRef, Prefetch, Subquery, prefetch_related_objects
from django.utils import timezone

from exercises.enums import MarkedBy
from exercises.models import Attempt, Enrollment, HintTaken, Item, ItemVersion, Lesson, Mark, Submission
from exercises.queries.definitions import attempt_content, lesson_content
from exercises.queries.drafts import KeptDraft, drafts_of
from exercises.queries.glossary import glossary
from exercises.queries.help import ENOUGH_TRIES, hints_taken, shared_seed
from exercises.queries.self_assessment import SelfAssessment, self_assessments
from exercises.queries.standings import NOTHING_YET, Sent, Standing, own_standings, sent_to
from exercises.queries.submission_view import Stage, SubmissionView, submission_stage, submission_view
from exercises.queries.terms import FREE, Terms, terms_at
from exercises.queries.threads import Thread, threads_at
from grader.bank import Lesson as LessonContent
from grader.bank import Term, variant_convention
from grader.marking.hints import hint, rungs
from grader.marking.items import Convention
from grader.marking.items import Item as ItemContent
from grader.marking.policy import Policy
from grader.marking.solution import has_solution, model_fields, solution
from grader.marking.text import Text
from grader.marking.variants import Presentation, present


@dataclass(frozen=True, slots=True)
class ItemName:
    """An item to go on to, in its lesson."""

    slug: str
    lesson_slug: str
    title: Text


@dataclass(frozen=True, slots=True)
class ItemOnPage:
    """An item with the student's current attempt, its latest submission, and how the student stands with it.

    Two of them are equal where they show the same, whosever attempt it is; `version` stands for the content.
    """

    slug: str
    attempt_id: UUID = field(compare=False)
    attempt_number: int
    version: str
    content: ItemContent = field(compare=False)
    presentation: Presentation
    standing: Standing
    latest: SubmissionView | None
    stage: Stage | None
    solution: tuple[Text, ...]
    seed: int | None
    is_shown: bool
    told_in: Convention | None
    guess: str = ""
    hints: tuple[Text, ...] = ()
    has_more_hints: bool = False
    may_be_shown: bool = False
    earlier_try: int | None = None
    assessment: SelfAssessment | None = None
    draft: KeptDraft | None = None
    threads: tuple[Thread, ...] = ()
    following: ItemName | None = None
    model: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    glossary: tuple[Term, ...] = ()
    terms: Terms = FREE
    is_over: bool = False
    kept: Decimal = Decimal(1)

    def __hash__(self) -> int:
        """Of what tells pages apart most; a draft or a mark is left to equality."""
        shown = self.presentation
        order = [*(each.key for each in shown.options), *(each.key for each in shown.lines)]
        return hash((self.slug, self.version, self.seed, *order, self.latest and self.latest.id))

    @property
    def policy(self) -> Policy:
        """What tries are worth here: as the item says, and the assignment."""
        return self.terms.policy(self.content.policy)

    @property
    def try_number(self) -> int:
        """Which try the submission on the page is: the last one, unless an earlier one is shown."""
        return self.standing.tries if self.earlier_try is None else self.earlier_try

    @property
    def is_solved(self) -> bool:
        """Whether this very attempt was answered in full, so that its worked solution may be shown."""
        return self.latest is not None and _is_solved(self.latest)


@dataclass(frozen=True, slots=True)
class OpenItems:
    """A learner's current attempts at the items of a lesson that have opened, in their order.

    `terms` say by the item's id what holds there; `ahead` says by slug when the others open.
    """

    attempts: Sequence[Attempt]
    terms: Mapping[int, Terms]
    ahead: Mapping[str, datetime]


@dataclass(frozen=True, slots=True)
class LessonPage:
    """A lesson's text and the items that stand in it, by slug; `version` stands for the text.

    Of items that are `ahead` only the time is known at which they open.
    """

    slug: str
    version: str
    content: LessonContent
    items: Mapping[str, ItemOnPage]
    ahead: Mapping[str, datetime]


def lesson_page(enrollment: Enrollment, lesson: Lesson, opened: OpenItems) -> LessonPage:
    """The lesson as one member sees it, with the items that `attempts_open` opened."""
    content = lesson_content(lesson.version)
    read = _read(enrollment, opened.attempts, opened.terms)
    names = [ItemName(each.item.slug, lesson.slug, attempt_content(each).title) for each in opened.attempts]
    pages = [_page(each, read, following) for each, following in zip_longest(opened.attempts, names[1:])]
    return LessonPage(
        slug=lesson.slug,
        version=lesson.version.digest,
        content=content,
        items={page.slug: page for page in pages},
        ahead=opened.ahead,
    )


def item_on_page(attempt: Attempt, terms: Terms | None = None) -> ItemOnPage:
    """One item alone, for the fragment that follows a submission. It shows the attempt given, even an older one.

    What holds there need not be read again where it was read to take the submission.
    """
    here = {attempt.item_id: terms} if terms else terms_at(attempt.enrollment, [attempt.item])
    page = _page(attempt, _read(attempt.enrollment, [attempt], here))
    return replace(page, following=_item_after(attempt.item)) if page.is_solved else page


def _item_after(item: Item) -> ItemName | None:
    later = Item.objects.filter(lesson=item.lesson_id, is_active=True, position__gt=item.position).order_by("position")
    found = later.values_list("slug", "lesson__slug", "title").first()
    return ItemName(found[0], found[1], Text.from_json(found[2])) if found else None


def current_attempts(enrollment: Enrollment, items: Sequence[Item]) -> list[Attempt]:
    """The newest attempt at each of the items that has one, in their order.

    One query, and one where an attempt is at an earlier version of its item.
    """
    newest = Attempt.objects.filter(enrollment=enrollment, item=OuterRef("item")).order_by("-number")
    found = Attempt.objects.filter(enrollment=enrollment, item__in=[item.pk for item in items])
    attempts = {each.item_id: each for each in found.filter(pk=Subquery(newest.values("pk")[:1])).order_by()}
    versions = {item.current_version_id: item.current_version for item in items}
    earlier = {each.item_version_id for each in attempts.values()} - versions.keys()
    if earlier:
        versions |= ItemVersion.objects.in_bulk(earlier)
    for item in items:
        if (attempt := attempts.get(item.pk)) and (version := versions[attempt.item_version_id]):
            attempt.enrollment, attempt.item, attempt.item_version = enrollment, item, version
    return [attempts[item.pk] for item in items if item.pk in attempts]


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read for all the attempts on a page: by the id of the attempt, or where it says so of the item."""

    enrollment: Enrollment
    now: datetime
    terms_of_item: Mapping[int, Terms]
    standing_of_item: Mapping[int, Standing]
    threads_of_item: Mapping[int, tuple[Thread, ...]]
    latest: Mapping[int, Submission]
    assessed: Mapping[int, SelfAssessment]
    tries: Mapping[int, int]
    hints: Mapping[int, Sequence[HintTaken]]
    drafts: Mapping[int, KeptDraft]
    glossary: tuple[Term, ...]


def _read(enrollment: Enrollment, attempts: Sequence[Attempt], terms: Mapping[int, Terms]) -> _Read:
    items = [attempt.item for attempt in attempts]
    sent = sent_to(enrollment, [item.pk for item in items])
    latest = _latest_submissions(attempts, sent)
    return _Read(
        enrollment=enrollment,
        now=timezone.now(),
        terms_of_item=terms,
        standing_of_item=own_standings(items, sent, terms),
        threads_of_item=threads_at(enrollment, [item.pk for item in items]),
        latest=latest,
        assessed=self_assessments(latest.values()),
        tries=Counter(each.attempt_id for each in sent if each.is_try),
        hints=hints_taken(attempts),
        drafts=drafts_of(attempts),
        glossary=glossary(enrollment.course.curriculum),
    )


def _page(attempt: Attempt, read: _Read, following: ItemName | None = None) -> ItemOnPage:
    content, terms, now = attempt_content(attempt), read.terms_of_item[attempt.item_id], read.now
    attempt.enrollment = read.enrollment
    submission = read.latest.get(attempt.pk)
    if submission is not None:
        submission.attempt = attempt
    is_withheld = not terms.shows_feedback(now)
    view = submission_view(submission, is_withheld=is_withheld) if submission else None
    is_shown = attempt.shown_at is not None
    is_open = (is_shown or (view is not None and _is_solved(view))) and terms.shows_solution(now)
    worked = solution(content, attempt.variant) if is_open else ()
    is_tried = read.tries.get(attempt.pk, 0) >= ENOUGH_TRIES
    hints = read.hints.get(attempt.pk, ())
    return ItemOnPage(
        slug=attempt.item.slug,
        attempt_id=attempt.public_id,
        attempt_number=attempt.number,
        version=attempt.item_version.digest,
        content=content,
        presentation=present(content, attempt.variant),
        standing=read.standing_of_item.get(attempt.item_id, NOTHING_YET),
        latest=view,
        stage=submission_stage(submission, is_withheld=is_withheld) if submission else None,
        solution=worked,
        model=model_fields(content, attempt.variant) if is_open else {},
        terms=terms,
        seed=shared_seed(attempt),
        is_shown=is_shown,
        told_in=variant_convention(attempt.variant),
        guess=attempt.guess,
        glossary=read.glossary,
        threads=read.threads_of_item.get(attempt.item_id, ()),
        hints=tuple(hint(content, attempt.variant, each.rung, each.step) for each in hints),
        draft=read.drafts.get(attempt.pk),
        assessment=read.assessed.get(submission.pk) if submission and not is_withheld else None,
        has_more_hints=len(hints) < rungs(content) and not terms.is_over(now),
        may_be_shown=is_tried and not worked and has_solution(content) and terms.shows_solution(now),
        kept=terms.kept(now),
        is_over=terms.is_over(now) or read.enrollment.course.archived_at is not None,
        following=following if view and _is_solved(view) else None,
    )


def _latest_submissions(attempts: Sequence[Attempt], sent: Iterable[Sent]) -> dict[int, Submission]:
    """Attempt id -> what was sent to it last, with its marks: one query, two where an instructor marked, or none."""
    shown = {attempt.pk for attempt in attempts}
    latest = {each.attempt_id: each.id for each in sent if each.attempt_id in shown}
    if not latest:
        return {}
    submissions = list(Submission.objects.filter(pk__in=latest.values()).select_related("standing_mark").order_by())
    by_hand = [each for each in submissions if each.standing_mark and each.standing_mark.by == MarkedBy.INSTRUCTOR]
    prefetch_related_objects(by_hand, Prefetch("marks", queryset=Mark.objects.order_by("created_at", "pk")))
    return {submission.attempt_id: submission for submission in submissions}


def _is_solved(view: SubmissionView) -> bool:
    return view.standing is not None and view.standing.score == view.standing.max_score
