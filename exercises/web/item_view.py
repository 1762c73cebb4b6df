"""An item as its partial template shows it: task, form with what was typed, and the answer that came back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from exercises.enums import ItemKind
from exercises.markup import Reference, render_inline, render_prose, render_tex, symbols_in
from exercises.queries.lesson_page import ItemOnPage
from exercises.queries.run_view import RunView as RunOnPage
from exercises.queries.threads import Thread
from exercises.web.code_view import CodeRunView, code_run_view, in_short
from exercises.web.code_words import RUN_STAGES
from exercises.web.field_view import (
    CellView,
    FieldView,
    OptionView,
    ProblemView,
    box_problems,
    field_views,
    option_views,
    problem_views,
    turned_problems,
)
from exercises.web.glossary_view import item_reference, symbol_cards
from exercises.web.kind_view import (
    LineView,
    PairView,
    ShapeView,
    line_views,
    pair_views,
    shape_problems,
    shape_views,
    target_name,
)
from exercises.web.lab_view import LabView, lab_view, start_values
from exercises.web.responses import cell_name, place_name, shape_name
from exercises.web.result_view import ResultView, announcement, result_view
from exercises.web.words import ITEM_STATES, KINDS, QUESTION_STATES, RUN_LIMITS, RunLimits, Sign, Words
from grader.derivation.convention import is_same_either_way
from grader.marking.items import (
    ChoiceItem,
    CodeItem,
    Convention,
    FreeTextItem,
    LabItem,
    MatchItem,
    NumericItem,
    OrderItem,
    PredictItem,
    ShapeItem,
)
from grader.marking.policy import Counts
from grader.marking.response import Problem
from grader.marking.text import Text


@dataclass(frozen=True, slots=True)
class Feedback:
    """What one request adds to an item: a refusal with all that was typed, a note, or a run of code.

    `repeats_try` is the number of the try that was sent again; `crowded_seconds` is when to try again after a third
    program; what is said belongs to the run where `is_run` is set, and else to the submission.
    """

    typed: Mapping[str, Any] | None = None
    problems: Sequence[Problem] = ()
    repeats_try: int = 0
    crowded_seconds: int = 0
    is_spent: bool = False
    cannot_run: bool = False
    call: str = ""
    is_run: bool = False
    run: RunOnPage | None = None
    is_hint_new: bool = False
    hint_wait_seconds: int = 0
    offered_seed: int | None = None


@dataclass(frozen=True, slots=True)
class ItemView:
    """Everything that the partial of an item needs."""

    course_slug: str
    page: ItemOnPage
    kind_words: Words
    state: Sign
    feedback: Feedback
    fields: tuple[FieldView, ...] = ()
    options: tuple[OptionView, ...] = ()
    shapes: tuple[ShapeView, ...] = ()
    pairs: tuple[PairView, ...] = ()
    lines: tuple[LineView, ...] = ()
    problems: tuple[ProblemView, ...] = ()
    code: str = ""
    call: str = ""
    text: str = ""
    lab: LabView | None = None
    result: ResultView | None = None
    announcement: str = ""
    solution: tuple[Text, ...] = field(default=())

    @property
    def reference(self) -> Reference:
        """What its texts link to."""
        return item_reference(self.course_slug, self.page.glossary, get_language() or "zh-hans")

    @property
    def symbol_cards(self) -> SafeString:
        """The glossary, told as the item is."""
        names = symbols_in("".join(self._markup()))
        language = get_language() or "zh-hans"
        return symbol_cards(self.course_slug, self.page.glossary, _layout(self.page), language, names)

    def _markup(self) -> Iterator[str]:
        """What is said in formulas: the texts, and the names of all that is given or asked."""
        language, shown = get_language() or "zh-hans", self.page.presentation
        texts = (self.page.content.prompt, *self.page.hints, *self.solution)
        yield from (render_prose(text.in_language(language), language) for text in texts)
        lines = [*(each.text for each in shown.options), *(each.text for each in shown.lines)]
        pairs = [*(each.text for each in shown.entries), *(each.text for each in shown.targets)]
        yield from (render_inline(text.in_language(language)) for text in (*lines, *pairs))
        symbols = (*(each.tex for each in shown.givens), *(each.tex for each in shown.fields))
        yield from map(render_tex, symbols)

    @property
    def form_template(self) -> str:
        """The partial that holds the inputs of this kind."""
        return f"exercises/partials/form_{self.page.content.kind}.html"

    @property
    def threads(self) -> list[tuple[Thread, Sign]]:
        """What was asked about the item, with the sign of its state."""
        return [(thread, QUESTION_STATES[thread.state]) for thread in self.page.threads]

    @property
    def path(self) -> list[tuple[FieldView, list[list[tuple[CellView, str]]]]]:
        """The learner's own results, field by field on the way, each cell beside that of the solution."""
        return [
            (field, [list(zip(own, model, strict=True)) for own, model in zip(field.rows, rows, strict=True)])
            for field in self.fields
            if (rows := self.page.model.get(field.shape.name)) and field.sign is not None
        ]

    @property
    def asked_about(self) -> str:
        """The rest of an address that names the response on the page, where there is one."""
        return f"&about={self.page.latest.id}" if self.page.latest else ""

    @property
    def draft_json(self) -> str:
        """The draft's fields for the script that lays them in."""
        return json.dumps(self.page.draft.fields, ensure_ascii=False) if self.page.draft else ""

    @property
    def draft_use(self) -> str:
        """What the script does with a draft: lay it in, only offer it, or let what this form shows take its place."""
        if self.feedback.typed is not None and not self.feedback.is_run:
            return "replace"
        draft, latest = self.page.draft, self.page.latest
        is_older = draft is not None and latest is not None and draft.saved_at < latest.created_at
        return "offer" if is_older or self.feedback.is_run or self.page.earlier_try is not None else "restore"

    @property
    def tries_allowed(self) -> int | None:
        """How many tries the item's policy gives, if it says."""
        return self.page.policy.tries

    @property
    def tries_left(self) -> int | None:
        """How many of them are left."""
        allowed = self.tries_allowed
        return None if allowed is None else max(0, allowed - self.page.standing.tries)

    @property
    def is_open(self) -> bool:
        """Whether another answer would be taken."""
        return self.tries_left != 0 and not self.page.is_over

    @property
    def late_keeps(self) -> int | None:
        """How many per cent of what it adds an answer keeps that is sent now, where lateness takes some."""
        share = self.page.kept
        return int(share * 100) if share < 1 and self.is_open else None

    @property
    def next_try_keeps(self) -> int | None:
        """How many per cent of its gain the next try keeps, where that is not all."""
        share = self.page.policy.weight(self.page.standing.tries)
        return int(share * 100) if share < 1 and self.tries_left != 0 else None

    @property
    def is_last_counted(self) -> bool:
        """Whether a later try takes the place of a better one."""
        return self.page.policy.counts is Counts.LAST

    @property
    def limits(self) -> RunLimits:
        """What a run of code may use."""
        return RUN_LIMITS

    @property
    def can_vary(self) -> bool:
        """Whether another variant has other numbers, or the options in another order."""
        return isinstance(self.page.content, NumericItem | PredictItem | ChoiceItem) and self.is_open

    @property
    def run_view(self) -> CodeRunView | None:
        """What came of a run that is no try."""
        run = self.feedback.run
        return code_run_view(run.report) if run and run.report else None

    @property
    def run_sign(self) -> Sign | None:
        """How far that run has come."""
        return RUN_STAGES[self.feedback.run.stage] if self.feedback.run else None

    @property
    def run_seconds(self) -> int:
        """For how long that run has been on its way."""
        run = self.feedback.run
        return int((timezone.now() - run.created_at).total_seconds()) if run else 0

    @property
    def run_announcement(self) -> str:
        """The same for the live region, with what the visible cases came to."""
        view, sign = self.run_view, self.run_sign
        if sign is None:
            return ""
        if view is None:
            return str(sign.word)
        return f"{sign.word} {in_short(view)}".strip()

    @property
    def call_example(self) -> str:
        """What a call of one's own may look like."""
        content = self.page.content
        return f"{content.function}({', '.join(content.parameters)})" if isinstance(content, CodeItem) else ""

    @property
    def function_convention(self) -> Convention | None:
        """How a function expects its tokens to lie, where it would make a difference."""
        content = self.page.content
        if not isinstance(content, CodeItem) or is_same_either_way(content.derivation):
            return None
        return content.convention

    @property
    def can_begin_again(self) -> bool:
        """Whether the item can be worked on afresh though nothing in it varies: its solution was shown."""
        return self.page.is_shown and not self.can_vary and self.is_open

    @property
    def is_guessed(self) -> bool:
        """Whether a guess was sent already, or opened a lab: it stays, whatever the numbers turn out to be."""
        is_kept = self.lab.is_open if self.lab else self.page.latest is not None
        return is_kept and any(option.is_chosen for option in self.options)


