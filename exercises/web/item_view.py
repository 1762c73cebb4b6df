"""An item as its partial template shows it: task, form with what was typed, and the answer that came back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import get_language

from exercises.enums import ItemKind
from exercises.queries.lesson_page import ItemOnPage
from exercises.web.field_view import FieldView, OptionView, ProblemView, field_views, option_views, problem_views
from exercises.web.result_view import ResultView, announcement, result_view
from exercises.web.words import ITEM_STATES, KINDS, RUN_LIMITS, RunLimits, Sign, Words
from grader.marking.items import ChoiceItem, CodeItem, FreeTextItem, NumericItem
from grader.marking.response import Problem


@dataclass(frozen=True, slots=True)
class Feedback:
    """What one request adds to an item: a refusal with all that was typed, or a note."""

    typed: Mapping[str, Any] | None = None
    problems: Sequence[Problem] = ()
    is_repeat: bool = False
    is_crowded: bool = False


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
    problems: tuple[ProblemView, ...] = ()
    code: str = ""
    text: str = ""
    result: ResultView | None = None
    announcement: str = ""
    solution: tuple[str, ...] = field(default=())

    @property
    def form_template(self) -> str:
        """The partial that holds the inputs of this kind."""
        return f"exercises/partials/form_{self.page.content.kind}.html"

    @property
    def limits(self) -> RunLimits:
        """What a run of code may use."""
        return RUN_LIMITS

    @property
    def can_vary(self) -> bool:
        """Whether another variant has other numbers or another order."""
        return isinstance(self.page.content, NumericItem | ChoiceItem)


def item_view(course_slug: str, page: ItemOnPage, feedback: Feedback | None = None) -> ItemView:
    """Lay out an item. A refused response is shown as typed, without the marks of an earlier one."""
    feedback = feedback or Feedback()
    content, slug = page.content, page.slug
    latest = page.latest if feedback.typed is None else None
    response = feedback.typed if feedback.typed is not None else (page.latest.raw_response if page.latest else {})
    marking = latest.marking if latest else None
    result = result_view(latest, page.stage) if latest and page.stage else None
    return ItemView(
        course_slug=course_slug,
        page=page,
        kind_words=KINDS[ItemKind(content.kind)],
        state=ITEM_STATES[page.standing.state],
        feedback=feedback,
        fields=field_views(slug, page.presentation.fields, response, marking, feedback.problems),
        options=option_views(slug, page.presentation.options, response),
        problems=problem_views(slug, feedback.problems, _first_box(page)),
        code=response.get("code", _starter(content)),
        text=response.get("text", ""),
        result=result,
        announcement=announcement(result, page.standing.tries) if result else "",
        solution=page.worked_solution if latest and page.is_solved else (),
    )


def _starter(content: object) -> str:
    return content.starter.in_language(get_language() or "zh-hans") if isinstance(content, CodeItem) else ""


def _first_box(page: ItemOnPage) -> str:
    """The element to go to when a problem has no place of its own."""
    if isinstance(page.content, CodeItem):
        return f"{page.slug}-code"
    if isinstance(page.content, FreeTextItem):
        return f"{page.slug}-text"
    if page.presentation.options:
        return f"{page.slug}-option-{page.presentation.options[0].key}"
    first = page.presentation.fields[0].name
    return f"{page.slug}-{first}-0-0"
