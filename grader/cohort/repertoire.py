"""All that simulated learners can answer to one item, marked: a few variants, and for each idea an answer and its mark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from grader.cohort.answers import CARELESS, RIGHT, Answer, answers
from grader.marking.code import Outcomes, judge_code
from grader.marking.code_cases import CasePlan, DrawnCase, DrawnCases, SlipKey
from grader.marking.code_outcomes import Outcome, Raised, Returned
from grader.marking.items import CodeItem, FreeTextItem, Item
from grader.marking.judge import mark_response
from grader.marking.mark import Mark, verdict_for
from grader.marking.response import RawResponse, ResponseError
from grader.marking.variants import draw_variant

# One learner in so many has the same numbers as another: enough to see whether a variant is harder than the rest.
VARIANTS = 6


@dataclass(frozen=True, slots=True)
class MarkedAnswer:
    """What is sent, and the mark that it gets; `mark` is None where a person has to read it."""

    response: RawResponse
    mark: Mark | None
    score: Decimal


@dataclass(frozen=True, slots=True)
class MarkedVariant:
    """One set of numbers, and the answer of each idea to it. RIGHT is always among them."""

    variant: Mapping[str, Any]
    answers: Mapping[str, MarkedAnswer]


@dataclass(frozen=True, slots=True)
class Repertoire:
    """What can be answered to one item."""

    item: Item
    variants: tuple[MarkedVariant, ...]

    @property
    def ideas(self) -> tuple[str, ...]:
        """The misconceptions that some variant can show."""
        found = (idea for each in self.variants for idea in each.answers if idea not in {RIGHT, CARELESS})
        return tuple(dict.fromkeys(found))


def repertoire(item: Item, programs: Mapping[str, str], *, variants: int = VARIANTS) -> Repertoire | None:
    """Draw and mark. `programs` holds the source of a program by its idea.

    None for a code item that has no programs, and for one of which many results are right: what its programs return is
    known only to who runs them.
    """
    if isinstance(item, CodeItem):
        return _of_code(item, programs, variants)
    drawn = [draw_variant(item, seed * 1_000) for seed in range(1, variants + 1)]
    return Repertoire(item, tuple(MarkedVariant(variant, _marked(item, variant)) for variant in drawn))


def _marked(item: Item, variant: Mapping[str, Any]) -> dict[str, MarkedAnswer]:
    found = {}
    for answer in answers(item, variant):
        try:
            marked = _mark(item, variant, answer)
        except ResponseError:  # the page would refuse it, so nobody can send it
            continue
        if answer.idea != CARELESS or marked.score < item.max_score:
            found[answer.idea] = marked
    return found


def _mark(item: Item, variant: Mapping[str, Any], answer: Answer) -> MarkedAnswer:
    if isinstance(item, FreeTextItem):
        share = {RIGHT: item.max_score, CARELESS: min(Decimal(1), item.max_score)}
        return MarkedAnswer(answer.response, None, share.get(answer.idea, Decimal(0)))
    mark = mark_response(item, variant, answer.response)
    return MarkedAnswer(answer.response, mark, mark.score)


def _of_code(item: CodeItem, programs: Mapping[str, str], variants: int) -> Repertoire | None:
    if RIGHT not in programs or item.judge:
        return None
    drawn = CasePlan(item).draw(1)
    marked = {idea: _program(item, drawn, idea, code) for idea, code in programs.items()}
    known = {idea: each for idea, each in marked.items() if each is not None}
    return Repertoire(item, tuple(MarkedVariant({"seed": seed}, known) for seed in range(1, variants + 1)))


def _program(item: CodeItem, drawn: DrawnCases, idea: str, code: str) -> MarkedAnswer | None:
    """The program with the mark of what it returns: by the derivation, without running it."""
    keys = {key for case in drawn.in_order for key, slip in case.slips.items() if slip.slug == idea}
    if idea != RIGHT and not keys:
        return None
    outcomes = [_returned(case, sorted(keys)) for case in drawn.in_order]
    judged = judge_code(item, drawn, Outcomes(outcomes, example=_example(item, drawn)))
    mark = Mark(verdict_for(judged.score, item.max_score), judged.score, item.max_score, findings=judged.findings)
    return MarkedAnswer({"code": code}, mark, mark.score)


def _returned(case: DrawnCase, keys: Sequence[SlipKey]) -> Outcome:
    result = case.making(*keys)
    return Raised("ValueError", "", None) if result is None else Returned(result)


def _example(item: CodeItem, drawn: DrawnCases) -> Outcome:
    """A failing case that is right: the learners of a cohort differ in their programs alone."""
    if item.bug is None:
        return None
    telling = next(case for case in drawn.in_order if case.shows(item.bug.slip.key))
    return Returned(tuple(telling.givens[name] for name in item.parameters), kind="tuple")