def item_view(course_slug: str, page: ItemOnPage, feedback: Feedback | None = None) -> ItemView:
    """Lay out an item. A refused response is shown as typed, without the marks of an earlier one."""
    feedback = feedback or Feedback()
    content, shown, slug = page.content, page.presentation, page.slug
    is_shape = isinstance(content, ShapeItem)
    latest = page.latest if feedback.typed is None else None
    response = feedback.typed if feedback.typed is not None else (page.latest.raw_response if page.latest else {})
    response = {**response, "guess": page.guess} if page.guess else response
    marking = latest.marking if latest else None
    result = result_view(latest, page.stage) if latest and page.stage else None
    if isinstance(content, LabItem):
        response = {**response, "fields": {**start_values(content), **response.get("fields", {})}}
    fields = () if is_shape else field_views(slug, shown.fields, response, marking, feedback.problems)
    return ItemView(
        course_slug=course_slug,
        page=page,
        kind_words=KINDS[ItemKind(content.kind)],
        state=ITEM_STATES[page.standing.state],
        feedback=feedback,
        fields=fields,
        lab=lab_view(content, slug, response, fields, marking, _layout(page)) if isinstance(content, LabItem) else None,
        shapes=shape_views(slug, shown.fields, response, marking, feedback.problems) if is_shape else (),
        options=option_views(slug, shown.options, response),
        pairs=pair_views(slug, shown.entries, shown.targets, response, marking),
        lines=line_views(slug, shown.lines, response),
        problems=_problems(page, feedback.problems),
        code=response.get("code", _starter(content)),
        call=feedback.call,
        text=response.get("text", ""),
        result=result,
        announcement=announcement(result, page.try_number) if result else "",
        solution=page.solution if latest and (page.is_solved or page.is_shown) else (),
    )


