"""The desk of one quick check, laid out in cards: one for each answer, or for answers that are alike."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from hashlib import sha256
from uuid import UUID

from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from exercises.models import MarkDraft, User
from exercises.queries.quick_checks import AnswerState, QuickCheckAnswer
from exercises.web.quick_check_form import DeskChoice, MarkForm, Show
from exercises.web.words import Sign
from grader.marking.likeness import Part, Side, alike_groups, differences
from grader.marking.text import Text

CARDS_ON_A_PAGE = 20
# For how long after the last letter somebody still counts as writing.
AT_WORK = timedelta(minutes=15)
SHOWN: Mapping[Show, Collection[AnswerState]] = {
    Show.OPEN: (AnswerState.WAITING, AnswerState.LOOK),
    Show.SENT_BACK: (AnswerState.SENT_BACK,),
    Show.MARKED: (AnswerState.MARKED,),
    Show.ALL: tuple(AnswerState),
}

ANSWER_STATES: Mapping[AnswerState, Sign] = {
    AnswerState.WAITING: Sign("waiting", _("Waiting for a mark"), "clock"),
    AnswerState.LOOK: Sign("trouble", _("Asks for another look"), "again"),
    AnswerState.SENT_BACK: Sign("shown", _("Sent back"), "follows"),
    AnswerState.MARKED: Sign("done", _("Marked"), "check"),
}


PARTS: Mapping[Side, str] = {
    Side.BOTH: "{}",
    Side.OURS: "<mark>{}</mark>",
    Side.THEIRS: "<del>{}</del>",
}


@dataclass(frozen=True, slots=True)
class CardAnswer:
    """One answer on a card; its text in parts, compared with the card's first answer."""

    answer: QuickCheckAnswer
    parts: tuple[Part, ...]
    colleague: str

    @property
    def number(self) -> str:
        """What the answer is called while its author's name is hidden."""
        return self.answer.submission_id.hex[:4].upper()

    @property
    def html(self) -> SafeString:
        """The text, with its own parts marked and what it lacks struck out. A template's layout would add blanks."""
        return format_html_join("", "{}", ([format_html(PARTS[part.side], part.text)] for part in self.parts))

    @property
    def form_name(self) -> str:
        """The answer, and the mark that it was read with."""
        mark = self.answer.mark_id
        return f"{self.answer.submission_id}:{'' if mark is None else mark}"

    @property
    def sign(self) -> Sign:
        """What it waits for."""
        return ANSWER_STATES[self.answer.state]


@dataclass(frozen=True, slots=True)
class Filled:
    """What the form of a card holds: the mark that stands, a draft, or what was just refused."""

    criteria: Collection[str]
    misconceptions: Collection[str]
    comment: str
    is_draft: bool = False
    stock: Collection[int] = ()
    ticked: Collection[UUID] = ()
    refusal: Text | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """Answers to be marked by one form."""

    answers: tuple[CardAnswer, ...]
    filled: Filled
    next_card: UUID | None

    @property
    def lead(self) -> CardAnswer:
        """The answer that the others are alike to."""
        return self.answers[0]

    @property
    def key(self) -> UUID:
        """What the card is called on its page."""
        return self.lead.answer.submission_id

    @property
    def can_be_sent_back(self) -> bool:
        """Whether nobody has marked the answers."""
        return all(each.answer.state is AnswerState.WAITING for each in self.answers)


@dataclass(frozen=True, slots=True)
class Desk:
    """One page of cards, and where it stands among the others."""

    cards: tuple[Card, ...]
    choice: DeskChoice
    pages: int
    stray: MarkForm | None

    @property
    def has_before(self) -> bool:
        """Whether there is a page before this one."""
        return self.choice.page > 1

    @property
    def has_after(self) -> bool:
        """Whether there is a page after it."""
        return self.choice.page < self.pages