def _problems(page: ItemOnPage, problems: Sequence[Problem]) -> tuple[ProblemView, ...]:
    """The error summary; a program has boxes, a shape has fields, the rest has cells."""
    lab_problems = turned_problems if _layout(page) is Convention.COLUMN else problem_views
    views = {CodeItem: box_problems, ShapeItem: shape_problems, LabItem: lab_problems}.get(
        type(page.content), problem_views
    )
    return views(page.slug, problems, _first_box(page))


def _layout(page: ItemOnPage) -> Convention:
    return page.told_in or Convention.ROW


def _starter(content: object) -> str:
    return content.starter.in_language(get_language() or "zh-hans") if isinstance(content, CodeItem) else ""


def _first_box(page: ItemOnPage) -> str:
    """The element to go to when a problem has no place of its own."""
    shown = page.presentation
    match page.content:
        case CodeItem():
            box = "code"
        case FreeTextItem():
            box = "text"
        case ShapeItem():
            box = shape_name(shown.fields[0].name)
        case MatchItem():
            box = target_name(shown.entries[0].key, shown.targets[0].key)
        case OrderItem():
            box = place_name(shown.lines[0].key)
        case ChoiceItem() | PredictItem() | LabItem():
            box = f"option-{shown.options[0].key}"
        case _:
            box = cell_name(shown.fields[0].name, 0, 0)
    return f"{page.slug}-{box}"