def desk_groups(
    answers: Iterable[QuickCheckAnswer], choice: DeskChoice, reader: User
) -> list[tuple[QuickCheckAnswer, ...]]:
    """The answers that are wanted, in an order that is random, and always the same for one reader."""
    wanted = [answer for answer in answers if answer.state in SHOWN[choice.show]]
    shuffled = sorted(wanted, key=lambda answer: sha256(f"{reader.pk}:{answer.submission_id}".encode()).digest())
    # Only what nobody has marked can get one mark for all; what asks for another look is read by itself.
    alone = [answer for answer in shuffled if not (choice.is_grouped and answer.is_waiting)]
    together = [answer for answer in shuffled if choice.is_grouped and answer.is_waiting]
    groups: list[tuple[QuickCheckAnswer, ...]] = [(answer,) for answer in alone]
    for rubric in dict.fromkeys(answer.rubric for answer in together):
        # A newer version may ask for other points.
        same = [answer for answer in together if answer.rubric == rubric]
        groups += [tuple(same[place] for place in group) for group in alike_groups([answer.text for answer in same])]
    place_of = {answer.submission_id: place for place, answer in enumerate(shuffled)}
    return sorted(groups, key=lambda group: min(place_of[answer.submission_id] for answer in group))


def on_last_page(groups: Sequence[tuple[QuickCheckAnswer, ...]], choice: DeskChoice) -> DeskChoice:
    """The same choice, on a page that there is: the answers of a last page may all be marked by now."""
    return replace(choice, page=min(choice.page, _pages(groups)))


def page_of(
    groups: Sequence[tuple[QuickCheckAnswer, ...]], choice: DeskChoice
) -> Sequence[tuple[QuickCheckAnswer, ...]]:
    """The groups on the page that is asked for."""
    return groups[(choice.page - 1) * CARDS_ON_A_PAGE : choice.page * CARDS_ON_A_PAGE]


def desk(
    groups: Sequence[tuple[QuickCheckAnswer, ...]],
    choice: DeskChoice,
    drafts: Mapping[UUID, Sequence[MarkDraft]],
    reader: User,
    refused: tuple[MarkForm, Text] | None = None,
) -> Desk:
    """The page; a refused form goes back into its card, or stands on top if all its answers are gone from here."""
    shown = page_of(groups, choice)
    keys = [group[0].submission_id for group in shown]
    after: list[UUID | None] = [*keys[1:], None]
    cards = tuple(
        _card(group, drafts, reader, refused, next_card) for group, next_card in zip(shown, after, strict=False)
    )
    is_stray = refused is not None and not any(card.filled.refusal for card in cards)
    return Desk(cards, choice, _pages(groups), refused[0] if refused and is_stray else None)


def _pages(groups: Sequence[object]) -> int:
    return max(1, -(-len(groups) // CARDS_ON_A_PAGE))


def _card(
    group: tuple[QuickCheckAnswer, ...],
    drafts: Mapping[UUID, Sequence[MarkDraft]],
    reader: User,
    refused: tuple[MarkForm, Text] | None,
    next_card: UUID | None,
) -> Card:
    lead = group[0]
    answers = tuple(
        CardAnswer(
            answer,
            differences(lead.text, answer.text) if answer is not lead else (Part(answer.text, Side.BOTH),),
            _colleague(drafts.get(answer.submission_id, ()), reader),
        )
        for answer in group
    )
    if refused and any(answer.submission_id in refused[0].read_with for answer in group):
        form, reason = refused
        kept = Filled(
            form.criteria, form.misconceptions, form.comment, stock=form.stock, ticked=form.read_with, refusal=reason
        )
        return Card(answers, kept, next_card)
    mine = _my_draft(group, drafts, reader)
    if mine is not None:
        return Card(answers, Filled(mine.criteria, mine.misconceptions, mine.comment, is_draft=True), next_card)
    return Card(answers, Filled(lead.criteria, lead.misconceptions, lead.comment), next_card)


def _my_draft(
    group: tuple[QuickCheckAnswer, ...], drafts: Mapping[UUID, Sequence[MarkDraft]], reader: User
) -> MarkDraft | None:
    found = (draft for answer in group for draft in drafts.get(answer.submission_id, ()))
    return next((draft for draft in found if draft.instructor_id == reader.pk), None)


def _colleague(drafts: Sequence[MarkDraft], reader: User) -> str:
    since = timezone.now() - AT_WORK
    others = (draft.instructor for draft in drafts if draft.instructor_id != reader.pk and draft.saved_at > since)
    return str(next(others, ""))
